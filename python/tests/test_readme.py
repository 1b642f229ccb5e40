"""The Python blocks of README.md and of the guide print what the text below them says."""

import contextlib
import io
import pathlib
import re

import pytest

TREE = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", re.DOTALL)
PAGES = [page for page in [TREE / "README.md", *sorted((TREE / "docs/guide").glob("*.md"))]
         if BLOCK.search(page.read_text())]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_python_blocks_print_what_the_page_says(page, monkeypatch):
    monkeypatch.chdir(TREE)
    blocks = BLOCK.findall(page.read_text())
    if any("import torch" in code for code, _ in blocks):
        pytest.importorskip("torch")
    names = {}
    for code, expected in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, str(page), "exec"), names)
        assert printed.getvalue() == expected


def test_python_takes_four_lines_in_the_readme():
    code, _ = BLOCK.search((TREE / "README.md").read_text()).groups()
    assert len(code.splitlines()) == 4
