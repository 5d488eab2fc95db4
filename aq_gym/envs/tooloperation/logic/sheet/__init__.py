"""The workbook: its data, formulas, tools and templates."""
