"""Run files: written while a run goes on, read, and played again with the original timing."""
