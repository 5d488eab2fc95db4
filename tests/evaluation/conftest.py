"""A server for each test that wants one."""

from scripted_server import serve  # noqa: F401 (a fixture)
