"""What holds for all tests, however they are started."""

import signal

from hypothesis import settings

# Properties are checked on a machine that other tests share: no deadline.
settings.register_profile("shared-machine", deadline=None)
settings.load_profile("shared-machine")

# A shell starts background jobs with SIGINT ignored, and every child inherits that. Programs that
# a test interrupts would then never notice. A handled signal becomes the default one in children.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
