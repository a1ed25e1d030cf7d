"""What can be taken out of the screen: texts for the clipboard and files."""
