The text of src/ui/b.ts.
