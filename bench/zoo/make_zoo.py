#!/usr/bin/env python3
"""Exports networks of many kinds to ONNX, with random weights; see docs/guides/bench.md.

usage: make_zoo.py FOLDER [NAME...]     (NAME: a network; by default, all that FOLDER lacks)
       make_zoo.py --list

Writes FOLDER/NAME.onnx, FOLDER/NAME_FORM.onnx for each form with 8 or 4 bits, and FOLDER/zoo.json: for each model its kind, its
exporter and its bits, or the error with which it failed. A network that failed is only tried again if NAME names it.
Needs the packages of bench/zoo.txt.
"""

import json
import os
import pathlib
import sys
import warnings
import zlib

import numpy as np

MOST_BYTES = 100e6
SMALLEST, GREATEST = 1e-6, 1e6  # limits for the standard deviation of an output's elements


def export(entry, path):
    import torch
    from settle import settle

    torch.backends.mha.set_fastpath_enabled(False)  # the exporters do not know the operators of the fast path
    torch.manual_seed(zlib.crc32(entry.name.encode()))
    model, arguments = entry.make()
    model = model.eval()
    if entry.settle:
        settle(model, arguments)
    options = (
        {'opset_version': 18, 'dynamo': True, 'external_data': False, 'verbose': False}
        if entry.dynamo
        else {'opset_version': 17, 'dynamo': False}
    )
    with torch.no_grad():
        torch.onnx.export(model, arguments, str(path), **options)


def check(path):
    """Fails if the model is too large, or a float output of several elements is not finite or varies too little or too much."""
    from narrow import random_inputs

    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f'the file has {path.stat().st_size / 1e6:.0f} MB; at most {MOST_BYTES / 1e6:.0f} MB are wanted')
    session, inputs = random_inputs(path, np.random.default_rng(2))
    for value, result in zip(session.get_outputs(), session.run(None, inputs)):
        if result.dtype.kind != 'f' or result.size < 2:
            continue
        if not np.isfinite(result).all():
            raise ValueError(f'output {value.name} has elements that are not finite')
        deviation = result.astype(float).std()
        if not SMALLEST < deviation < GREATEST:
            raise ValueError(f'the elements of output {value.name} have the deviation {deviation:.2g}')


def make(name, entry, folder):
    """Makes the model and its forms, and returns their entries for zoo.json. A failure leaves no file."""
    from narrow import BITS, narrow

    path, record = folder / f'{name}.onnx', {}
    jobs = [(name, 32, lambda target: export(entry, target))]
    jobs += [(f'{name}_{form}', BITS[form], lambda target, form=form: narrow(path, form, target)) for form in entry.forms]
    for title, bits, work in jobs:
        unfinished = folder / f'{title}.unfinished'
        record[title] = {'kind': entry.kind, 'exporter': 'dynamo' if entry.dynamo else 'TorchScript', 'bits': bits}
        try:
            work(unfinished)
            check(unfinished)
            unfinished.rename(folder / f'{title}.onnx')
            print(f'zoo: {title}, {(folder / f"{title}.onnx").stat().st_size / 1e6:.1f} MB', flush=True)
        except Exception as error:  # whatever an exporter or a quantizer throws is recorded
            record[title]['error'] = f'{type(error).__name__}: {" ".join(str(error).split())[:300]}'
            print(f'zoo: {title} failed: {record[title]["error"]}', flush=True)
            unfinished.unlink(missing_ok=True)
            if title == name:
                break
    return record


def main():
    warnings.filterwarnings('ignore')
    os.environ.setdefault('HF_HUB_OFFLINE', '1')
    import audio  # noqa: F401
    import dense  # noqa: F401
    import language  # noqa: F401
    import other  # noqa: F401
    import vision  # noqa: F401
    from registry import ENTRIES

    names = sys.argv[2:]
    if sys.argv[1:] == ['--list']:
        return print('\n'.join(f'{entry.name}\t{entry.kind}\t{" ".join(entry.forms)}' for entry in ENTRIES.values()))
    if len(sys.argv) < 2 or not set(names) <= ENTRIES.keys():
        sys.exit(__doc__.strip())
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    index = folder / 'zoo.json'

    def read():
        return json.loads(index.read_text(encoding='utf-8')) if index.exists() else {}

    def is_made(name, entry):
        record = read()
        return 'error' in record.get(name, {}) or all(
            title in record for title in (name, *(f'{name}_{form}' for form in entry.forms))
        )

    for name, entry in ENTRIES.items():
        if name in names or not names and not is_made(name, entry):
            made = make(name, entry, folder)
            index.write_text(json.dumps({**read(), **made}, indent=1), encoding='utf-8')
    record = read()
    failed = [name for name, one in record.items() if 'error' in one]
    print(f'zoo: {len(record) - len(failed)} models in {folder}' + (f'; not made: {", ".join(failed)}' if failed else ''))


if __name__ == '__main__':
    main()
