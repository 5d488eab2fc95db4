"""The domain blocksworld."""
