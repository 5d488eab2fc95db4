"""The domain tyreworld."""
