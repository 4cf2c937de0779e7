#!/usr/bin/env python3
"""Fails if a source file has more than 800 lines, a C++ function more than 80 or a C++ class more than 200, if a directory holds
more than 40 files, or if README.md has more than 120 lines; prints them.

Only tracked files count, and only those directly in the directory. Directories without source files, such as docs/guides and the
corpora of fuzz/, are exempt.

Classes of include/ are exempt: GraphBuilder is the public API, with a method for each operation. A class is counted
from its opening brace. A function is a block that opens at the end of a line which is indented less than its body and
holds a ')' before the brace, outside of namespaces, classes and enums; brace matching skips comments and literals."""
import collections
import math
import pathlib
import re
import subprocess
import sys

FILE_LIMIT = 800
FUNCTION_LIMIT = 80
CLASS_LIMIT = 200
DIRECTORY_LIMIT = 40
README_LIMIT = 120
MEASURED = ('.h', '.hpp', '.cpp', '.mm', '.py', '.sh', '.cmake')  # suffixes of the files whose lines are counted
SOURCES = (*MEASURED, '.c', '.capnp', '.cs', '.cjs', '.go', '.js', '.mjs', '.rs', '.ts')
LITERALS = re.compile(r'//.*|/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'')
RAW_STRING = re.compile(r'R"(\w*)\(.*?\)\1"')
RAW_START = re.compile(r'R"(\w*)\(')
NOT_FUNCTIONS = re.compile(r'^\s*(namespace|class|struct|enum|union|extern|using)\b|^\s*\}?\s*(else|do|try)\b|=\s*\{')
# Matches a statement that ends in the head of a class or struct, with its bases if it has any.
CLASS = re.compile(r'(?<!\benum )\b(class|struct)\b(\s+alignas\([^()]*\)|\s*\[\[.*?\]\])?[\w\s:]*(<.*>)?(\s+final)?\s*'
                   r'(:(?!:).*[^)])?$')
CONTROL = re.compile(r'^\s*\}?\s*(if|for|while|switch|catch)\b')


def kind_of(statement):
    """Returns the kind of block that `statement` opens, and the greatest number of lines of such a block."""
    if CLASS.search(statement.rstrip()):
        return 'class', CLASS_LIMIT
    if ')' in statement and not NOT_FUNCTIONS.search(statement) and not CONTROL.search(statement):
        return 'function', FUNCTION_LIMIT
    return 'block', math.inf


def long_blocks(path, lines):
    stack = []  # entries are (line of the opening brace, kind of the block, maximum number of lines)
    statement = ''  # text since the last ';', '{' or '}'
    raw_end = None  # the end marker of the raw string that contains the line
    in_directive = False  # whether the line belongs to a preprocessor directive, which may have several lines
    for number, line in enumerate(lines, 1):
        in_directive = raw_end is None and (in_directive or line.lstrip().startswith('#'))
        if in_directive:
            in_directive = line.endswith('\\')
            continue
        if raw_end:
            if raw_end not in line:
                continue
            line = line.split(raw_end, 1)[1]
        line = RAW_STRING.sub('""', line)
        start = RAW_START.search(line)
        raw_end = f'){start[1]}"' if start else None
        for character in LITERALS.sub('', line[:start.start()] if start else line):
            if character == '{':
                stack.append((number, *kind_of(statement)))
                statement = ''
            elif character == '}':
                if stack:
                    opened, kind, limit = stack.pop()
                    if number - opened + 1 > limit and not (kind == 'class' and path.startswith('include/')):
                        yield f'{path}:{opened}: {kind} of {number - opened + 1} lines'
                statement = ''
            elif character == ';':
                statement = ''
            else:
                statement += character
        statement += ' '


def full_directories(tracked):
    """Yields a message for each directory with source files that holds more than DIRECTORY_LIMIT of the tracked files."""
    counts = collections.Counter(path.parent for path in tracked)
    for folder in sorted({path.parent for path in tracked if path.suffix in SOURCES}):
        if counts[folder] > DIRECTORY_LIMIT:
            yield f'{folder}/: {counts[folder]} files'


def main():
    listed = subprocess.run(['git', 'ls-files', '-z'], capture_output=True, text=True, check=True).stdout.split('\0')
    tracked = [pathlib.PurePosixPath(path) for path in listed if path]
    files = [str(path) for path in tracked if path.suffix in MEASURED]
    offenders, total = list(full_directories(tracked)), 0
    with open('README.md', encoding='utf-8') as readme:
        lines = len(readme.read().splitlines())
    if lines > README_LIMIT:
        offenders.append(f'README.md: {lines} lines')
    for path in files:
        with open(path, encoding='utf-8') as file:
            lines = file.read().splitlines()
        total += len(lines)
        if len(lines) > FILE_LIMIT:
            offenders.append(f'{path}: {len(lines)} lines')
        if path.endswith(('.h', '.hpp', '.cpp', '.mm')):
            offenders.extend(long_blocks(path, lines))
    print('\n'.join(offenders + [f'{len(files)} files, {total} lines, {len(offenders)} over the limits']))
    return 1 if offenders else 0


if __name__ == '__main__':
    sys.exit(main())
