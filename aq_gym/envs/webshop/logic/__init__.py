"""The shop: products, goals, search, pages and rewards, without gymnasium and texts."""
