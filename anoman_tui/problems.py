"""What the user can mend: the message is one sentence that says what, where and how."""


class ConfigError(Exception):
    """The configuration or the command line cannot be used."""


class MissingKeyError(Exception):
    """There is no usable key."""
