"""What the users of an application would want to know of its episodes."""
