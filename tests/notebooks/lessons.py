"""What is wrong with a stored lesson: each function returns sentences, none if all is well."""

import re
from pathlib import Path
from urllib.parse import unquote

LONGEST_CELL = 25
LARGEST_FILE = 500_000
PROSE = range(600, 1801)

MACHINE_PATH = re.compile(r"(?:/home/|/root/|/Users/|/tmp/|/var/folders/|[A-Z]:\\\\?Users)[\w./\\-]*")
MARKDOWN_LINK = re.compile(r"(?<!`)\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?([^)\s>]+)>?[^)]*\)")
HTML_LINK = re.compile(r"""<(?:a|img)\b[^>]*?\b(?:href|src)=["']([^"']+)["']""")


def code_cells(notebook):
    """Return the code cells, each with its place among them from 1."""
    return list(enumerate((cell for cell in notebook.cells if cell.cell_type == "code"), 1))


def long_cells(notebook):
    """Name code cells of more than 25 lines."""
    lengths = [(number, len(cell.source.splitlines())) for number, cell in code_cells(notebook)]
    return [f"code cell {n} has {length} lines" for n, length in lengths if length > LONGEST_CELL]


def stale_outputs(notebook):
    """Say where the stored outputs are not those of one run from the top."""
    counts = [cell.execution_count for _, cell in code_cells(notebook)]
    if not any(cell.outputs for _, cell in code_cells(notebook)):
        return ["no outputs are stored"]
    if counts != list(range(1, len(counts) + 1)):
        return [f"execution counts are {counts}: run the lesson from the top and save it"]
    return []


def stored_failures(notebook):
    """Name cells with a stored error, or text on stderr."""
    found = []
    for number, cell in code_cells(notebook):
        for output in cell.outputs:
            if output.output_type == "error":
                found.append(f"code cell {number} stores an error: {output.ename}: {output.evalue}")
            if output.get("name") == "stderr":
                found.append(f"code cell {number} stores text on stderr: {output.text[:80]}")
    return found


def figures_without_words(notebook):
    """Name figures that have no alternative text, in outputs and in Markdown."""
    found = []
    for number, cell in code_cells(notebook):
        for output in cell.outputs:
            data, metadata = output.get("data", {}), output.get("metadata", {})
            for kind in (kind for kind in data if kind.startswith("image/")):
                words = metadata.get(kind, {}).get("alt") or metadata.get("alt") or cell.metadata.get("alt")
                if not words:
                    found.append(f"a figure of code cell {number} has no alternative text")
            found += _images_without_alt(data.get("text/html", ""), f"code cell {number}")
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            found += _images_without_alt(cell.source, "a Markdown cell")
            found += ["a picture in Markdown has no words"] * len(re.findall(r"!\[\s*\]\(", cell.source))
    return found


def _images_without_alt(markup, where):
    wordless = [i for i in re.findall(r"<img\b[^>]*>", markup) if not re.search(r"""\balt=["'][^"']""", i)]
    return [f"an <img> of {where} has no alt"] * len(wordless)


def machine_paths(text):
    """Name paths that mean something on one machine only."""
    return [f"a path of one machine: {found}" for found in MACHINE_PATH.findall(text)]


def prose_length(notebook):
    """Say if a lesson has fewer than 600 or more than 1,800 words outside its code."""
    prose = " ".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    words = len(re.findall(r"[^\W\d_][\w'-]*", re.sub(r"```.*?```|\$[^$]*\$", " ", prose, flags=re.DOTALL)))
    return [] if words in PROSE else [f"{words} words of prose: 600 to 1,800 is the rule"]


def compares_nothing(notebook):
    """Say if no cell asks nbval to compare its output with what is stored."""
    for _, cell in code_cells(notebook):
        if "nbval-check-output" in cell.metadata.get("tags", []) or "NBVAL_CHECK_OUTPUT" in cell.source:
            return []
    return ["no cell carries the tag nbval-check-output: its numbers may drift unseen"]


def broken_links(markdown, folder: Path):
    """Name local links of a Markdown text in `folder` that lead nowhere; the web is not asked."""
    without_code = re.sub(r"```.*?```|`[^`\n]*`", "", markdown, flags=re.DOTALL)
    found = []
    for target in MARKDOWN_LINK.findall(without_code) + HTML_LINK.findall(without_code):
        path = unquote(target.split("#")[0])
        if not path or re.match(r"[a-z]+:", path):
            continue
        if path.startswith("/") or not (folder / path).exists():
            found.append(f"a link leads nowhere: {target}")
    return found
