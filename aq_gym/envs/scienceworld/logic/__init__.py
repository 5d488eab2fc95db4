"""The tasks of ScienceWorld, their splits and goals, and the state of an episode."""
