"""The rules and the state of BabyAI worlds: no gymnasium, no prose."""
