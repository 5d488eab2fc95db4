"""The domain barman."""
