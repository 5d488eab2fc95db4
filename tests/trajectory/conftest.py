from foreign_fixtures import actions, duplicate, foreign, play, room  # noqa: F401
