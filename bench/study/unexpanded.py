"""Early refusal of a chat server that expands no questions."""

from collections.abc import Callable, Mapping

from bench.engine import Fingerprint, Outcome, Plan
from bench.errors import UsageError
from bench.stages import ExpandQueries
from bench.study.study import Study

CarryOut = Callable[[Plan], Mapping[Fingerprint, Outcome]]


def refuse_unexpanded(study: Study, carry_out: CarryOut) -> dict[Fingerprint, Outcome]:
    """Expand all questions before the long stages; refuse a server that expands none.

    A server that is down or lacks the model is reported before any text is embedded.
    """
    stages = [stage for stage in study.whole.stages if isinstance(stage, ExpandQueries)]
    outcomes = study.carry_out(carry_out, early=stages) if stages else {}
    for stage in stages:
        failure = study.failure_of(stage)
        if failure is not None and failure.cause.startswith("query="):
            server = stage.expansion.server
            message = f"{failure.cause}. Start the chat server {server.url}"
            raise UsageError(f"{message}, correct query.url= or query.model=, or use query=plain.")
    return outcomes
