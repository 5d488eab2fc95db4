"""The benchmarks, one folder each, all with the same files."""
