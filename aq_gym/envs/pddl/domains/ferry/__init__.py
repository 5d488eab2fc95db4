"""The domain ferry."""
