#!/usr/bin/env python3
"""Reports what makes builds slow: how many translation units read each header of LIMITS, and the slowest units.

usage: build_report.py BUILD_FOLDER [--check] [--slowest N]

BUILD_FOLDER must have been built by ninja. The time of a unit is that of its last build. If you use a compiler cache, build with
CCACHE_DISABLE=1 first. --check: exit status 1 if a header is read by more units than its limit."""
import argparse
import pathlib
import re
import subprocess
import sys

# Maps the end of a header's path to the maximum number of units that may read that header; None: any number.
LIMITS = {
    'webnn/context.h': 120,
    'ops/operation.h': 100,
    'fmt/core.h': 180,
    'nlohmann/json.hpp': 15,
    'CLI/CLI.hpp': 50,
    'gtest/gtest.h': None,
}


def units(folder):
    """Returns {object file: the files that its compilation read}."""
    text = subprocess.run(['ninja', '-C', folder, '-t', 'deps'], capture_output=True, text=True, check=True).stdout
    result, read = {}, None
    for line in text.splitlines():
        head = re.match(r'(\S+\.o): #deps', line)
        if head:
            read = result[head[1]] = set()
        elif not line.strip():
            read = None
        elif read is not None:
            read.add(line.strip())
    return result


def seconds(folder):
    """Returns {output file: seconds that its last build took}."""
    result = {}
    for line in (pathlib.Path(folder) / '.ninja_log').read_text().splitlines()[1:]:
        begin, end, _, output, _ = line.split('\t')
        result[output] = (int(end) - int(begin)) / 1000
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder')
    parser.add_argument('--check', action='store_true')
    parser.add_argument('--slowest', type=int, default=20)
    options = parser.parse_args()
    read, times = units(options.folder), seconds(options.folder)
    if not read:
        sys.exit(f'{options.folder}: nothing is built there.')
    over = []
    print(f'{len(read)} units\n\nunits  limit  header')
    for header, limit in LIMITS.items():
        count = sum(any(file.endswith('/' + header) for file in files) for files in read.values())
        print(f'{count:5}  {limit or "":>5}  {header}')
        if limit and count > limit:
            over.append(header)
    built = {unit: times[unit] for unit in read if unit in times}
    print(f'\n{sum(built.values()):.0f} s for all units; the slowest:\n')
    for unit, time in sorted(built.items(), key=lambda item: -item[1])[:options.slowest]:
        print(f'{time:6.1f} s  {re.sub(r"CMakeFiles/[^/]*[.]dir/", "", unit).removesuffix(".o")}')
    if options.check and over:
        sys.exit('read by more units than they may be: ' + ', '.join(over))


if __name__ == '__main__':
    main()
