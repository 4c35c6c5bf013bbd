"""Judging of the hits that matter: unjudged hits on which the leading trials disagree.

`scoring` scores stored rankings with more targets. `candidates` lists the open questions.
`session` orders them and tracks the effect of the answers. `forecast` estimates the number of
answers until a decision. `recording` writes answers into the file of queries. `judged_study`
combines `session` and `recording`. `agreement` compares two people. No stage is run.
"""

from bench.authoring.judging.agreement import Agreement, agreements
from bench.authoring.judging.asked_queries import AskedFiles, asked_files
from bench.authoring.judging.candidates import Candidate
from bench.authoring.judging.judged_study import JudgedStudy, progress
from bench.authoring.judging.recording import JudgedFile
from bench.authoring.judging.scoring import StoredTrials
from bench.authoring.judging.session import Session

__all__ = [
    "Agreement",
    "AskedFiles",
    "Candidate",
    "JudgedFile",
    "JudgedStudy",
    "Session",
    "StoredTrials",
    "agreements",
    "asked_files",
    "progress",
]
