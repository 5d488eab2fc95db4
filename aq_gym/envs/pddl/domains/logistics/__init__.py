"""The domain logistics."""
