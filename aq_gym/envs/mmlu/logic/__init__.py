"""MMLU's questions: published ones from files, and generated ones."""
