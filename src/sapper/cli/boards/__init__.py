"""Commands about boards and files: made, checked, measured, converted."""
