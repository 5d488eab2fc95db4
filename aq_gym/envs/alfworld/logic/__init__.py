"""ALFWorld's rules and state: no Gymnasium, no prose."""
