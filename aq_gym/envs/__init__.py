"""The benchmarks, one folder each, with the same files."""
