"""The papers' checkouts: prompts, settings, suites and published scores."""
