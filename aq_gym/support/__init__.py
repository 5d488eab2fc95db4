"""Shared helpers for files, downloads, secrets and processes."""
