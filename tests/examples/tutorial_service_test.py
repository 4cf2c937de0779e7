"""Checks that the commands of docs/tutorials/service.md print the output that the page shows.

Values that differ between runs and machines are not compared: times, process and user numbers, tenants, shares and isolation.

usage: tutorial_service_test.py TOOL
"""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parents[2]
tool = pathlib.Path(sys.argv[1]).resolve()
section = (root / 'docs/tutorials/service.md').read_text(encoding='utf-8')
commands, shown = (re.search(rf'```{kind}\n(.*?)```', section, re.DOTALL).group(1).splitlines() for kind in ('sh', 'text'))
stop = re.search(r'`webnn (service stop [^`]*)`', section).group(1)


def like(line):
    """Returns `line` with replacements for the values that differ between runs."""
    line = re.sub(r'"(time|tenant|shares)":"[^"]*"', r'"\1":"-"', line)
    line = re.sub(r'"(worker|uid|client)":\d+', r'"\1":0', line)
    return re.sub(r'^[0-9.e+]+ ms', '0 ms', line)


def is_event(line):
    return line.startswith('{')


assert len(commands) == 3, commands
with tempfile.TemporaryDirectory() as folder:
    place = pathlib.Path(folder, 'build/release/tools/cli')
    place.mkdir(parents=True)
    (place / 'webnn').symlink_to(tool)
    pathlib.Path(folder, 'examples').symlink_to(root / 'examples')
    printed, events, service = [], [], None
    for command in commands:
        if command.endswith(' &'):
            service = subprocess.Popen(shlex.split(command[:-2]), cwd=folder, stderr=subprocess.PIPE, text=True)
        else:
            done = subprocess.run(shlex.split(command), cwd=folder, capture_output=True, text=True, check=True)
            assert not done.stderr, done.stderr
            printed += done.stdout.splitlines()
    while not events or '"event":"left"' not in events[-1]:
        events.append(service.stderr.readline().rstrip())
    subprocess.run([place / 'webnn', *shlex.split(stop)], cwd=folder, check=True)
    assert service.wait(timeout=60) == 0
    service.stderr.close()
assert [like(line) for line in printed] == [like(line) for line in shown if not is_event(line)], printed
events = [line for line in events if '"event":"isolation"' not in line]  # these events depend on the machine
assert [like(line) for line in events] == [like(line) for line in shown if is_event(line)], events
