"""All sentences about scores and choices. Nothing is computed or decided here."""

from bench.advice.wording.ending import Line, ending_lines, explains_mark
from bench.advice.wording.gate import gate_sentences
from bench.advice.wording.phrases import (
    amount_text,
    capitalised,
    caveat_text,
    cost_label,
    language_label,
    level_phrase,
    measure_label,
    p_text,
    rules_of_thumb,
    score_text,
    seconds_text,
    short_number,
    sign_count_text,
    tuned_score_text,
    vectors_text,
)
from bench.advice.wording.plain import configuration_text
from bench.advice.wording.prior import prior_sentences
from bench.advice.wording.study import (
    choice_role,
    limits_text,
    sentences,
    statements,
    warnings,
)
from bench.printable import plural

__all__ = [
    "Line",
    "amount_text",
    "capitalised",
    "caveat_text",
    "choice_role",
    "configuration_text",
    "cost_label",
    "ending_lines",
    "explains_mark",
    "gate_sentences",
    "language_label",
    "level_phrase",
    "limits_text",
    "measure_label",
    "p_text",
    "plural",
    "prior_sentences",
    "rules_of_thumb",
    "score_text",
    "seconds_text",
    "sentences",
    "short_number",
    "sign_count_text",
    "statements",
    "tuned_score_text",
    "vectors_text",
    "warnings",
]
