"""SQLite underneath: one writer, group commit, migrations."""
