"""`python -m webnn`: the command line tool webnn."""

import signal
import sys

from webnn import _webnn


def main() -> int:
    """Runs the command line tool with the arguments of the process."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Python cannot handle it while the tool runs
    if sys.stdout:  # None if the process was started without it
        sys.stdout.flush()
    return _webnn._run_tool(["webnn", *sys.argv[1:]], [sys.executable, "-m", "webnn"])


if __name__ == "__main__":
    sys.exit(main())
