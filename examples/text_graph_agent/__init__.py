"""An agent that learns to choose among admissible actions by their texts."""
