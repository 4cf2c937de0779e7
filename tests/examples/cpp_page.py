"""Writes one C++ program with all examples of a page, each of which is a whole program, and their expected outputs.

usage: cpp_page.py PAGE OUTPUT
"""
import pathlib
import re
import sys

page = pathlib.Path(sys.argv[1]).read_text(encoding='utf-8')
examples = re.findall(r'^## (.+?)\n\n```cpp\n(.*?)^```\n\n```text\n(.*?)^```$', page, flags=re.MULTILINE | re.DOTALL)
assert len(examples) == page.count('```cpp') > 0, 'each example has a heading before it and its output after it'
includes, functions, table = set(), '', ''
for number, (title, code, output) in enumerate(examples):
    includes |= set(re.findall(r'^#include .+$', code, flags=re.MULTILINE))
    body = re.sub(r'^#include .+\n', '', code, flags=re.MULTILINE)
    assert body.count('int main() {') == 1, title
    functions += f'// {title}\n' + body.replace('int main() {', f'void example{number}() {{')
    table += f'    {{R"({title})", example{number}, R"({output})"}},\n'
pathlib.Path(sys.argv[2]).write_text(
    '\n'.join(sorted(includes)) + f'\n\n#include "examples/cpp_page.h"\n\n{functions}\nconst std::vector<Example> kExamples{{\n{table}}};\n', encoding='utf-8')
