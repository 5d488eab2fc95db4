"""Judge a user's puzzles with a language model, whose verdicts are kept in a file."""
