"""The list of networks, and modules that several files use to describe networks."""

import dataclasses
import typing

from torch import nn


@dataclasses.dataclass(frozen=True)
class Entry:
    name: str
    kind: str
    make: typing.Callable  # returns the module and its arguments
    dynamo: bool  # whether to use PyTorch's exporter based on torch.export instead of the older one based on TorchScript
    forms: tuple  # further files with narrow weights: keys of FORMS in narrow.py
    settle: bool  # whether settle.py changes the weights


ENTRIES = {}


def add(kind, name, make, *forms, dynamo=False, settle=True):
    if name in ENTRIES:
        raise ValueError(f'two networks have the name {name}')
    ENTRIES[name] = Entry(name, kind, make, dynamo, forms, settle)


class Call(nn.Module):
    """Calls `function(model, *arguments)` in place of the model, to choose arguments and results."""

    def __init__(self, model, function):
        super().__init__()
        self.model, self.function = model, function

    def forward(self, *arguments):
        return self.function(self.model, *arguments)


class Residual(nn.Module):
    def __init__(self, *layers):
        super().__init__()
        self.inner = nn.Sequential(*layers)

    def forward(self, x):
        return x + self.inner(x)


def conv_norm(channels, filters, kernel=3, stride=1, activation=nn.ReLU, rank=2, **options):
    """Returns a convolution, a batch normalization and an activation."""
    conv, norm = {1: (nn.Conv1d, nn.BatchNorm1d), 2: (nn.Conv2d, nn.BatchNorm2d), 3: (nn.Conv3d, nn.BatchNorm3d)}[rank]
    if 'padding' not in options:
        options['padding'] = (kernel - 1) // 2 * options.get('dilation', 1)
    layers = [conv(channels, filters, kernel, stride, bias=False, **options), norm(filters)]
    return nn.Sequential(*layers, *([activation()] if activation else []))
