"""The program that parses documents for another process, so that hostile ones harm only it.

It imports nothing of ours but these modules, so that it starts quickly.
"""
