"""Integrations with frameworks that train and evaluate language models.

A module imports only its framework and what is installed with aq_gym, and is imported
only when it is used. The modules for Inspect AI, verifiers and TRL play
:class:`aq_gym.Episode`, so that prompts, the reading of completions, metrics and
trajectories are the same as in ``aq-gym run --agent llm``. ``openenv`` serves an
environment, and leaves the prompts to its clients.
"""
