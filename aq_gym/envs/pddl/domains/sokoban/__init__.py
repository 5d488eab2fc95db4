"""The domain sokoban."""
