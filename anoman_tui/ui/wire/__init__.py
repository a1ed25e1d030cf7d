"""What came over the wire, frame by frame: logs of panes, rows on one clock, and their text. Pure, no Textual."""
