"""The code that is measured: chunkers, indexes, search, rerankers. It knows no benchmarks."""
