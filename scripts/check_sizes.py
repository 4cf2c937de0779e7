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
NOT_FUNCTIONS = re.compile(r'^\s*(namespace|class|struct|enum|union|extern|using)\b|^\s*\}?\s*(else|do|try)\b|=\s*\{')
CONTROL = re.compile(r'^\s*\}?\s*(if|for|while|switch|catch)\b')


def long_functions(path, lines):
    stack = []  # (line of the opening brace, whether it opens a function)
    statement = ''  # text since the last ';', '{' or '}'
    raw = False
    for number, line in enumerate(lines, 1):
        if raw:
            raw = ')"' not in line
            continue
        raw = bool(re.search(r'R"\w*\(', line)) and ')"' not in line
        for character in LITERALS.sub('', line):
            if character == '{':
                is_function = ')' in statement and not NOT_FUNCTIONS.search(statement) and not CONTROL.search(statement)
                stack.append((number, is_function))
                statement = ''
            elif character == '}':
                if stack:
                    start, is_function = stack.pop()
                    if is_function and number - start + 1 > FUNCTION_LIMIT:
                        yield f'{path}:{start}: function of {number - start + 1} lines'
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
