"""Databases, the tools that read them, and questions about them."""
