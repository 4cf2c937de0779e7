"""Operators of sequences and optional values. Generated nodes begin and end with tensors."""

import dataclasses

import numpy as np
from onnx import helper

from ..model import TYPE_NAMES, Impossible
from ..values import ALL
from .registry import operator


@dataclasses.dataclass
class Sequence:
    name: str
    type: str
    shapes: list


def position(m, count):
    """Returns (operand, index) of a random position in `count` elements. If the operand is None, the index is the last."""
    if m.chance(0.3):
        return None, count - 1
    index = m.integer(0, count - 1)
    return m.fixed(np.array(index - count if m.chance(0.3) else index, m.choice([np.int32, np.int64]))), index


def split(m):
    x = m.value(m.type([t for t in m.types('SplitToSequence') if t in ALL]), rank=(1, 4))
    axis = m.axis(x.rank)
    size, before, after = x.shape[axis], x.shape[: axis % x.rank], x.shape[axis % x.rank + 1 :]
    if m.chance(0.4):  # splits into slices of size 1, which may lose the axis
        keeps = m.choice([None, 0, 1])
        name = m.hidden('SplitToSequence', [x], ['sequence'], axis=axis, keepdims=keeps)
        return Sequence(name, x.type, [before + ((1,) if keeps != 0 else ()) + after] * size)
    part = m.integer(1, size)
    sizes = [part] * (size // part) + ([size % part] if size % part else [])
    given = np.array(part, np.int64) if m.chance(0.5) else np.array(sizes, np.int64)
    name = m.hidden('SplitToSequence', [x, m.fixed(given)], ['sequence'], axis=axis)
    return Sequence(name, x.type, [(*before, item, *after) for item in sizes])


def construct(m):
    first = m.value(m.type([t for t in m.types('SequenceConstruct') if t in ALL]), rank=(0, 3))
    values = [first, *(m.value(first.type, shape=first.shape) for _ in range(m.integer(0, 2)))]
    return Sequence(m.hidden('SequenceConstruct', values, ['sequence']), first.type, [value.shape for value in values])


def empty(m):
    x = m.value('float32', rank=(0, 3))
    name = m.hidden('SequenceEmpty', [], ['sequence'], dtype=TYPE_NAMES['float32'])
    return Sequence(m.hidden('SequenceInsert', [name, x], ['sequence']), 'float32', [x.shape])


def insert(m, sequence):
    shape = m.choice(sequence.shapes)
    at, index = position(m, len(sequence.shapes))
    name = m.hidden('SequenceInsert', [sequence.name, m.value(sequence.type, shape=shape), at], ['sequence'])
    shapes = list(sequence.shapes)
    shapes.insert(index if at else len(shapes), shape)
    return Sequence(name, sequence.type, shapes)


def erase(m, sequence):
    if len(sequence.shapes) < 2:
        raise Impossible('nothing would be left')
    at, index = position(m, len(sequence.shapes))
    name = m.hidden('SequenceErase', [sequence.name, at], ['sequence'])
    return Sequence(name, sequence.type, sequence.shapes[:index] + sequence.shapes[index + 1 :])


def concatenate(m, sequence):
    rank = len(sequence.shapes[0])
    if len(set(sequence.shapes)) > 1:
        raise Impossible('different shapes')
    new = 1 if rank == 0 or m.chance(0.4) else 0
    axis = m.axis(rank + new)
    m.node('ConcatFromSequence', [sequence.name], [sequence.type], axis=axis, new_axis=new or m.choice([None, 0]))


def element(m, sequence):
    index = m.integer(0, len(sequence.shapes) - 1)
    at = m.fixed(np.array(index - (len(sequence.shapes) if m.chance(0.3) else 0), np.int64))
    m.node('SequenceAt', [sequence.name, at], [sequence.type])


def length(m, sequence):
    m.node('SequenceLength', [sequence.name], ['int64'])


def mapped(m, sequence):
    if sequence.type != 'float32':
        raise Impossible('functions of floats')
    inner = [helper.make_tensor_value_info(name, TYPE_NAMES['float32'], None) for name in (m.fresh('i'), m.fresh('i'))]
    node = helper.make_node(m.choice(['Neg', 'Abs', 'Relu']), [inner[0].name], [inner[1].name])
    body = helper.make_graph([node], m.fresh('g'), inner[:1], inner[1:])
    return Sequence(m.hidden('SequenceMap', [sequence.name], ['sequence'], body=body), sequence.type, sequence.shapes)


SOURCES = {'SplitToSequence': split, 'SequenceConstruct': construct, 'SequenceEmpty': empty}
CHANGES = {'SequenceInsert': insert, 'SequenceErase': erase, 'SequenceMap': mapped}
ENDS = {'ConcatFromSequence': concatenate, 'SequenceAt': element, 'SequenceLength': length}


@operator(*SOURCES, *(name for name in CHANGES if name != 'SequenceMap'), *ENDS, since=11)
@operator('SequenceMap', since=17)
def sequence(m, name):
    """Adds a source of a sequence, perhaps a change, and an end that returns a tensor. One of these nodes is `name`."""
    made = SOURCES.get(name, m.choice(list(SOURCES.values())))(m)
    if name in CHANGES:
        made = CHANGES[name](m, made)
    elif m.chance(0.3):
        made = insert(m, made)
    if name in ENDS:
        return ENDS[name](m, made)
    m.choice([concatenate, element])(m, made)


@operator('Optional', since=15)
def optional(m, name):
    x = m.value(m.type(['float32', 'int32', 'int64']))
    made = m.hidden(name, [x], ['optional'])
    if m.chance(0.7):
        m.node('OptionalGetElement', [made], [x.type])
    else:
        m.node('OptionalHasElement', [made], ['bool'])
