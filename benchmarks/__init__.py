"""Benchmarks: what the program costs beside what the machine allows. `python -m benchmarks --help` says how to run them."""
