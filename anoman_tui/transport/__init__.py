"""The only place that speaks HTTP: its own thread and event loop for all panes."""
