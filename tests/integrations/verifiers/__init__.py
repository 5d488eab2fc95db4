"""verifiers, the real package: ``.ci/integrations`` installs it."""
