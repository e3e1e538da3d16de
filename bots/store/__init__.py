"""The SQLite database: one writer, group commit, migrations."""
