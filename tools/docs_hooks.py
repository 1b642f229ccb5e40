"""Hooks of mkdocs.yml: pages that live outside docs/, links that leave it, and a script that would.

README.md is the home page, and a few other files of the tree are pages too. A link is written as it works
in the tree; here it is pointed at the page of the site. A link to a file that has no page keeps its words
and loses its address. One to a file that does not exist is a warning, which --strict makes an error.
"""

import logging
import pathlib
import posixpath
import re

from mkdocs.structure.files import File

TREE = pathlib.Path(__file__).resolve().parent.parent
PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "bench/paper/README.md": "paper-experiments.md",
}
SOURCES = {page: source for source, page in PAGES.items()}
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s#:]+)(#[^)\s]*)?\)")

log = logging.getLogger("mkdocs.hooks.slm")

# What the offline search would load from the network, and what it loads instead.
WORKER = re.compile(r'src="https://[^"]*/iframe-worker/shim"')


def on_files(files, config):
    for source, page in PAGES.items():
        files.append(File.generated(config, page, content=(TREE / source).read_text()))
    return files


def on_page_markdown(markdown, page, **_):
    uri = page.file.src_uri
    source = SOURCES.get(uri, "docs/" + uri)

    def point(match):
        image, words, address, anchor = match.groups()
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), address))
        if not (TREE / target).exists():
            log.warning("%s links to %s, which does not exist", source, target)
        if target not in PAGES and not target.startswith("docs/"):
            return words
        there = PAGES.get(target, target.removeprefix("docs/"))
        return f"{image}[{words}]({posixpath.relpath(there, posixpath.dirname(uri) or '.')}{anchor or ''})"

    # Links inside code are not links.
    parts = re.split(r"(```.*?```|`[^`\n]*`(?!\]))", markdown, flags=re.DOTALL)
    return "".join(part if i % 2 else LINK.sub(point, part) for i, part in enumerate(parts))


def on_post_page(output, page, **_):
    worker = posixpath.relpath("assets/worker.js", posixpath.dirname(page.file.src_uri) or ".")
    return WORKER.sub(f'src="{worker}"', output)


def on_post_template(output_content, **_):
    return WORKER.sub('src="assets/worker.js"', output_content)
