"""The formats of queries: one module per format, and a table of all."""
