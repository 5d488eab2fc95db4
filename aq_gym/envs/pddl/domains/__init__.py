"""The planning domains that ship: a folder each."""
