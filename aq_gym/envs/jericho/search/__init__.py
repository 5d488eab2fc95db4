"""Commands worth trying in a story's present state, and winning routes from it."""
