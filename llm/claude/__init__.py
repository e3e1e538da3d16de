"""The adapter for Claude; `calls` alone imports `anthropic`."""
