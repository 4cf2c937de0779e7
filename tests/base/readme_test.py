"""Checks that the README contains examples/relu/relu.cpp, which is compiled and run, and that links to files in the README, the
changelog, CONTRIBUTING.md and docs/ are valid."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
readme = (root / 'README.md').read_text(encoding='utf-8')
errors = []
if (root / 'examples/relu/relu.cpp').read_text(encoding='utf-8') not in readme:
    errors.append('the C++ example of README.md is not examples/relu/relu.cpp')
for page in [root / 'README.md', root / 'CHANGELOG.md', root / 'CONTRIBUTING.md', *(root / 'docs').rglob('*.md')]:
    prose = re.sub(r'^```.*?^```$', '', page.read_text(encoding='utf-8'), flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r'\]\(([^)#]+)', prose):
        if not link.startswith('http') and not (page.parent / link).exists():
            errors.append(f'{page.relative_to(root)}: {link} does not exist')
print('\n'.join(errors))
sys.exit(1 if errors else 0)
