"""Files, downloads, secrets and processes: what several packages need."""
