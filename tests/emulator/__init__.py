"""The embedded gateway's tests."""
