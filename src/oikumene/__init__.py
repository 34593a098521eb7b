"""Classic board games of ancient empires: their rules, opponents, tables and records."""

__version__ = "0.1.0"
