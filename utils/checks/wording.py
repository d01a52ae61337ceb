"""What a verdict says, sentence by sentence: what your number is, what it should be, and why it matters.

A sentence states only what was observed. "The wrong ones are the last 37" is a fact; "you forgot the guard"
is a guess, and guesses belong to named mistakes, which are tested against the answer before they speak.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from utils.checks.compare import Difference
    from utils.checks.evidence import Trouble
    from utils.checks.gates import GateReading
    from utils.checks.verdict import GateOutcome, Outcome, Verdict

MAX_NEAR = 3
MAX_TEXT = 60


def number(value: Any) -> str:
    """Return a value as a person writes it: thousands apart, seven digits, text in quotation marks."""
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, int):
        return f"{value:,}" if abs(value) < 10**18 else f"{value:.6e}" if abs(value) < 10**300 else "a huge number"
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "infinity" if value > 0 else "-infinity"
    if isinstance(value, float):
        return f"{value:,.0f}" if value.is_integer() and abs(value) < 1e9 else f"{value:.7g}"
    if isinstance(value, complex):
        return f"{value:.7g}"
    text = repr(value)
    return text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + "…"


def points(value: float) -> str:
    """Return points without needless zeros, as in "2.5 points"."""
    shown = f"{value:.2f}".rstrip("0").rstrip(".")
    return f"{shown} point" if shown == "1" else f"{shown} points"


def headline(verdict: Verdict) -> str:
    """Return the points, and what is still to come."""
    line = f"{verdict.subject}: {points(verdict.earned).split()[0]} of {points(verdict.points)}"
    if not verdict.remaining:
        return line
    cases = "1 more case" if verdict.remaining == 1 else f"{verdict.remaining} more cases"
    return f"{line} so far. {cases} when graded, for {points(verdict.points - verdict.available)}."


def common_trouble(trouble: Trouble, verdict: Verdict) -> str:
    """Return the one sentence for what stands in the way of all cases."""
    if trouble.kind == "wrong-object":
        return trouble.message
    if trouble.line is None:
        return "Not answered yet: put your own answer in the cell above."
    inside = f" of {trouble.message}" if trouble.message not in ("", verdict.subject) else ""
    return f"Not written yet: put your code in place of line {trouble.line}{inside}, {_quoted(trouble.source)}."


def outcome_sentences(outcome: Outcome, verdict: Verdict) -> list[tuple[str, str]]:
    """Return (kind, sentence) pairs for a case that is not right."""
    pairs: list[tuple[str, str]] = [(finding.kind, finding.message) for finding in outcome.findings]
    if outcome.trouble and not (outcome.trouble.kind == "refused" and pairs):
        pairs.append(_trouble(outcome.trouble))
    first, *others = outcome.differences or (None,)
    if first is not None:
        pairs.append(("result", _difference(first, outcome.near, verdict.reveal)))
    # The inputs nearby are those of the first difference, and of no other.
    pairs += [("result", _difference(one, {}, verdict.reveal)) for one in others]
    if outcome.changed:
        names = " and ".join(outcome.changed)
        verb = "is an input" if len(outcome.changed) == 1 else "are inputs"
        pairs.append(("input changed", f"{names} {verb}, to be read only: the caller still needs the values."))
    if outcome.why:
        pairs.append(("why", outcome.why))
    return pairs


def gate_sentence(outcome: GateOutcome) -> str:
    """Return yours, ideal, gate; where it was missed also the dearest line and why the number matters."""
    if outcome.reading is None:
        return "not judged: it counts once a result is right"
    seen = outcome.reading
    limit = "or less" if outcome.gate.better == "lower" else "or more"
    numbers = f"yours {number(seen.yours)}, ideal {number(seen.ideal)}, gate {number(seen.gate)} {limit}"
    if seen.met:
        return f"{numbers} (naive {number(seen.naive)})"
    return f"{numbers} (naive {number(seen.naive)}; {seen.case}). {_dearest(seen)}{outcome.gate.why}"


def _dearest(seen: GateReading) -> str:
    if seen.line is None:
        return ""
    return f"Line {seen.line}, {_quoted(seen.source)}, costs most: {number(seen.line_value)}. "


def _trouble(trouble: Trouble) -> tuple[str, str]:
    where = "" if trouble.line is None else f"line {trouble.line}, {_quoted(trouble.source)}: "
    if trouble.kind == "not-written":
        return "not written yet", f"{where}this part is still the starter's." if where else trouble.message
    if trouble.kind == "error":
        message = f": {trouble.message}" if trouble.message else ""
        return (
            "error",
            f"{where}{trouble.error}{message}. The run ended there, so there is no answer to compare.",
        )
    if trouble.kind == "exit":
        return "exit", f"{where}this ends Python itself. A function hands its answer back with return."
    kinds = {
        "not-asked": "not run",
        "refused": "cannot run",
        "not-plain": "wrong kind",
        "wrong-object": "wrong kind",
    }
    return kinds[trouble.kind], trouble.message


def _difference(one: Difference, near: dict[str, Any], reveal: bool) -> str:
    if one.kind == "form":
        hint = " A function that ends without return gives None." if one.got == "None" else ""
        return f"{one.name} is {one.got}, expected {one.expected}.{hint}"
    yours, expected = _apart(one.got, one.expected)
    if not one.index:
        name = "" if one.name == "result" else f"{one.name}: "
        return f"{name}yours {yours}, expected {expected}." if reveal else f"{name}{_unrevealed(one, yours)}"
    where = f"[{', '.join(map(str, one.index))}]"
    values = f"yours {yours}, expected {expected}" if reveal else f"yours {yours}"
    parts = [f"{_count(one)} {where}: {values}{_near(near)}.", _size(one) if reveal else "", _pattern(one)]
    return " ".join(part for part in parts if part)


def _count(one: Difference) -> str:
    if one.total == 1:
        return f"The only element of {one.name} is wrong, at"
    if one.wrong == 1:
        return f"1 of {one.total:,} elements of {one.name} is wrong, at"
    share = f"All {one.total:,}" if one.wrong == one.total else f"{one.wrong:,} of {one.total:,}"
    return f"{share} elements of {one.name} are wrong, the first at"


def _near(near: dict[str, Any]) -> str:
    shown = [f"{name} is {number(value)}" for name, value in list(near.items())[:MAX_NEAR]]
    return f" ({', '.join(shown)})" if shown else ""


def _size(one: Difference) -> str:
    """Say how small a small error is beside what rounding explains."""
    if not isinstance(one.got, float) or not isinstance(one.expected, float | int):
        return ""
    error = abs(one.got - one.expected)
    if not 0 < error <= 0.01 * abs(one.expected):
        return ""
    return f"It is off by {error:.2g}; rounding explains {one.allowed:.2g}."


def _pattern(one: Difference) -> str:
    words = []
    if one.wrong == 1:
        words += ["It is the last one."] if one.tail else []
        words += ["It still holds what it held before."] if one.untouched else []
    else:
        share = "All" if one.nans == one.wrong else f"{one.nans:,}"
        words += [f"{share} of these are NaN."] if one.nans else []
        words += [f"The wrong ones are the last {one.wrong:,}."] if one.tail else []
        words += ["They still hold what they held before."] if one.untouched else []
    return " ".join(words)


def _unrevealed(one: Difference, yours: str) -> str:
    got, expected = one.got, one.expected
    if type(got) in (int, float) and type(expected) in (int, float) and math.isfinite(got):
        return f"yours {yours} is too {'large' if got > expected else 'small'}."
    return f"yours {yours} is not right."


def _apart(got: Any, expected: Any) -> tuple[str, str]:
    """Return both as text, with all their digits where seven do not tell them apart."""
    texts = number(got), number(expected)
    return texts if texts[0] != texts[1] else (repr(got), repr(expected))


def _quoted(source: str) -> str:
    return f"`{source.strip()}`"
