"""The README's lines print what stands below them."""

import contextlib
import io
import pathlib
import re


def test_the_lines_of_the_readme_print_what_it_says():
    readme = pathlib.Path(__file__).resolve().parents[2] / "README.md"
    block = re.search(r"```python\n(.*?)```\n\n```text\n(.*?)```", readme.read_text(), re.DOTALL)
    code, expected = block.groups()
    assert len(code.splitlines()) == 4
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, str(readme), "exec"), {})
    assert printed.getvalue() == expected
