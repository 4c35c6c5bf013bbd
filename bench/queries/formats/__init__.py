"""The formats of queries: a module each, and one table of them."""
