"""One verdict as text for a terminal, and as HTML for a notebook.

Both are laid out from the same rows. As in `utils.simt.render` all styles stand inline, since an untrusted
notebook keeps nothing else, and a word stands beside every colour.
"""

from __future__ import annotations

import html
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from utils.checks import wording
from utils.simt.render import GREEN, GREY, RED, TINT, finding_html

if TYPE_CHECKING:
    from utils.checks.verdict import Outcome, Verdict

GOOD_WORDS = frozenset({"right", "met"})


@dataclass(frozen=True)
class Row:
    """One line of a verdict: a word, a title, and what there is to say about it as (kind, sentence) pairs."""

    word: str
    title: str
    said: tuple[tuple[str, str], ...] = ()


def rows(verdict: Verdict) -> list[Row]:
    """Return the rows of a verdict: its cases, its gates, what was recognised, what else to know."""
    if verdict.common:
        lines = [Row("to do", wording.common_trouble(verdict.common, verdict))]
    else:
        lines = [*_case_rows(verdict), *_gate_rows(verdict)]
        lines += [Row("hint", hint) for hint in verdict.hints]
    return lines + [Row("note", note) for note in verdict.notes]


def text(verdict: Verdict) -> str:
    """Return `verdict` as lines of text, one for each sentence."""
    lines = [wording.headline(verdict)]
    for row in rows(verdict):
        lines.append(f"  {row.word:<7} {row.title}")
        lines += [" " * 10 + (f"{kind}: {sentence}" if kind else sentence) for kind, sentence in row.said]
    return "\n".join(lines)


def html_fragment(verdict: Verdict) -> str:
    """Return `verdict` as one HTML fragment."""
    colour = GREEN if verdict.earned and verdict.earned >= verdict.available else RED
    parts = [
        '<div style="line-height:1.5">',
        f'<div><b style="color:{colour}">{html.escape(wording.headline(verdict))}</b></div>',
    ]
    for row in rows(verdict):
        parts.append(_row_html(row))
    return "".join(parts) + "</div>"


def show(verdict: Verdict, printed: Iterable[tuple[str, str]] = ()) -> None:
    """Show what the learner's code said, by case, then the verdict: in IPython as HTML, elsewhere as text."""
    spoken: dict[str, list[str]] = {}
    for case, words in printed:
        spoken.setdefault(words.rstrip("\n"), []).append(case)
    for words, cases in spoken.items():
        if words:
            print(f"Printed in {cases[0] if len(cases) == 1 else f'{len(cases)} cases'}:")
            print(textwrap.indent(words, "  "))
    shell = _ipython()
    if shell is None:
        print(verdict)
    else:
        from IPython.display import display

        display(verdict)


def _ipython() -> object | None:
    """Return the running IPython shell, without importing IPython where it is not running."""
    import sys

    module = sys.modules.get("IPython")
    return module.get_ipython() if module else None


def _case_rows(verdict: Verdict) -> list[Row]:
    told: set[tuple[str, object]] = set()
    works = any(outcome.right and not outcome.idle for outcome in verdict.outcomes)
    return [_case_row(outcome, verdict, told, works) for outcome in verdict.outcomes]


def _case_row(outcome: Outcome, verdict: Verdict, told: set[tuple[str, object]], works: bool) -> Row:
    if outcome.right:
        note = "A kernel that does nothing is right here too: this counts beside another right case."
        return Row("right", outcome.case, () if works or not outcome.idle else (("", note),))
    said: list[tuple[str, str]] = []
    here: set[tuple[str, object]] = set()
    for kind, sentence in wording.outcome_sentences(outcome, verdict):
        # One cause met in six cases is told once; the numbers of a wrong result are each case's own.
        line = _line(outcome, kind, sentence)
        cause = (kind, line or sentence)
        if cause not in here:
            again = "as above" + (f", line {line}" if line else "")
            said.append((kind, again if cause in told else sentence))
        here.add(cause)
    told |= here
    not_run = outcome.trouble is not None and outcome.trouble.kind == "not-asked"
    return Row("not run" if not_run else "wrong", outcome.case, tuple(said))


def _line(outcome: Outcome, kind: str, sentence: str) -> int | None:
    """Return the learner's line that a sentence is about."""
    lines = [finding.line for finding in outcome.findings if finding.message == sentence]
    if lines:
        return lines[0]
    is_trouble = outcome.trouble is not None and kind in ("error", "exit", "not written yet")
    return outcome.trouble.line if outcome.trouble and is_trouble else None


def _gate_rows(verdict: Verdict) -> Sequence[Row]:
    return [
        Row(
            "met" if outcome.met else "missed" if outcome.reading else "gate",
            f"{outcome.gate.name} ({wording.points(outcome.gate.points)})",
            (("", wording.gate_sentence(outcome)),),
        )
        for outcome in verdict.gates
    ]


def _row_html(row: Row) -> str:
    colour = GREEN if row.word in GOOD_WORDS else RED if row.word in ("wrong", "missed") else GREY
    style = f"color:{colour};display:inline-block;min-width:4.5em"
    head = f'<b style="{style}">{row.word}</b>{html.escape(row.title)}'
    if row.word == "hint":
        head = f'<div style="background:{TINT};padding:3px 10px"><b>hint</b> {html.escape(row.title)}</div>'
    lines = [
        finding_html(kind, sentence)
        if kind
        else f'<div style="margin-left:4.5em;color:{GREY}">{html.escape(sentence)}</div>'
        for kind, sentence in row.said
    ]
    return f"<div>{head}{''.join(lines)}</div>"
