"""ALFWorld's rules and state, without Gymnasium and without texts."""
