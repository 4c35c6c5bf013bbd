"""Advice on which trial to ship: typed decisions, and the sentences for them.

`advise` decides, `wording` writes the sentences, `record` makes the form for results.json. The
package does not depend on files, terminals or pages.
"""

from bench.advice.advice import Advice, advise
from bench.advice.record import advice_record
from bench.advice.trades import is_much_faster
from bench.advice.wording import (
    Line,
    amount_text,
    capitalised,
    caveat_text,
    choice_role,
    configuration_text,
    ending_lines,
    explains_mark,
    gate_sentences,
    language_label,
    measure_label,
    p_text,
    plural,
    prior_sentences,
    rules_of_thumb,
    score_text,
    seconds_text,
    sentences,
    short_number,
    sign_count_text,
    tuned_score_text,
    vectors_text,
)

__all__ = [
    "Advice",
    "Line",
    "advice_record",
    "advise",
    "amount_text",
    "capitalised",
    "caveat_text",
    "choice_role",
    "configuration_text",
    "ending_lines",
    "explains_mark",
    "gate_sentences",
    "is_much_faster",
    "language_label",
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
    "tuned_score_text",
    "vectors_text",
]
