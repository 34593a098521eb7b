"""Tests of Mare Nostrum; `oracle` holds the second opinions."""
