"""Tests that `webnn serve` uses the socket that systemd passes (sd_listen_fds(3)), and that the unit files are valid.

usage: systemd_test.py TOOL UNITS
"""
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile

tool, units = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
model = pathlib.Path(__file__).resolve().parents[2] / 'examples/digits/digits.webnn'
ORDINARY = 65533


def as_user(user):
    return {} if user is None else {'user': user, 'group': user, 'extra_groups': []}


def run(*command, user=None):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **as_user(user))


def serve(passed, count, user):
    """Starts the service with the socket as descriptor 3, and with an empty environment except for systemd's variables."""
    script = f'exec env -i LISTEN_PID=$$ LISTEN_FDS={count} "$0" serve 3<&{passed.fileno()}'
    return subprocess.Popen(['sh', '-c', script, tool], pass_fds=[passed.fileno()], stderr=subprocess.PIPE, text=True, **as_user(user))


def listening(folder, user, kind=socket.SOCK_SEQPACKET):
    made = socket.socket(socket.AF_UNIX, kind)
    path = pathlib.Path(folder) / f'{kind}.socket'
    made.bind(str(path))
    made.listen()
    if user is not None:
        os.chown(path, user, user)
    return made, path


def values(output):
    """Returns the output of `webnn run` without the time."""
    lines = output.splitlines()[:-1]
    assert lines[0] == 'probabilities: float32[1, 10]', output
    return lines


def check_socket(user):
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        made, path = listening(folder, user)
        # The first client connects before the service starts, as with systemd's socket activation.
        with subprocess.Popen([tool, 'run', model, f'--service=unix:{path}', '--input', 'image=zeros'], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, **as_user(user)) as client, made:
            service = serve(made, 1, user)
            output, errors = client.communicate(timeout=60)
            assert client.returncode == 0, errors
            here = run(tool, 'run', model, '--input', 'image=zeros').stdout
            assert values(output) == values(here)
            status = run(tool, 'service', 'status', '--address', f'unix:{path}', user=user)
            assert f'process {service.pid},' in status.stdout, status
            stopped = run(tool, 'service', 'stop', '--address', f'unix:{path}', user=user)
            assert stopped.returncode == 0, stopped
            assert service.wait(timeout=60) == 0
            assert '"event":"listening"' in service.stderr.read()
            assert path.exists()  # systemd owns the socket, so the service must not remove it


def check_refusals():
    with tempfile.TemporaryDirectory() as folder:
        stream, _ = listening(folder, None, socket.SOCK_STREAM)
        packets, _ = listening(folder, None)
        with stream, packets:
            for passed, count in ((stream, 1), (packets, 2)):
                service = serve(passed, count, None)
                assert service.wait(timeout=60) != 0
                assert 'ListenSequentialPacket' in service.stderr.read()


def check_units():
    if not shutil.which('systemd-analyze'):
        print('skipped: the units, as there is no systemd-analyze')
        return
    for kind in ('system', 'user'):
        with tempfile.TemporaryDirectory() as folder:
            for unit in ('webnn.socket', 'webnn.service'):
                lines = (units / kind / unit).read_text().splitlines()
                lines = [f'ExecStart={tool} serve' if line.startswith('ExecStart=') else line for line in lines]
                (pathlib.Path(folder) / unit).write_text('\n'.join(lines) + '\n')
            verified = run('systemd-analyze', f'--{kind}', 'verify', f'{folder}/webnn.socket', f'{folder}/webnn.service')
            complaints = [line for line in (verified.stdout + verified.stderr).splitlines() if 'webnn' in line]
            assert not complaints, complaints


check_socket(None)
if os.geteuid() != 0:
    print('skipped: the service of another user, as this is not root')
elif run(tool, '--version', user=ORDINARY).returncode != 0:
    print(f'skipped: the service of another user, who cannot read {tool}')
else:
    check_socket(ORDINARY)
check_refusals()
check_units()
