"""The to-do list: its data, tools and templates."""
