#!/usr/bin/env python3
"""Follows the instructions of docs/guides/add_an_operation.md, as a reader would.

usage: first_change.py [FOLDER]

The line before a block of code on the page says where the block goes:

    `FILE`, before `TEXT`:          above the only line of FILE that contains TEXT
    `FILE`, after `TEXT`:           below that line
    `FILE`, in place of `TEXT`:     instead of that line
    `FILE`, a new file:

A block of sh without such a line is run. A block after a line that ends in "print:" or "prints:" is the expected output of the
commands before it. Without FOLDER, the program only checks that each block has its place. With FOLDER, the tree is copied there
and changed, and the commands run in it. Unchanged files keep their times, so that a second run builds little."""
import pathlib
import re
import subprocess
import sys
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = 'docs/guides/add_an_operation.md'
PLACE = re.compile(r'`([^`]+)`, (?:(before|after|in place of) `([^`]+)`|(a new file)):')


class Stuck(Exception):
    """A step of the page cannot be followed."""


@dataclass
class Block:
    step: str
    language: str
    lead: str  # the line of text before the block
    text: str

    @property
    def is_command(self):
        return self.language == 'sh' and not PLACE.fullmatch(self.lead)

    @property
    def is_output(self):
        return self.lead.endswith(('print:', 'prints:'))


def blocks_of(page):
    step, lead, block = '', '', None
    for line in page.splitlines():
        if block:
            if line == '```':
                yield block
                lead, block = '', None
            else:
                block.text += line + '\n'
        elif line.startswith('```'):
            block = Block(step, line[3:], lead, '')
        elif line.startswith('## '):
            step = line[3:]
        elif line:
            lead = line


def edit(block, read):
    """Returns the path of the file that `block` changes, and the file's new text. read(path) returns the text before."""
    place = PLACE.fullmatch(block.lead)
    if not place:
        raise Stuck(f'the block after "{block.lead}" does not say where it goes')
    path, where, anchor, is_new = place.groups()
    text = read(path)
    if is_new:
        if text is not None:
            raise Stuck(f'{path} is there already')
        return path, block.text
    if text is None:
        raise Stuck(f'there is no file {path}')
    lines = text.splitlines(keepends=True)
    found = [number for number, line in enumerate(lines) if anchor in line]
    if len(found) != 1:
        raise Stuck(f'{len(found)} lines of {path} hold `{anchor}`, not one')
    begin = found[0] + (where == 'after')
    lines[begin:begin + (where == 'in place of')] = [block.text]
    return path, ''.join(lines)


def changes(blocks):
    """Returns {path: new text} of the files that the blocks change."""
    changed = {}

    def read(path):
        if path not in changed and not (ROOT / path).is_file():
            return None
        return changed.get(path) or (ROOT / path).read_text(encoding='utf-8')

    for block in blocks:
        if not block.is_command and not block.is_output:
            try:
                path, text = edit(block, read)
            except Stuck as stuck:
                raise Stuck(f'{block.step}: {stuck}') from None
            changed[path] = text
    return changed


def write(path, data, like=None):
    """Writes `data`, unless the file has it already: the file then keeps its time. `like`: the file whose mode is copied."""
    if path.is_file() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    if like:
        path.chmod(like.stat().st_mode)


def copy(folder, changed):
    listed = subprocess.run(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], cwd=ROOT,
                            capture_output=True, text=True, check=True).stdout
    files = {path for path in listed.split('\0') if path and (ROOT / path).is_file()}
    for path in sorted(files - changed.keys()):
        write(folder / path, (ROOT / path).read_bytes(), ROOT / path)
    for path, text in changed.items():
        write(folder / path, text.encode())
    for path in folder.rglob('*'):  # removes files that the tree no longer has
        inside = path.relative_to(folder)
        if path.is_file() and inside.parts[0] != 'build' and inside.as_posix() not in files | changed.keys():
            path.unlink()


def run(block, folder):
    """Runs the commands of `block`; returns their output. Raises Stuck if one fails."""
    result = subprocess.run(['bash', '-e', '-o', 'pipefail', '-c', block.text], cwd=folder, stdout=subprocess.PIPE, text=True,
                            check=False)
    if result.returncode:
        raise Stuck(f'{block.step}: exit status {result.returncode} of\n{block.text}{result.stdout[-4000:]}')
    return result.stdout


def follow(blocks, folder):
    printed = ''
    for block in blocks:
        if block.is_command:
            print(f'first_change: {block.step}', flush=True)
            printed = run(block, folder)
        elif block.is_output and printed != block.text:
            raise Stuck(f'{block.step}: what is printed is\n{printed}not\n{block.text}')


def compile_rest(changed, folder):
    """Builds the changed tests that the page's commands have not built."""
    print('first_change: the other tests that it changes', flush=True)
    targets = {f'test_{path.split("/")[1]}' for path in changed if path.startswith('tests/') and path.endswith('.cpp')}
    if targets:
        run(Block('tests', 'sh', '', f'cmake --build --preset release --target {" ".join(sorted(targets))}\n'), folder)


def main():
    if len(sys.argv) > 2:
        sys.exit(__doc__)
    blocks = list(blocks_of((ROOT / PAGE).read_text(encoding='utf-8')))
    try:
        changed = changes(blocks)
        if len(sys.argv) == 2:
            folder = pathlib.Path(sys.argv[1]).resolve()
            copy(folder, changed)
            follow(blocks, folder)
            compile_rest(changed, folder)
    except Stuck as stuck:
        sys.exit(f'{PAGE}: {stuck}')


if __name__ == '__main__':
    main()
