#!/usr/bin/env python3
"""Prints bindings/rust/webnn-sys/src/bindings.rs, the Rust declarations of the C API, from webnn.h and webnn_operations.h. A C
compiler gives the sizes and offsets of the structs, which the Rust compiler then checks.

usage: print_rust_sys.py [--check]   (--check: fails if the file differs from the headers)"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[1]
HEADERS = [ROOT / 'include/webnn/webnn.h', ROOT / 'include/webnn/webnn_operations.h']
OUTPUT = ROOT / 'bindings/rust/webnn-sys/src/bindings.rs'
START = """\
// Printed by scripts/print_rust_sys.py from include/webnn/webnn.h and include/webnn/webnn_operations.h.
use core::ffi::{c_char, c_int, c_void};
use core::ptr::{null, null_mut};

/// The length of a [`WebnnStringView`] whose text is null-terminated.
pub const WEBNN_STRLEN: usize = usize::MAX;
/// The count of an absent list, which differs from an empty list (count 0).
pub const WEBNN_ABSENT: usize = usize::MAX;

"""
SCALARS = {'uint32_t': 'u32', 'uint64_t': 'u64', 'int64_t': 'i64', 'int32_t': 'i32', 'size_t': 'usize', 'double': 'f64',
           'float': 'f32', 'char': 'c_char', 'void': 'c_void', 'int': 'c_int'}
KEYWORDS = {'type', 'where', 'ref', 'match', 'in', 'final'}


def rust_type(c_type):
    """Converts a C type such as `const char*`."""
    text = c_type.strip()
    if text.endswith('*'):
        inner = text[:-1].strip()
        return ('*const ' if inner.startswith('const ') else '*mut ') + rust_type(inner.removeprefix('const '))
    return SCALARS.get(text, text.removeprefix('struct '))


def rust_name(name):
    return f'r#{name}' if name in KEYWORDS else name


def split_outside(text, separator=','):
    """Splits at the separators that are not inside braces or parentheses."""
    parts, depth, part = [], 0, ''
    for character in text:
        depth += (character in '({') - (character in ')}')
        if character == separator and depth == 0:
            parts.append(part.strip())
            part = ''
        else:
            part += character
    return [*parts, part.strip()] if part.strip() else parts


class Declarations:
    """Parses the C headers into types, initializers and functions."""

    def __init__(self, text):
        self.macros = {name: (struct, body) for name, struct, body in re.findall(
            r'#define (WEBNN_\w+_INIT)\s+WEBNN_MAKE\(\s*(\w+),\s*(\{.*?\})\)\s*(?://.*)?\n', text.replace('\\\n', ' '))}
        self.initial = {struct: body for struct, body in self.macros.values()}
        self.structs = {}  # fields (name, C type) by name
        self.callbacks = set()
        self.items = []
        lines = re.sub(r'^#(.*\\\n)*.*', '', text, flags=re.MULTILINE)
        lines = re.sub(r'static inline.*?\n}\n', '', lines, flags=re.DOTALL)
        lines = lines.replace('extern "C" {', '')
        comment = []
        statement = ''
        for line in lines.split('\n'):
            if not statement and line.startswith('//'):
                comment = [] if line.startswith('// ----') else [*comment, line[2:].strip()]
                continue
            if not line.strip() or (not statement and line.startswith('}')):
                comment = [] if not statement else comment
                continue
            statement += line + '\n'
            code = re.sub(r'//.*', '', statement)
            if code.count('{') == code.count('}') and code.rstrip().endswith(';'):
                self.declare(statement, comment)
                statement, comment = '', []

    def declare(self, statement, comment):
        code = re.sub(r'\s*//.*', '', statement).strip()
        if opaque := re.fullmatch(r'typedef struct (\w+)\* (\w+);', code):
            trailing = re.search(r'//\s*(.*)', statement)
            self.items.append(('opaque', opaque[2], opaque[1], [trailing[1]] if trailing else comment))
        elif callback := re.fullmatch(r'typedef void \(\*(\w+)\)\((.*)\);', code, re.DOTALL):
            self.callbacks.add(callback[1])
            self.items.append(('callback', callback[1], callback[2], comment))
        elif code.startswith('typedef enum'):
            name = re.search(r'} (\w+);', code)[1]
            body = statement[statement.index('{') + 1:statement.rindex('}')]
            values = []
            for value in re.finditer(r'(\w+) = (\w+),?(?:[ \t]*//[ \t]*(.*))?', body):
                if not value[1].endswith('_Force32'):
                    values.append((value[1].removeprefix(name + '_'), value[2], value[3]))
            self.items.append(('enum', name, values, comment))
        elif code.startswith('typedef struct'):
            self.declare_struct(statement, comment)
        elif alias := re.fullmatch(r'typedef (\w+) (\w+);', code):
            self.items.append(('alias', alias[2], alias[1], comment))
        elif function := re.fullmatch(r'WEBNN_EXPORT (\w+) (\w+)\((.*)\);', code, re.DOTALL):
            self.items.append(('function', function[2], (function[1], function[3]), comment))
        else:
            raise ValueError(f'print_rust_sys.py does not understand this declaration: {statement}')

    def declare_struct(self, statement, comment):
        name = re.findall(r'} (\w+);', re.sub(r'//.*', '', statement))[-1]
        body = statement[statement.index('{') + 1:statement.rindex('}')]
        if union := re.search(r'  union {(.*?)} (\w+);', body, re.DOTALL):
            fields = re.findall(r'(\w+) (\w+);', union[1])
            self.items.append(('union', name + 'Value', fields, []))
            body = body.replace(union[0], f'  {name}Value {union[2]};')
        fields, above = [], []
        body = re.sub(r'(WebnnStringView)\s+(// .*\n)\s+(backend;)', r'\2  \1 \3', body)  # clang-format moved this comment
        for line in body.split('\n'):
            if line.strip().startswith('//'):
                above.append(line.strip()[2:].strip())
            elif field := re.match(r'\s*(.+?[\s*])(\w+);(?:\s*//\s*(.*))?', line):
                fields.append((field[2], field[1].strip(), above or ([field[3]] if field[3] else [])))
                above = []
        self.structs[name] = [(field, c_type) for field, c_type, _ in fields]
        self.items.append(('struct', name, fields, comment))

    def value(self, text, c_type):
        """Converts an initializer of this C type to a Rust expression."""
        text = text.strip()
        if text in self.macros:
            return self.value(self.macros[text][1], self.macros[text][0])
        if text.startswith('{'):
            if c_type == 'WebnnNumberValue':
                return f'WebnnNumberValue {{ float64: {text[1:-1]} }}'
            parts = split_outside(text[1:-1])
            fields = self.structs[c_type]
            assert len(parts) == len(fields), (c_type, text)
            return (f'{c_type} {{ '
                    + ', '.join(f'{rust_name(field)}: {self.value(part, kind)}'
                                for part, (field, kind) in zip(parts, fields, strict=True)) + ' }')
        if text == 'NULL':
            if c_type in self.callbacks:
                return 'None'
            return 'null()' if c_type.startswith('const ') else 'null_mut()'
        if text in ('WEBNN_STRLEN', 'WEBNN_ABSENT'):
            return text
        if '_' in text and text.startswith('Webnn'):
            return text.replace('_', '::', 1)
        if c_type == 'double' and re.fullmatch(r'-?\d+', text):
            return text + '.0'
        return re.sub(r'UINT64_C\((\d+)\)', r'(\1u64)', text).replace('UINT64_MAX', 'u64::MAX').replace('0x7FFFFFFF', '0x7FFF_FFFF')


def doc_lines(comment, margin=''):
    text = [re.sub(r'(?<![<(\w])(https://[^\s,]*[^\s,.;])', r'<\1>', line) for line in comment]
    text = [re.sub(r'(?<!`)\b(\w+\[[^\]]*\])', r'`\1`', line) for line in text]
    prefix = margin + '/// '
    lines = textwrap.wrap(' '.join(text), 130, initial_indent=prefix, subsequent_indent=prefix, break_long_words=False,
                          break_on_hyphens=False)
    return ''.join(line.rstrip() + '\n' for line in lines)


def parameters(text):
    if text.strip() in ('', 'void'):
        return ''
    parts = []
    for part in split_outside(' '.join(text.split())):
        c_type, name = re.fullmatch(r'(.*?[\s*])(\w+)', part).groups()
        parts.append(f'{rust_name(name)}: {rust_type(c_type)}')
    return ', '.join(parts)


def filled(text, margin, columns=130):
    """Breaks a long line at commas."""
    lines, line = [], ''
    for part in text.split(', '):
        if line and len(line) + len(part) + 3 > columns:
            lines.append(line + ',')
            line = margin + part
        else:
            line += (', ' if line else '') + part
    return '\n'.join([*lines, line])


def print_item(kind, name, data, comment, declarations):
    text = doc_lines(comment)
    if kind == 'opaque':
        return (f'/// The object behind [`{name}`].\n#[repr(C)]\npub struct {data} {{\n    _private: [u8; 0],\n'
                '    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,\n}\n'
                + (text or '/// A handle.\n') + f'pub type {name} = *mut {data};\n')
    if kind == 'callback':
        return text + filled(f'pub type {name} = Option<unsafe extern "C" fn({parameters(data)})>;', '    ') + '\n'
    if kind == 'alias':
        return text + f'pub type {name} = {rust_type(data)};\n'
    if kind == 'enum':
        text += ('#[repr(transparent)]\n#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]\n'
                 f'pub struct {name}(pub u32);\n#[allow(non_upper_case_globals)]\nimpl {name} {{\n')
        for value, number, note in data:
            text += doc_lines([note], '    ') if note else ''
            text += f'    pub const {value}: {name} = {name}({number});\n'
        return text + '}\n'
    if kind == 'union':
        return ('/// The value of a [`WebnnNumber`].\n#[repr(C)]\n#[derive(Clone, Copy)]\n' + f'pub union {name} {{\n'
                + ''.join(f'    pub {field}: {rust_type(c_type)},\n' for c_type, field in data) + '}\n')
    text += f'#[repr(C)]\n#[derive(Clone, Copy)]\npub struct {name} {{\n'
    for field, c_type, notes in data:
        text += doc_lines(notes, '    ') + f'    pub {rust_name(field)}: {rust_type(c_type)},\n'
    text += '}\n'
    if name in declarations.initial:
        value = filled(f'        {declarations.value(declarations.initial[name], name)}', '            ')
        text += (f'impl Default for {name} {{\n    #[inline]\n    #[allow(unused_parens)]\n    fn default() -> Self {{\n'
                 f'{value}\n    }}\n}}\n')
    return text


def print_functions(items):
    text = 'unsafe extern "C" {\n'
    for kind, name, data, comment in items:
        if kind != 'function':
            continue
        result = '' if data[0] == 'void' else f' -> {rust_type(data[0])}'
        text += doc_lines(comment, '    ') + filled(f'    pub fn {name}({parameters(data[1])}){result};', '        ') + '\n'
    return text + '}\n'


def print_layouts(structs):
    """Returns assertions about sizes and offsets, which a C compiler has computed."""
    lines = [f'  printf("{name} %zu %zu\\n", sizeof({name}), _Alignof({name}));\n'
             + ''.join(f'  printf(".{field} %zu\\n", offsetof({name}, {field}));\n' for field, _ in fields)
             for name, fields in structs.items()]
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder, 'layout.c'), pathlib.Path(folder, 'layout')
        source.write_text('#include <stdio.h>\n#include <webnn/webnn.h>\nint main(void) {\n' + ''.join(lines) + '  return 0;\n}\n',
                          encoding='utf-8')
        subprocess.run([os.environ.get('CC', 'cc'), '-std=c11', f'-I{ROOT}/include', str(source), '-o', str(program)], check=True)
        output = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout
    text = '\n/// The layouts that a C compiler gives the structs.\n#[cfg(target_pointer_width = "64")]\nconst _: () = {\n'
    text += '    use core::mem::{align_of, offset_of, size_of};\n'
    struct = ''
    for line in output.splitlines():
        name, *numbers = line.split()
        if name.startswith('.'):
            text += f'    assert!(offset_of!({struct}, {rust_name(name[1:])}) == {numbers[0]});\n'
        else:
            struct = name
            text += f'    assert!(size_of::<{name}>() == {numbers[0]} && align_of::<{name}>() == {numbers[1]});\n'
    return text + '};\n'


def main():
    texts = [header.read_text(encoding='utf-8') for header in HEADERS]
    declarations = Declarations(texts[0].replace('#include "webnn/webnn_operations.h"', texts[1]))
    text = START + '\n'.join(print_item(*item, declarations) for item in declarations.items if item[0] != 'function')
    text += '\n' + print_functions(declarations.items) + print_layouts(declarations.structs)
    if '--check' in sys.argv:
        if OUTPUT.read_text(encoding='utf-8') != text:
            sys.exit(f'{OUTPUT.relative_to(ROOT)} differs from the headers; print it again: scripts/print_rust_sys.py')
        print(f'{OUTPUT.relative_to(ROOT)} is current')
    else:
        OUTPUT.write_text(text, encoding='utf-8')


if __name__ == '__main__':
    main()
