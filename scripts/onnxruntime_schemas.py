#!/usr/bin/env python3
"""Prints the schemas of ONNX Runtime's operators, for bindings/python/src/webnn/onnxruntime/_schemas.txt.

usage: PYTHON scripts/onnxruntime_schemas.py > bindings/python/src/webnn/onnxruntime/_schemas.txt

PYTHON is an interpreter with the package onnxruntime. The comment at the start of the printed file describes its format.
"""
import collections
import sys

import onnxruntime
from onnxruntime.capi.onnxruntime_pybind11_state import get_all_operator_schema

HEAD = '''# Schemas of the operators of ONNX Runtime {version}. Printed by scripts/onnxruntime_schemas.py; do not edit.
# The first line lists types, the second line sets of them: hexadecimal numbers, in which bit N stands for type N. Other lines:
# "OPERATOR DOMAIN" and, after tabs, the versions of the operator: "SINCE;INPUTS;OUTPUTS;ATTRIBUTES". A part that is "." equals that
# of the version before. SINCE ends in "-" if the operator is deprecated. INPUTS and OUTPUTS: "MIN,MAX" and the parameters, each
# VARIABLE:SET, VARIABLE (seen before) or :SET, after "?" (optional), "*" (variadic) or "&" (variadic of several types).
# ATTRIBUTES, in the order of ONNX Runtime's checks: NAME, "=" and the letter of the type; "!" if it is required.
'''
DOMAINS = {'': '', 'ai.onnx.ml': 'ml', 'com.microsoft': 'ms'}
LETTERS = {'FLOAT': 'f', 'INT': 'i', 'STRING': 's', 'TENSOR': 't', 'GRAPH': 'g', 'FLOATS': 'F', 'INTS': 'I', 'STRINGS': 'S',
           'TENSORS': 'T', 'GRAPHS': 'G', 'SPARSE_TENSOR': 'p', 'SPARSE_TENSORS': 'P', '???': 'y'}  # ???: a type, which the package cannot name


class Sets:
    """Gives each set of types a number, the most frequent the smallest."""

    def __init__(self, schemas):
        counts = collections.Counter(frozenset(parameter.types) for schema in schemas for parameter in (*schema.inputs, *schema.outputs))
        self.types = sorted({kind for types in counts for kind in types}, key=lambda kind: (not kind.startswith('tensor'), kind))
        self.sets = sorted(counts, key=lambda types: (-counts[types], sorted(types)))
        self.numbers = {types: index for index, types in enumerate(self.sets)}

    def of(self, parameter):
        return self.numbers[frozenset(parameter.types)]

    def masks(self):
        return [f'{sum(1 << self.types.index(kind) for kind in types):x}' for types in self.sets]


def parameters(given, least, most, sets, seen):
    parts = [f'{least},{"" if most >= 2**31 - 1 else most}']
    for parameter in given:
        option = {'Optional': '?', 'Variadic': '*' if parameter.isHomogeneous else '&'}.get(parameter.option.name, '')
        variable = '' if '(' in parameter.typeStr else parameter.typeStr
        known = variable and variable in seen
        seen.add(variable)
        parts.append(option + (variable if known else f'{variable}:{sets.of(parameter)}'))
    return ' '.join(parts)


def line(schemas, sets):
    first = schemas[0]
    versions, before = [f'{first.name} {DOMAINS[first.domain]}'.rstrip()], ('', '', '')
    for schema in schemas:
        seen = set()
        parts = (parameters(schema.inputs, schema.min_input, schema.max_input, sets, seen),
                 parameters(schema.outputs, schema.min_output, schema.max_output, sets, seen),
                 ' '.join(f'{name}={LETTERS[kind.type.name]}{"!" if kind.required else ""}'
                          for name, kind in schema.attributes.items()))
        shown = ['.' if part == old else part for part, old in zip(parts, before)]
        versions.append(';'.join((f'{schema.since_version}{"-" if schema.deprecated else ""}', *shown)))
        before = parts
    return '\t'.join(versions)


def main():
    groups = collections.defaultdict(dict)
    for schema in get_all_operator_schema():
        if schema.domain in DOMAINS and not schema.name.endswith('_TRT') and not schema.name.startswith('Memcpy'):
            groups[schema.domain, schema.name][schema.since_version] = schema
    sets = Sets([schema for versions in groups.values() for schema in versions.values()])
    sys.stdout.write(HEAD.format(version=onnxruntime.__version__))
    print(' '.join(sets.types), ' '.join(sets.masks()), sep='\n')
    for _, versions in sorted(groups.items()):
        print(line([schema for _, schema in sorted(versions.items())], sets))


if __name__ == '__main__':
    main()
