"""Front ends without a screen."""
