"""Integrations with frameworks that train and evaluate language models.

Each module needs its framework and imports nothing else that is not installed with
aq_gym; none is imported unless it is used. Those of Inspect AI, verifiers and TRL play
:class:`aq_gym.Episode`, so that prompts, the reading of completions, metrics and
trajectories are those of ``aq-gym run --agent llm``. ``openenv`` serves an environment,
and leaves the prompts to its clients.
"""
