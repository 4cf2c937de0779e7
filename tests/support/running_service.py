"""Runs `webnn serve` during a test."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile


class Service:
    """The service, on a socket in a temporary folder, as the user who runs the test. It ends when the `with` block ends."""

    def __init__(self, tool):
        self.tool = str(tool)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='webnn-'))
        self.socket = self.folder / 'socket'
        self.address = f'unix:{self.socket}'

    def __enter__(self):
        command = [self.tool, 'serve', '--socket', str(self.socket)]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        self.event('listening')
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.process.stderr.close()
        shutil.rmtree(self.folder)

    def event(self, name):
        """Reads the service's log up to the next line about event `name`, and returns that line."""
        for line in self.process.stderr:
            event = json.loads(line)
            if event['event'] == name:
                return event
        raise AssertionError(f'the service has ended before an event {name}')

    def status(self):
        command = [self.tool, 'service', 'status', '--json', '--address', self.address]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def kill(process):
    """Ends a process as abruptly as a crash."""
    os.kill(process, signal.SIGKILL)
