"""A second opinion: exact cover (Knuth's Algorithm X), and boards read off texts."""

from math import isqrt


def board_of(observation):
    """Read the board that an observation shows, "." for a blank."""
    rows = [line for line in observation.splitlines() if line.startswith("Row ")]
    grid = [line.split(" | ", 1)[1] for line in rows if " | " in line]
    return "".join(symbol for row in grid for symbol in row if symbol not in "| ")


def all_solutions(puzzle):
    size = isqrt(len(puzzle))
    box = isqrt(size)
    choices, columns = {}, {}
    for cell, given in enumerate(puzzle):
        row, column = divmod(cell, size)
        for digit in range(1, size + 1):
            if given in (".", str(digit)):
                square = row // box * box + column // box
                needs = [
                    ("cell", cell),
                    ("row", row, digit),
                    ("column", column, digit),
                    ("box", square, digit),
                ]
                choices[cell, digit] = needs
                for need in needs:
                    columns.setdefault(need, set()).add((cell, digit))
    if len(columns) == 4 * len(puzzle):
        for picks in _cover(columns, choices, []):
            yield "".join(str(digit) for _, digit in sorted(picks))


def _cover(columns, choices, picks):
    if not columns:
        yield list(picks)
        return
    need = min(columns, key=lambda key: len(columns[key]))
    for choice in sorted(columns[need]):
        removed = _take(columns, choices, choice)
        picks.append(choice)
        yield from _cover(columns, choices, picks)
        picks.pop()
        _give_back(columns, choices, choice, removed)


def _take(columns, choices, choice):
    removed = []
    for need in choices[choice]:
        for rival in columns[need]:
            for other in choices[rival]:
                if other != need:
                    columns[other].discard(rival)
        removed.append(columns.pop(need))
    return removed


def _give_back(columns, choices, choice, removed):
    for need in reversed(choices[choice]):
        columns[need] = removed.pop()
        for rival in columns[need]:
            for other in choices[rival]:
                if other != need:
                    columns[other].add(rival)
