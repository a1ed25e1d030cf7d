"""`python -m anoman_tui` is the command `anoman-tui`."""

from anoman_tui.cli import main

if __name__ == "__main__":
    main()
