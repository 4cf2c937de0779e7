"""`python -m webnn`: the command line tool webnn."""

import signal
import sys

from webnn import _webnn


def main() -> int:
    """Runs the command line tool with this process's arguments. Returns the exit status."""
    # Let Ctrl+C terminate the process immediately, because Python cannot run its handler during the tool.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.stdout:  # None if the process was started without standard output
        sys.stdout.flush()
    return _webnn._run_tool(["webnn", *sys.argv[1:]], [sys.executable, "-m", "webnn"])


if __name__ == "__main__":
    sys.exit(main())
