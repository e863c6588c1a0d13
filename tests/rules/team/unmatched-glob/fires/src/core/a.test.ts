The text of src/core/a.test.ts.
