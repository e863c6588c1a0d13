The text of src/a.ts.
