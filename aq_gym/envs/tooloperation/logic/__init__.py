"""The worlds, their tools and tasks, and the measure of progress."""
