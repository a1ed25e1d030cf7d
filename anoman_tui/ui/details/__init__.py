"""All that is known of one pane, as sections of facts: what the sheet of numbers shows."""

from anoman_tui.ui.details.facts import Fact, Section
from anoman_tui.ui.details.sections import details

__all__ = ["Fact", "Section", "details"]
