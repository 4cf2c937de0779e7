"""`python -m webnn`: the command line tool webnn."""

import signal
import sys

from webnn import _webnn


def main() -> int:
    """Runs the tool with the arguments of the process."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Python could not handle it while the tool runs
    if sys.stdout:  # None where the process was started without
        sys.stdout.flush()
    return _webnn._run_tool(["webnn", *sys.argv[1:]], [sys.executable, "-m", "webnn"])


if __name__ == "__main__":
    sys.exit(main())
