"""The shop: products, goals, search, pages, rewards; no gymnasium, no sentences."""
