The text.
