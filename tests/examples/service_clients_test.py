"""Tests that programs in C++, Python and JavaScript can use one service (examples/service). Their results must be right and
equal, and killing a program or its worker must not disturb the others.

usage: service_clients_test.py TOOL CLIENT
"""
import json
import pathlib
import shutil
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / 'tests/support'))
from running_service import Service, kill  # noqa: E402

tool, cpp = sys.argv[1:]
examples, digits = root / 'examples/service', root / 'examples/digits'
python = root / 'build/python-package/bin/python'
addon = next(root.glob('bindings/node/prebuilds/*/webnn-service'), None)
programs = {'C++': [cpp, '{}', digits / 'digits.webnn']}
if python.exists() and subprocess.run([python, '-c', 'import webnn, PIL'], capture_output=True, check=False).returncode == 0:
    programs['Python'] = [python, examples / 'client.py', '{}', digits / 'digits.webnn']
else:
    print('skipped: the client in Python, as build/python-package is not there')
if addon and shutil.which('node'):
    programs['JavaScript'] = ['node', examples / 'client.mjs', '{}', digits / 'digits.safetensors']
else:
    print('skipped: the client in JavaScript, as the package of Node.js is not built')

expected = {}  # picture -> digit and probability, computed in double precision
for picture, probabilities in json.loads((digits / 'expected.json').read_text()).items():
    expected[str(digits / picture)] = max((value, digit) for digit, value in enumerate(probabilities))


class Client:
    def __init__(self, name, service):
        self.name = name
        command = [str(part).format(service.address) for part in programs[name]]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.worker = service.event('started')['worker']

    def ask(self, picture):
        self.process.stdin.write(f'{picture}\n')
        self.process.stdin.flush()
        return self.answer()

    def answer(self):
        line = self.process.stdout.readline().strip()
        assert line, f'the client in {self.name} has ended'
        return line

    def require(self, picture):
        """Asks the client for the digit in `picture`, and compares the answer with the expected one."""
        answer = self.ask(picture)
        digit, probability = answer.split()
        assert int(digit) == expected[picture][1], (self.name, picture, answer)
        assert abs(float(probability) - expected[picture][0]) < 1e-5, (self.name, picture, answer)
        return answer

    def end(self):
        self.process.stdin.close()
        assert self.process.wait() == 0, self.name
        self.process.stdout.close()


with Service(tool) as service:
    clients = [Client(name, service) for name in programs]
    for picture in expected:
        answers = {client.require(picture) for client in clients}
        assert len(answers) == 1, answers  # all clients print the same digits
    assert service.status()['tenants'][0]['contexts'] == len(clients)

    some = next(iter(expected))
    for client in clients:  # Each client loses its worker once. It reports the loss and goes on; no other client is affected.
        kill(client.worker)
        lost = service.event('lost')
        assert (lost['worker'], lost['reason']) == (client.worker, 'worker was killed by signal 9 (SIGKILL)'), lost
        answer = client.ask(some)
        assert answer.startswith('lost: ') and answer.endswith('worker was killed by signal 9 (SIGKILL)'), (client.name, answer)
        assert int(client.answer().split()[0]) == expected[some][1], client.name
        client.worker = service.event('started')['worker']
        for other in clients:
            other.require(some)

    victim = Client('C++', service)
    victim.require(some)
    kill(victim.process.pid)
    victim.process.wait()
    assert service.event('left')['connection'] > 0
    for client in clients:
        client.require(some)
    assert service.status()['tenants'][0]['contexts'] == len(clients)
    for client in clients:
        client.end()
