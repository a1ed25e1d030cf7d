"""Hypothesis profiles: 100 examples as a rule, 1,000 with `--hypothesis-profile=thorough` or ANOMAN_TUI_THOROUGH=1."""

import os

from hypothesis import HealthCheck, settings

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]

settings.register_profile("quick", max_examples=100, deadline=None, suppress_health_check=SLOW, derandomize=False)
settings.register_profile("thorough", max_examples=1_000, deadline=None, suppress_health_check=SLOW)
settings.load_profile("thorough" if os.environ.get("ANOMAN_TUI_THOROUGH") else "quick")
