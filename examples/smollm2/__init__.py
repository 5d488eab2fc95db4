"""Parts of trl_grpo.py: weights, missions, the clone that it begins with, a curve."""
