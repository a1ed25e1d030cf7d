"""What people keep from one sitting to the next: votes, pane sets, prompts, and the one file that they share."""
