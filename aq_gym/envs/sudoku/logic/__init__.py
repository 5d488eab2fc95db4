"""Sudoku's rules, search and symmetries; no gymnasium, no prose."""
