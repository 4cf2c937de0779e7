"""Checks that a library exports exactly the functions of a sorted list, and that its headers declare the same.

Arguments: nm, the library, the list (for instance src/capi/symbols.txt), the macro that begins each declaration, the headers."""
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parents[2]
nm, library, symbols, macro, *names = sys.argv[1:]
listed = (root / symbols).read_text(encoding='utf-8').split()
lines = subprocess.run([nm, '-D', '--defined-only', library], check=True, capture_output=True, text=True).stdout.splitlines()
exported = {line.split()[-1].split('@')[0] for line in lines}
headers = ''.join((root / name).read_text(encoding='utf-8') for name in names)
declared = set(re.findall(rf'^{macro} [\w* ]*?(\w+)\(', headers, re.MULTILINE))
errors = [f'{name} is exported but not listed' for name in sorted(exported - set(listed))]
errors += [f'{name} is listed but not exported' for name in sorted(set(listed) - exported)]
errors += [f'{name} is declared but not listed' for name in sorted(declared - set(listed))]
errors += [f'{name} is listed but not declared' for name in sorted(set(listed) - declared)]
if listed != sorted(listed):
    errors.append(f'{pathlib.Path(symbols).name} is not sorted')
print('\n'.join(errors))
sys.exit(1 if errors else 0)
