"""Is there one form for one notebook, whoever saved it and when?"""

import json

import nbformat.v4 as v4
import pytest

from utils.grading.canonical import canonical, main


def saved(**metadata):
    """Make a notebook as a program saves it, with things that change from run to run."""
    output = v4.new_output("stream", name="stdout", text="1\n")
    code = v4.new_code_cell("print(1)  \n", id="code", execution_count=3, outputs=[output], metadata=metadata)
    notebook = v4.new_notebook(cells=[v4.new_markdown_cell("# Title", id="title"), code])
    kernel = {"name": "mine", "display_name": "Mine"}
    notebook.metadata = {"language_info": {"name": "python", "version": "3.13.9"}, "kernelspec": kernel}
    return notebook


@pytest.mark.parametrize("keep_outputs", [True, False])
def test_canonical_form_is_a_fixed_point(keep_outputs):
    once = canonical(v4.writes(saved()), keep_outputs)
    assert canonical(once, keep_outputs) == once
    assert once.endswith("}\n") and not once.endswith("\n\n")


def test_what_changes_from_run_to_run_is_left_out():
    noisy = saved(collapsed=False, execution={"iopub.status.busy": "2026"}, tags=["nbval-check-output"])
    form = json.loads(canonical(v4.writes(noisy), keep_outputs=False))
    assert form["metadata"]["language_info"] == {"name": "python"}
    assert form["cells"][1]["metadata"] == {"tags": ["nbval-check-output"]}
    assert form["cells"][1]["source"] == ["print(1)"]


def test_outputs_are_kept_for_a_lesson_only():
    lesson, blank = (json.loads(canonical(v4.writes(saved()), keep)) for keep in (True, False))
    assert lesson["cells"][1]["outputs"] and lesson["cells"][1]["execution_count"] == 3
    assert blank["cells"][1]["outputs"] == [] and blank["cells"][1]["execution_count"] is None


def test_cell_ids_stay_and_a_missing_one_is_refused():
    notebook = saved()
    form = json.loads(canonical(v4.writes(notebook), True))
    assert [cell["id"] for cell in form["cells"]] == ["title", "code"]
    del notebook.cells[0]["id"]
    with pytest.raises(ValueError, match="no id"):
        canonical(json.dumps(notebook), True)
    notebook.cells[0]["id"] = "code"
    with pytest.raises(ValueError, match="no id"):
        canonical(json.dumps(notebook), True)


def test_the_command_names_what_differs_and_mends_it(tmp_path, capsys):
    lesson = tmp_path / "course" / "00_a.ipynb"
    lesson.parent.mkdir()
    lesson.write_text(v4.writes(saved()))
    assert main(["--project", str(tmp_path)]) == 1
    assert "not canonical: course/00_a.ipynb" in capsys.readouterr().out
    assert main(["--project", str(tmp_path), "--fix"]) == 0
    assert main(["--project", str(tmp_path)]) == 0
