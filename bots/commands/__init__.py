"""`!name args` commands: one declaration each."""
