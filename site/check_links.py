"""Checks the pages of a built site. usage: check_links.py FOLDER

Each link to another page must lead to a file that exists, and to an anchor in it. Pages must load nothing from other servers.
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {("script", "src"), ("link", "href"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("object", "data")}
KINDS_OF_LINKS = {"stylesheet", "icon", "preload"}


class Page(HTMLParser):
    """The links and the anchors of a page, and what it loads, such as images and scripts."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = {"", "top"}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        for name in ("href", "src", "data"):
            if name not in given:
                continue
            if (tag, name) in LOADED and (tag != "link" or KINDS_OF_LINKS & set(given.get("rel", "").split())):
                self.loaded.append(given[name])
            if (tag, name) in LOADED or tag == "a":
                self.links.append(given[name])


def problems(folder: Path) -> list[str]:
    pages = {path: Page(path) for path in sorted(folder.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        if path.name == "404.html":  # links in this page start at the root of a server
            continue
        where = path.relative_to(folder)
        found += [
            f"{where}: loads {link}"
            for link in page.loaded
            if urlsplit(link).scheme in ("http", "https") or link.startswith("//")
        ]
        for link in dict.fromkeys(page.links):
            parts = urlsplit(link)
            if parts.scheme or link.startswith("//"):
                continue
            to = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if to.is_dir():
                to /= "index.html"
            if not to.is_file():
                found.append(f"{where}: {link} is not there")
            elif to in pages and unquote(parts.fragment) not in pages[to].anchors and not parts.fragment.startswith("__"):
                found.append(f"{where}: {link} has no such anchor")
    return found


if __name__ == "__main__":
    folder = Path(sys.argv[1]).resolve()
    wrong = problems(folder)
    print("\n".join(wrong[:200]))
    print(f"{len(list(folder.rglob('*.html')))} pages, {len(wrong)} broken links")
    sys.exit(1 if wrong else 0)
