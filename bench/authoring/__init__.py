"""Makes ground truth: reads and writes sets of queries, describes them, mines and carries them."""
