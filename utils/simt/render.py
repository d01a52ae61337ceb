"""A report as text for a terminal, and as HTML for a notebook.

An untrusted notebook's stored output keeps inline styles, tables and ``<details>`` and loses style sheets and
scripts, so every rule stands inline, in mid-tone colours that read on a light and on a dark page, and a word stands
beside each colour.
"""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from utils.simt.report import Report, Site

GREEN, RED, GREY = "#1a7f37", "#c4432b", "#808080"
TINT = "rgba(196, 67, 43, .12)"
CELL = "padding:2px 10px;text-align:right"


def report_text(report: Report) -> str:
    """Return `report` as lines of text, at most 110 columns where the kernel's own source allows."""
    lines = [_headline(report)]
    lines += [f"  {finding.kind}: {finding.message}" for finding in report.findings]
    rows = [row for site in report.sites if (row := _site_row(site))]
    if rows:
        lines.append("")
        lines += _aligned([("line", "access", "", "requests", "per request", "efficiency"), *rows])
    if footer := _footer(report):
        lines += ["", footer]
    lines += [f"  note: {note}" for note in report.notes]
    return "\n".join(lines)


def report_html(report: Report) -> str:
    """Return `report` as one HTML fragment: the verdict, the marked source lines, the table of accesses."""
    colour = GREEN if report.ok else RED
    parts = [f'<div style="line-height:1.45"><b style="color:{colour}">{html.escape(_headline(report))}</b>']
    parts += [finding_html(finding.kind, finding.message) for finding in report.findings]
    if report.findings and report.code:
        parts.append(_marked_source(report))
    rows = [row for site in report.sites if (row := _site_row(site))]
    if rows:
        head = "".join(
            f'<th style="{CELL}">{name}</th>'
            for name in ("line", "access", "kind", "requests", "per request", "efficiency")
        )
        body = "".join(
            "<tr>" + "".join(f'<td style="{CELL}">{html.escape(str(cell))}</td>' for cell in row) + "</tr>"
            for row in rows
        )
        parts.append(f'<table style="border-collapse:collapse;margin:6px 0"><tr>{head}</tr>{body}</table>')
    if footer := _footer(report):
        parts.append(f'<div style="color:{GREY}">{html.escape(footer)}</div>')
    parts += [f'<div style="color:{GREY}">note: {html.escape(note)}</div>' for note in report.notes]
    return "".join(parts) + "</div>"


def finding_html(kind: str, message: str) -> str:
    """Return one finding as a tinted line."""
    return (
        f'<div style="background:{TINT};border-left:4px solid {RED};padding:3px 10px;margin:4px 0">'
        f"<b>{html.escape(kind)}</b> {html.escape(message)}</div>"
    )


def _headline(report: Report) -> str:
    count = len(report.findings)
    verdict = "no findings" if count == 0 else "1 finding" if count == 1 else f"{count} findings"
    return f"{report.kernel}[{_dims(report.grid)}, {_dims(report.block)}]: {verdict}"


def _dims(dim: tuple[int, int, int]) -> str:
    shown = dim if dim[2] > 1 else dim[:2] if dim[1] > 1 else dim[:1]
    return str(shown[0]) if len(shown) == 1 else f"({', '.join(map(str, shown))})"


def _site_row(site: Site) -> tuple[str, ...] | None:
    head = (str(site.line), site.source, f"{site.space} {site.op}", f"{site.requests:,}")
    if site.space == "global" and site.requests:
        return (*head, _count(site.sectors_per_request, "sector"), _percent(site.efficiency))
    if site.space == "shared" and site.requests:
        return (*head, _count(site.wavefronts / site.requests, "wavefront"), _percent(1 / site.conflict_degree))
    return None


def _percent(fraction: float) -> str:
    return f"{100 * fraction:.3g} %"


def _count(number: float, word: str) -> str:
    return f"{number:.4g} {word}" if number == 1 else f"{number:.4g} {word}s"


def _aligned(rows: list[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    left = (1, 2)
    return [
        "  "
        + "  ".join(c.ljust(w) if i in left else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True)))
        for row in rows
    ]


def _footer(report: Report) -> str:
    if not report.warp_statements:  # nothing ran, or nobody counted
        return ""
    words = [f"active lanes per warp {report.active_lanes_per_warp:.1f} of 32"]
    words.append(f"branch efficiency {_percent(report.branch_efficiency)}")
    if report.barriers:
        words.append(f"barriers per block {report.barriers}")
    if report.global_atomics:
        words.append(f"global atomics {report.global_atomics:,}")
    if report.shared_atomics:
        words.append(f"shared atomics {report.shared_atomics:,}")
    if report.engine == "scalar":
        words.append(f"scalar engine, counters approximate ({report.why})")
    return " · ".join(words)


def marked_text(report: Report) -> str:
    """Return the kernel's source with line numbers, the lines of findings marked."""
    marked = _marked_lines(report)
    numbered = enumerate(report.code.splitlines(), report.first_line)
    return "\n".join(f"{'->' if number in marked else '  '} {number:4d}  {text}" for number, text in numbered)


def _marked_lines(report: Report) -> set[int]:
    others = {finding.other[0] for finding in report.findings if finding.other}
    return {finding.line for finding in report.findings} | others


def _marked_source(report: Report) -> str:
    marked = _marked_lines(report)
    rows = []
    for number, text in enumerate(report.code.splitlines(), report.first_line):
        style = f"background:{TINT};font-weight:bold" if number in marked else ""
        sign = "▶" if number in marked else " "
        rows.append(f'<div style="{style}">{sign}{number:4d}  {html.escape(text)}</div>')
    return f'<pre style="margin:6px 0;line-height:1.35;font-family:monospace">{"".join(rows)}</pre>'
