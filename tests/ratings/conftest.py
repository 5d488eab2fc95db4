"""The scripted judges, as a fixture."""

from rating_judges import judge  # noqa: F401 (a fixture)
