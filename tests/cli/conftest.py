"""The scripted judges of ratings, as a fixture."""

from rating_judges import judge  # noqa: F401 (a fixture)
