"""Play the tasks of a run in this process, in threads, in processes or on Ray."""
