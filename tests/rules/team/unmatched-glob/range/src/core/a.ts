The text of src/core/a.ts.
