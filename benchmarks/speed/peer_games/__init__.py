"""The comparisons of ``peers.py``, one module for each game."""
