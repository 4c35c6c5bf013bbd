"""Properties are checked on a machine that other tests share: no deadline."""

from hypothesis import settings

settings.register_profile("shared-machine", deadline=None)
settings.load_profile("shared-machine")
