"""What is measured: ways to cut, index, search and rerank. Knows nothing of benchmarks."""
