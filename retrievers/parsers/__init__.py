"""The program that parses documents for another process, which isolates hostile documents.

It imports only the modules of this package, so that it starts quickly.
"""
