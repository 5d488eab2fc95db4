"""Kill a process, or let its disk fail, at one of its writes.

The writes of all processes of a command are counted together.
"""

import os
import signal
import sys

# Kill the whole command, or the process that writes.
KILL_ALL, KILL_ONE = "kill all", "kill one"
# Python imports it as it starts.
_SITE = "import sys\nsys.path.append({here!r})\nimport fault_injection\n"
_SITE += "fault_injection.begin(*{arguments!r})\n"


def begin_in_workers(site, *arguments):
    """Have the processes that are started from now on begin with the same faults.

    Args:
        site: A new folder, for a module that Python imports as it starts.
        *arguments: Those of :func:`begin`.
    """
    site.mkdir()
    text = _SITE.format(here=os.path.dirname(__file__), arguments=arguments)
    (site / "sitecustomize.py").write_text(text)
    os.environ["PYTHONPATH"] = os.pathsep.join(
        [str(site), os.environ.get("PYTHONPATH", "")]
    )


def begin(folder, counter, fault, moment):
    """Let a fault happen at a write in a folder, from now on in this process.

    Args:
        folder: The folder.
        counter: A file elsewhere, which gets a byte for each write.
        fault: KILL_ALL, KILL_ONE, or the number of an error.
        moment: The number of the write, from 1.
    """
    count = os.open(counter, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    write = os.write

    def happen(before=lambda: None):
        write(count, b".")
        # The place where this process wrote, whoever else does.
        if os.lseek(count, 0, os.SEEK_CUR) != moment:
            return
        if fault in (KILL_ALL, KILL_ONE):
            before()
            os.kill(0 if fault == KILL_ALL else os.getpid(), signal.SIGKILL)
        raise OSError(fault, os.strerror(fault))

    def is_inside(path):
        if isinstance(path, int):
            path = _path(path)
        return os.path.abspath(os.fsdecode(path)).startswith(folder)

    def audit(event, arguments):
        if event == "open":
            written = arguments[2] & (os.O_WRONLY | os.O_RDWR)
        else:
            written = event in ("os.rename", "os.remove", "os.mkdir", "os.truncate")
        if written and is_inside(arguments[0]):
            torn = event == "open" and arguments[2] & os.O_TRUNC
            happen(lambda: tear(arguments[0]) if torn else None)

    def tear(path):
        """Leave a file that would be written anew empty, or half of what it had."""
        size = os.path.getsize(path) // 2 if os.path.isfile(path) else 0
        with open(path, "ab") as file:
            file.truncate(size)

    def torn_write(descriptor, data):
        if is_inside(descriptor):
            happen(lambda: write(descriptor, data[: len(data) // 2]))
        return write(descriptor, data)

    def checked_fsync(descriptor):
        if is_inside(descriptor):
            happen()
        return fsync(descriptor)

    fsync = os.fsync
    os.write, os.fsync = torn_write, checked_fsync
    sys.addaudithook(audit)


def _path(descriptor):
    """Return the path of an open file, "/" if it is another thing, such as a pipe."""
    try:
        path = os.readlink(f"/proc/self/fd/{descriptor}")
    except OSError:
        return "/"
    return path if os.path.isabs(path) else "/"
