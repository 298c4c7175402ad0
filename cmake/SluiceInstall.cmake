# Install rules: see docs/architecture.md
