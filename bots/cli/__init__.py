"""The command line: `townsfolk up`, `exec`, `say`, `log`, `plan`, `experiment` and more."""
