"""Hooks of MkDocs that add pages to those of docs/: pages that other programs wrote, and files that pages link to.

The pages of docs/ are written for the repository, where a link may lead to any file. On the site, such a file becomes a page
below source/ that shows its text. A folder becomes a page with the text of its README.md and a list of its files.
"""

import ast
import json
import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
GENERATED = ROOT / "build/docs-pages"  # written by operation_pages.py, Doxygen and TypeDoc
LANGUAGES = {
    ".cmake": "cmake", ".cpp": "cpp", ".h": "cpp", ".hpp": "cpp", ".mm": "objective-c", ".js": "js", ".mjs": "js",
    ".json": "json", ".py": "python", ".go": "go", ".cs": "csharp", ".sh": "sh", ".proto": "protobuf",
}  # fmt: skip
DOWNLOADS = {".png", ".jpg", ".svg", ".wav", ".safetensors", ".webnn", ".onnx", ".html"}
# These scripts come with the site. Otherwise the theme would load them from a content delivery network.
SCRIPTS = {"mermaid.js": "@mermaid-js/tiny/dist/mermaid.tiny.js", "iframe_worker.js": "iframe-worker/shim/index.js"}
# Rank these pages higher, so that a search for the words of a message finds its cause.
BOOSTED = {"reference/troubleshooting.md": 4, "reference/errors.md": 2}
DIRECTORIES = {"Tutorials": "tutorials", "Guides": "guides", "Reference": "reference", "Explanation": "explanation"}
# All pages were once in one directory. MOVED lists the pages that moved, by their present directory, so that old addresses lead to
# them. Some tutorials also got new names: RENAMED has the old name of each, with the new name as the key.
RENAMED = {name: f"tutorial_{name}" for name in ("onnxruntime", "operation", "page", "training")}
MOVED = {
    "tutorials": "onnxruntime operation page start_cli start_cpp start_node training",
    "guides": "add_an_operation arm bench coreml node_wpt onnxruntime openvino other_systems packages placement random_graphs ray service "
    "view web web_tests",
    "reference": "c cpp dependencies errors formats layout limits node onnx performance python python_examples serialization "
    "specification_notes status troubleshooting web_performance",
    "explanation": "architecture cpu security service_ports",
}
LINK = re.compile(r"(\]\(|<img src=\")([^)\s\"]+)(\)|\")")
NAMED = re.compile(r"\[[\w./-]+\.md\]\(([^)\s]*\.md)\)")  # a link whose text is the name of a page
FENCE = re.compile(r"^(`{3,}).*?^\1`*$", re.MULTILINE | re.DOTALL)


def without_code(text: str, change: Any) -> str:
    """Applies `change` to the text outside of code blocks."""
    parts, end = [], 0
    for block in FENCE.finditer(text):
        parts += [change(text[end : block.start()]), block.group()]
        end = block.end()
    return "".join(parts) + change(text[end:])


def target(origin: str, link: str) -> tuple[str, str] | None:
    """Returns the path in the repository that a link in the file `origin` leads to, and the anchor. None: it leads elsewhere."""
    path, _, anchor = link.partition("#")
    if not path or re.match(r"[a-z]+:", path):
        return None
    return posixpath.normpath(posixpath.join(posixpath.dirname(origin), path)), anchor


def page_of(path: str) -> str:
    """Returns the page or file of the site that shows a path of the repository."""
    if path == "docs/reference/ops.md":
        return "operations/index.md"
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    if (ROOT / path).is_dir():
        return f"source/{path}/index.md"
    if Path(path).suffix == ".md":
        return f"source/{path}"
    return f"source/{path}" if Path(path).suffix in DOWNLOADS else f"source/{path}.md"


def rewritten(text: str, origin: str, uri: str) -> str:
    """Returns the text of the file `origin` for the page `uri`: links to files of the repository become links to pages of the
    site."""

    def link(found: re.Match[str]) -> str:
        to = target(origin, found[2])
        if to is None:
            return found[0]
        path, anchor = to
        page = f"operations/{anchor}.md" if path == "docs/reference/ops.md" and anchor else page_of(path)
        anchor = "" if path == "docs/reference/ops.md" else anchor
        saved = "{ download }" if Path(page).suffix in (".webnn", ".safetensors", ".onnx") else ""
        return (
            found[1]
            + posixpath.relpath(page, posixpath.dirname(uri) or ".")
            + (f"#{anchor}" if anchor else "")
            + found[3]
            + saved
        )

    def name(found: re.Match[str]) -> str:
        to = target(origin, found[1])
        page = ROOT / to[0] if to else None
        return f"[{title(page)}]({found[1]})" if page is not None and page.is_file() else found[0]

    return without_code(text, lambda prose: LINK.sub(link, NAMED.sub(name, prose)))


def title(page: Path) -> str:
    return page.read_text(encoding="utf-8").split("\n", 1)[0].removeprefix("# ")


def linked(text: str, origin: str) -> list[str]:
    """Returns the paths outside of docs/ that a file links to."""
    found: list[str] = []
    without_code(text, lambda prose: found.extend(match[2] for match in LINK.finditer(prose)) or prose)
    paths = [to[0] for link in found if (to := target(origin, link))]
    return [path for path in paths if not path.startswith("docs/") and (ROOT / path).exists()]


HIDDEN = "---\nsearch:\n  exclude: true\n---\n"


def source_page(path: str) -> str:
    """Returns the page that shows a file or a folder of the repository."""
    full = ROOT / path
    if full.is_dir():
        readme = full / "README.md"
        text = (
            rewritten(readme.read_text(encoding="utf-8"), f"{path}/README.md", page_of(path))
            if readme.exists()
            else f"# {path}\n"
        )
        files = [file.name for file in sorted(full.iterdir()) if file.is_file() and file.name != "README.md"]
        return HIDDEN + text + f"\n## The files of `{path}`\n\n" + "".join(f"- `{name}`\n" for name in files)
    text = full.read_text(encoding="utf-8")
    if full.suffix == ".md":
        return HIDDEN + rewritten(text, path, page_of(path))
    return f"{HIDDEN}# {full.name}\n\n`{path}` in the repository.\n\n``````{LANGUAGES.get(full.suffix, 'text')}\n{text}\n``````\n"


def add_sources(files: Files, config: MkDocsConfig) -> None:
    wanted = [
        path
        for page in sorted((ROOT / "docs").rglob("*.md"))
        for path in linked(page.read_text(encoding="utf-8"), page.relative_to(ROOT).as_posix())
    ]
    done: set[str] = set()
    while wanted:
        path = wanted.pop()
        if path in done or path == ".":
            continue
        done.add(path)
        uri, full = page_of(path), ROOT / path
        if full.is_dir():
            readme = full / "README.md"
            wanted += linked(readme.read_text(encoding="utf-8"), f"{path}/README.md") if readme.exists() else []
        elif full.suffix == ".md":
            wanted += linked(full.read_text(encoding="utf-8"), path)
        if uri.endswith(".md"):
            files.append(File.generated(config, uri, content=source_page(path)))
        else:
            files.append(File.generated(config, uri, abs_src_path=str(full)))


def pages_in(directory: str) -> list[str]:
    """Returns the pages of a directory of docs/, sorted by their titles."""
    pages = sorted((ROOT / "docs" / directory).glob("*.md"), key=title)
    return [f"{directory}/{page.name}" for page in pages if page.name != "ops.md"]


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Fills the navigation with the pages of the four directories, and with the pages of the operations, grouped by family."""
    assert config.nav is not None
    for entry in config.nav:
        (name,) = entry
        if name in DIRECTORIES:
            entry[name] = pages_in(DIRECTORIES[name])
        elif name == "Operations":
            entry[name] = json.loads((GENERATED / "operations/nav.json").read_text(encoding="utf-8"))
    return config


def on_post_build(config: MkDocsConfig) -> None:
    """Writes, for each old address, a page that leads to the new one."""
    for directory, names in MOVED.items():
        for name in names.split():
            old = RENAMED.get(name, name) if directory == "tutorials" else name
            to = f"{directory}/{name}.html"
            assert Path(config.site_dir, to).is_file(), to
            page = f'<!doctype html><title>Moved</title><meta http-equiv="refresh" content="0; url={to}"><a href="{to}">{to}</a>\n'
            Path(config.site_dir, f"{old}.html").write_text(page, encoding="utf-8")


def python_page() -> str:
    """Returns the reference page of the Python package. It names every public name; mkdocstrings inserts the documentation."""
    module = ast.parse((ROOT / "bindings/python/src/webnn/__init__.py").read_text(encoding="utf-8"))
    (names,) = (
        ast.literal_eval(node.value)
        for node in module.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets) == "__all__"
    )
    head = "# Python: the package `webnn`\n\n[How to use it](../reference/python.md), and its [operations](../operations/index.md).\n\n"
    return head + "".join(f"::: webnn.{name}\n\n" for name in names)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    add_sources(files, config)
    for folder in (GENERATED, ROOT / "site/pages"):
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            files.append(File.generated(config, path.relative_to(folder).as_posix(), abs_src_path=str(path)))
    files.append(File.generated(config, "api/python.md", content=python_page()))
    for name in ("favicon.svg", "search.js", "site.css"):
        files.append(File.generated(config, f"assets/{name}", abs_src_path=str(ROOT / "site/assets" / name)))
    for name, path in SCRIPTS.items():
        files.append(File.generated(config, f"assets/{name}", abs_src_path=str(ROOT / "site/node_modules" / path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Rewrites the links of pages that come from docs/. Generated pages already link to pages of the site."""
    if page.file.src_uri in BOOSTED:
        page.meta["search"] = {"boost": BOOSTED[page.file.src_uri]}
    source = page.file.abs_src_path
    if page.file.generated_by is None and source is not None:
        return rewritten(markdown, f"docs/{page.file.src_uri}", page.file.src_uri)
    return markdown


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    shim = posixpath.relpath("assets/iframe_worker.js", posixpath.dirname(page.url) or ".")
    return output.replace("https://unpkg.com/iframe-worker/shim", shim)
