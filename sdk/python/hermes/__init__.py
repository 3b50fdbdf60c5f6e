"""Hermes, seen from Python."""
