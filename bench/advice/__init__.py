"""From the numbers of a study to what to ship: typed advice, and the sentences for it.

`advise` decides, `wording` speaks, `document` is the form in results.json. The package knows no
file, terminal or page.
"""

from bench.advice.advice import Advice, advise
from bench.advice.document import advice_document, no_advice_document, tuning_document
from bench.advice.tuned_weights import TunedWeights, tuned_weights, weights_override
from bench.advice.wording import (
    caveat_text,
    choice_role,
    gate_sentences,
    measure_label,
    p_text,
    plural,
    rules_of_thumb,
    sentences,
    sign_count_text,
    tuned_score_text,
)

__all__ = [
    "Advice",
    "TunedWeights",
    "advice_document",
    "advise",
    "caveat_text",
    "choice_role",
    "gate_sentences",
    "measure_label",
    "no_advice_document",
    "p_text",
    "plural",
    "rules_of_thumb",
    "sentences",
    "sign_count_text",
    "tuned_score_text",
    "tuned_weights",
    "tuning_document",
    "weights_override",
]
