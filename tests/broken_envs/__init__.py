"""Environments that break one promise of the contract each."""
