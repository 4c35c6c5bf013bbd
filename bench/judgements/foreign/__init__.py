"""Formats of public collections: what others measured on, read into our form and written back."""
