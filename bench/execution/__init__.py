"""Carries out a plan, on this machine or a cluster, with the same numbers either way.

It does not know what a stage computes; a stage does not know where it runs. `RayCrew` is
imported from `bench.execution.cluster`, so that nobody pays for Ray who does not use it.
"""

from bench.execution.account import Utilisation, critical_path_seconds, utilisation
from bench.execution.choice import Choice, choose
from bench.execution.crew import Alone, Crew
from bench.execution.listener import Listener, Quiet
from bench.execution.processes import ProcessCrew, local_crew
from bench.execution.schedule import carry_out

__all__ = [
    "Alone",
    "Choice",
    "Crew",
    "Listener",
    "ProcessCrew",
    "Quiet",
    "Utilisation",
    "carry_out",
    "choose",
    "critical_path_seconds",
    "local_crew",
    "utilisation",
]
