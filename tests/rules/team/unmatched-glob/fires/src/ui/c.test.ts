The text of src/ui/c.test.ts.
