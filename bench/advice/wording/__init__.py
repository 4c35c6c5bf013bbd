"""All sentences about scores and choices; nothing is computed or decided here."""

from bench.advice.wording.gate import gate_sentences
from bench.advice.wording.phrases import (
    caveat_text,
    cost_label,
    level_phrase,
    measure_label,
    p_text,
    plural,
    rules_of_thumb,
    sign_count_text,
    tuned_score_text,
    vectors_text,
)
from bench.advice.wording.prior import prior_sentences
from bench.advice.wording.study import (
    amount_text,
    choice_role,
    limits_text,
    sentences,
    statements,
    warnings,
)

__all__ = [
    "amount_text",
    "caveat_text",
    "choice_role",
    "cost_label",
    "gate_sentences",
    "level_phrase",
    "limits_text",
    "measure_label",
    "p_text",
    "plural",
    "prior_sentences",
    "rules_of_thumb",
    "sentences",
    "sign_count_text",
    "statements",
    "tuned_score_text",
    "vectors_text",
    "warnings",
]
