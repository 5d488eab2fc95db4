"""The domain hanoi."""
