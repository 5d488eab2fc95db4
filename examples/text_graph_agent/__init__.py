"""An agent that learns to choose among admissible actions from their texts."""
