"""Database engine, migrations and safe files."""
