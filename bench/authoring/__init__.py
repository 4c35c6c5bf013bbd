"""Authoring of ground truth: reads, writes, describes, mines and updates sets of queries."""
