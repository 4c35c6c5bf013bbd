"""Measures retrieval configurations: plans, runs, scores and compares them."""
