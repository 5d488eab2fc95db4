"""The rules and the state of BabyAI worlds, without gymnasium and without texts."""
