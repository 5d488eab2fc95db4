"""The commands of ``aq-gym``.

The module of a command has two functions: ``add_arguments(parser)`` adds its arguments
to an ``argparse`` parser, and ``command(options)`` carries it out with the parsed
options and returns the exit code.
"""
