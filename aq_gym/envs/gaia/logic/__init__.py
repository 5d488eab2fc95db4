"""Questions, their files, the milestones on the way, and the scores of answers."""
