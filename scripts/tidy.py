#!/usr/bin/env python3
"""Runs clang-tidy with the checks of .clang-tidy over all sources, or over the given files and folders. A header is checked by
way of a source that includes it. Exit status 1 if there are findings.

usage: tidy.py [--jobs N] [--slowest] [FILE or FOLDER...]

The program uses the build folder build/tidy, which is configured but not built. Several sources are checked as one unit (a unity
build), because reading the headers takes most of the time. Kernels are skipped: Highway compiles each several times."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = ROOT / 'build/tidy'
CLANG_TIDY = 'clang-tidy-19'
# Skipped directories, and sources that include build products.
SKIPPED = re.compile(r'/src/backends/cpu/simd/|/tests/capi/operations_test\.cpp$')
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def configure():
    subprocess.run([ROOT / 'scripts/setup/setup.sh', 'tidy'], check=True)
    options = []
    packages = ROOT / 'bindings/node/node_modules'
    if (packages / 'node-addon-api/napi.h').exists() and (packages / 'node-api-headers/include/node_api.h').exists():
        options.append('-DWEBNN_BUILD_NODE=ON')
    python = ROOT / 'build/python-package/bin/python'
    if python.exists():
        options += ['-DWEBNN_BUILD_PYTHON=ON', f'-DPython_EXECUTABLE={python}']
    done = subprocess.run(['cmake', '--preset', 'tidy', *options], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)


def sources_of(unit):
    """Returns the repository's source files that `unit` consists of: the files that a unity file includes, or the unit itself."""
    path = pathlib.Path(unit)
    if path.is_relative_to(BUILD):
        return [pathlib.Path(source) for source in INCLUDE.findall(path.read_text(encoding='utf-8'))]
    return [path]


def units():
    """Returns {unit: its sources} of all units to check."""
    commands = json.loads((BUILD / 'compile_commands.json').read_text(encoding='utf-8'))
    result = {entry['file']: sources_of(entry['file']) for entry in commands}
    return {unit: sources for unit, sources in result.items()
            if all(source.is_relative_to(ROOT) and not SKIPPED.search(str(source)) for source in sources)}


def included(path, known):
    """Returns the repository's headers that `path` includes, directly or indirectly. `known` is a cache."""
    if path not in known:
        known[path] = found = set()
        for name in INCLUDE.findall(path.read_text(encoding='utf-8')):
            for folder in (path.parent, ROOT / 'src', ROOT / 'include', ROOT / 'tests'):
                header = (folder / name).resolve()
                if header.is_file():
                    found.add(header)
                    found |= included(header, known)
                    break
    return known[path]


def chosen(all_units, files):
    """Returns the units that contain `files`; for a header, the first unit that includes it."""
    known, result = {}, set()
    for file in files:
        path = pathlib.Path(file).resolve()
        exact = [unit for unit, sources in all_units.items() if any(source.is_relative_to(path) for source in sources)]
        including = [] if exact else [unit for unit, sources in all_units.items()
                                      if any(path in included(source, known) for source in sources)]
        if not exact and not including:
            sys.exit(f'{file}: no source that is checked is it or includes it.')
        result.update(exact or including[:1])
    return sorted(result)


def check(unit, arguments):
    begin = time.monotonic()
    done = subprocess.run([CLANG_TIDY, '-p', BUILD, '--quiet', *arguments, unit], cwd=ROOT, capture_output=True, text=True,
                          check=False)
    # Standard error only contains the number of suppressed warnings, unless clang-tidy fails.
    return done.returncode, done.stdout if done.returncode < 2 else done.stdout + done.stderr, time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--jobs', type=int, default=int(os.environ.get('JOBS') or len(os.sched_getaffinity(0))))
    parser.add_argument('--slowest', action='store_true', help='print the time of each unit')
    parser.add_argument('files', nargs='*')
    options = parser.parse_args()
    configure()
    all_units = units()
    names = chosen(all_units, options.files) if options.files else list(all_units)
    arguments = []
    if options.files and not any(pathlib.Path(file).is_dir() for file in options.files):
        lines = [{'name': str(pathlib.Path(file).resolve())} for file in options.files]
        arguments.append('--line-filter=' + json.dumps(lines))
    seen, failed = set(), 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for unit, (status, text, seconds) in zip(names, pool.map(lambda unit: check(unit, arguments), names)):
            failed += status != 0
            if options.slowest:
                print(f'{seconds:6.1f} s  {os.path.relpath(unit, ROOT)}', flush=True)
            for finding in re.split(r'\n(?=/[^\n]*: (?:warning|error): )', text.strip()):
                if finding and finding not in seen:  # findings in a header are repeated for each source that includes it
                    seen.add(finding)
                    print(finding.replace(f'{ROOT}/', ''), flush=True)
    print(f'tidy: {sum(len(all_units[name]) for name in names)} sources in {len(names)} units, {len(seen)} findings')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
