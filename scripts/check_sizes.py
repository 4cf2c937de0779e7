#!/usr/bin/env python3
"""Fails if a source file has more than 800 lines or a C++ function more than 80; prints the offenders.

A function is a block that opens at the end of a line which is indented less than its body and holds a ')' before the
brace, outside of namespaces, classes and enums; brace matching skips comments and literals."""
import re
import subprocess
import sys

FILE_LIMIT = 800
FUNCTION_LIMIT = 80
LITERALS = re.compile(r'//.*|/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'')
RAW_STRING = re.compile(r'R"(\w*)\(.*?\)\1"')
RAW_START = re.compile(r'R"(\w*)\(')
NOT_FUNCTIONS = re.compile(r'^\s*(namespace|class|struct|enum|union|extern|using)\b|^\s*\}?\s*(else|do|try)\b|=\s*\{')
CONTROL = re.compile(r'^\s*\}?\s*(if|for|while|switch|catch)\b')


def long_functions(path, lines):
    stack = []  # (line of the opening brace, whether it opens a function)
    statement = ''  # text since the last ';', '{' or '}'
    raw_end = None  # what ends the raw string that the line is in
    in_directive = False  # a line of the preprocessor, which may go on
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
                is_function = ')' in statement and not NOT_FUNCTIONS.search(statement) and not CONTROL.search(statement)
                stack.append((number, is_function))
                statement = ''
            elif character == '}':
                if stack:
                    opened, is_function = stack.pop()
                    if is_function and number - opened + 1 > FUNCTION_LIMIT:
                        yield f'{path}:{opened}: function of {number - opened + 1} lines'
                statement = ''
            elif character == ';':
                statement = ''
            else:
                statement += character
        statement += ' '


def main():
    files = subprocess.run(['git', 'ls-files', '*.h', '*.hpp', '*.cpp', '*.py', '*.sh', '*.cmake'], capture_output=True,
                           text=True, check=True).stdout.split()
    offenders, total = [], 0
    for path in files:
        with open(path, encoding='utf-8') as file:
            lines = file.read().splitlines()
        total += len(lines)
        if len(lines) > FILE_LIMIT:
            offenders.append(f'{path}: {len(lines)} lines')
        if path.endswith(('.h', '.hpp', '.cpp')):
            offenders.extend(long_functions(path, lines))
    print('\n'.join(offenders + [f'{len(files)} files, {total} lines, {len(offenders)} over the limits']))
    return 1 if offenders else 0


if __name__ == '__main__':
    sys.exit(main())
