#!/usr/bin/env python3
"""Checks bench/amx_tune: with emulated tiles it reports every kind of product; on a processor without AMX it writes no report.

usage: amx_tune_test.py AMX_TUNE"""
import pathlib
import re
import subprocess
import sys
import tempfile

SKIPPED = 77


def tune(*arguments):
    return subprocess.run([sys.argv[1], *map(str, arguments)], capture_output=True, text=True)


with tempfile.TemporaryDirectory() as folder:
    out = pathlib.Path(folder) / 'amx.md'
    assert tune().returncode == 2
    result = tune('--emulated', out)
    assert result.returncode == 0, result.stderr
    if 'has no AVX-512' in result.stdout:
        assert not out.exists()
        print('skipped: this processor has no AVX-512')
        sys.exit(SKIPPED)
    report = out.read_text(encoding='utf-8')
    for kind, rows in (('float32', 32), ('float16', 32), ('8 bits', 5)):
        table = report.split(f'## Products of {kind}\n')[1].split('\n## ')[0]
        measured = re.findall(r'^\| (\d+x\d+x\d+) \| \d+\.\d \| \d+\.\d\d \| \d+\.\d \| \d+\.\d\d \|$', table, re.M)
        assert measured == [f'{rows}x64x64', f'{rows}x128x128'], table
    for row in ('floats', 'halves', 'bytes'):
        assert re.search(rf'{row}.*  // now {{ProductType::{row}, {{\d+, \d+, \d+}}}},', report), report
    out.unlink()
    if ' amx_tile ' not in pathlib.Path('/proc/cpuinfo').read_text().replace('\n', ' '):
        result = tune(out)
        assert result.returncode == 0 and 'has no AMX' in result.stdout and not out.exists(), result
