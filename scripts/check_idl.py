#!/usr/bin/env python3
"""Compares what `webnn ops --format=json` prints with the specification's WebIDL: methods, arguments, options, defaults, enumerations.

usage: check_idl.py WEBNN [webnn.idl]

Without webnn.idl the IDL is taken from the npm package @webref/idl (development only, needs npm and a registry)."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

WEBREF = '@webref/idl@3.85.0'
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/', re.S)
ATTRIBUTES = re.compile(r'\[[A-Z]\w*(?:=\([^)]*\)|=\w+)?(?:,\s*\w+)*\]\s*')


def fetch_idl():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(['npm', 'install', '--silent', '--ignore-scripts', '--prefix', folder, WEBREF], check=True)
        return (pathlib.Path(folder) / 'node_modules/@webref/idl/webnn.idl').read_text(encoding='utf-8')


def split_top(text):
    """Splits `text` at the commas outside of <>, () and {}."""
    parts, depth, start = [], 0, 0
    for i, character in enumerate(text):
        depth += (character in '<({') - (character in '>)}')
        if character == ',' and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [part.strip() for part in parts + [text[start:]] if part.strip()]


def value(text):
    return json.loads(text) if text is not None else None


class Idl:
    def __init__(self, text):
        text = ATTRIBUTES.sub('', COMMENT.sub('', text))
        self.dictionaries, self.parents, self.enums, self.methods = {}, {}, {}, {}
        for name, parent, body in re.findall(r'(?<!partial )\bdictionary (\w+)\s*(?::\s*(\w+))?\s*\{(.*?)\};', text, re.S):
            self.dictionaries[name] = [self.member(line) for line in body.split(';') if line.strip()]
            self.parents[name] = parent
        for name, body in re.findall(r'\benum (\w+)\s*\{(.*?)\};', text, re.S):
            self.enums[name] = re.findall(r'"([^"]*)"', body)
        for body in re.findall(r'partial interface MLGraphBuilder\s*\{(.*?)\n\};', text, re.S):
            for returns, name, arguments in re.findall(r'([\w<>]+)\s+(\w+)\s*\((.*?)\);', body, re.S):
                self.methods[name] = (returns, [re.sub(r'\s+', ' ', argument) for argument in split_top(arguments)])

    @staticmethod
    def member(line):
        match = re.fullmatch(r'\s*(?:required\s+)?(.+?)\s+(\w+)\s*(?:=\s*(.+?))?\s*', line, re.S)
        return match[2], re.sub(r'\s+', ' ', match[1]), match[3]

    def members(self, name):
        inherited = self.members(self.parents[name]) if self.parents.get(name) else []
        return self.dictionaries[name] + inherited


def compare_options(idl, operation, name, complain):
    printed = {option['name']: option for option in operation['options']}
    expected = idl.members(name)
    if list(printed) != [member for member, _, _ in expected]:
        complain(f'options {list(printed)}, not {[member for member, _, _ in expected]}')
        return
    for member, kind, default in expected:
        option = printed[member]
        if option['type'] != kind:
            complain(f'{member} is {option["type"]}, not {kind}')
        if option.get('default') != value(default):
            complain(f'{member} defaults to {option.get("default")}, not {value(default)}')
        enum = re.sub(r'sequence<(.*)>', r'\1', kind)
        if enum in idl.enums and [v for v in option['values'] if v not in ('int4', 'uint4')] != idl.enums[enum]:
            complain(f'{member} takes {option["values"]}, not {idl.enums[enum]}')


def compare(idl, operations):
    errors = []
    names = {operation['name'] for operation in operations}
    for missing in sorted(set(idl.methods) ^ names):
        errors.append(f'{missing} is only in {"the IDL" if missing in idl.methods else "the table"}')
    for operation in operations:
        returns, arguments = idl.methods.get(operation['name'], (None, None))
        if arguments is None:
            continue
        def complain(text, name=operation['name']):
            errors.append(f'{name}: {text}')
        if operation['returns'] != returns:
            complain(f'returns {operation["returns"]}, not {returns}')
        printed = [f'{argument["type"]} {argument["name"]}' for argument in operation['arguments']]
        expected = [re.sub(r'^\((.*)\)', r'\1', argument) for argument in arguments[:-1]]
        if printed != expected:
            complain(f'takes ({", ".join(printed)}), not ({", ".join(expected)})')
        compare_options(idl, operation, re.match(r'optional (\w+)', arguments[-1])[1], complain)
    return errors


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    printed = subprocess.run([sys.argv[1], 'ops', '--format=json'], capture_output=True, text=True, check=True).stdout
    text = pathlib.Path(sys.argv[2]).read_text(encoding='utf-8') if len(sys.argv) == 3 else fetch_idl()
    idl = Idl(text)
    errors = compare(idl, json.loads(printed)['operations'])
    print('\n'.join(errors + [f'{len(idl.methods)} methods compared with the IDL, {len(errors)} differences']))
    return 1 if errors or len(idl.methods) != 95 else 0


if __name__ == '__main__':
    sys.exit(main())
