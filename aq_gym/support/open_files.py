"""The limit of open files of this process."""

from __future__ import annotations


def allow_open_files(number: int) -> None:
    """Raise the soft limit of open files, where the system has one.

    Args:
        number: The number of files that may be needed; the hard limit stays.
    """
    try:
        import resource
    except ModuleNotFoundError:
        return  # Windows has no such limit.
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY:
        number = min(number, hard)
    if soft != resource.RLIM_INFINITY and soft < number:
        resource.setrlimit(resource.RLIMIT_NOFILE, (number, hard))
