"""Problems, where they come from, and the values that an agent has found."""
