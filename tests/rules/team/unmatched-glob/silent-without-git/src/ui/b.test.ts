The text of src/ui/b.test.ts.
