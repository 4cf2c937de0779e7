"""Checks that the C API's library exports exactly the functions of src/capi/symbols.txt, and that the headers declare the same.

Arguments: nm, the library."""
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parents[2]
nm, library = sys.argv[1:]
listed = (root / 'src/capi/symbols.txt').read_text(encoding='utf-8').split()
lines = subprocess.run([nm, '-D', '--defined-only', library], check=True, capture_output=True, text=True).stdout.splitlines()
exported = {line.split()[-1].split('@')[0] for line in lines}
headers = ''.join((root / 'include/webnn' / name).read_text(encoding='utf-8') for name in ('webnn.h', 'webnn_operations.h'))
declared = set(re.findall(r'^WEBNN_EXPORT [\w* ]*?(webnn\w+)\(', headers, re.MULTILINE))
errors = [f'{name} is exported but not listed' for name in sorted(exported - set(listed))]
errors += [f'{name} is listed but not exported' for name in sorted(set(listed) - exported)]
errors += [f'{name} is declared but not listed' for name in sorted(declared - set(listed))]
errors += [f'{name} is listed but not declared' for name in sorted(set(listed) - declared)]
if listed != sorted(listed):
    errors.append('symbols.txt is not sorted')
print('\n'.join(errors))
sys.exit(1 if errors else 0)
