"""Write the example of ``aq/GAIA-v0``: 20 questions in GAIA's form, and the prompt's.

Every name and number is invented. The files say the same each time, but their bytes
depend on the versions of the libraries and on the time::

    python tools/gaia_example.py
"""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import NamedTuple

import numpy as np
from gaia_files import archive, letter, pdf, picture, slides, sound, table, workbook

FOLDER = Path(__file__).parents[1] / "aq_gym/envs/gaia/data"
_NAMESPACE = uuid.UUID("8f14e45f-ceea-467a-9575-6a7b2a2d5b24")
_RNG = np.random.default_rng(33)


class Made(NamedTuple):
    """A question with its file.

    Attributes:
        level: 1 to 3.
        question: The question.
        answer: The final answer.
        steps: The annotated steps.
        kind: The end of the file's name, "" if there is none.
        content: The file.
    """

    level: int
    question: str
    answer: object
    steps: list[str]
    kind: str = ""
    content: bytes = b""


def numbers(low: int, high: int, count: int) -> list[int]:
    """Draw numbers."""
    return [int(one) for one in _RNG.integers(low, high, size=count)]


def total(values: list[int]) -> str:
    """Return a sum as an equation."""
    return f"{' + '.join(map(str, values))} = {sum(values)}"


def level_1() -> list[Made]:
    """Return the questions of one or two steps."""
    oars = numbers(110, 480, 6)
    crates = {"pears": 134, "plums": 92, "quinces": 57, "figs": 211}
    loads = [
        ["Boat", "Tons"],
        *zip(("Ada", "Bram", "Cleo", "Dora"), oars, strict=False),
    ]
    return [
        Made(
            1,
            "A ferry takes 38 cars and makes 7 trips a day. It is full on each trip of "
            "5 days and half full on each trip of 2 days. How many cars does it take "
            "in these 7 days?",
            38 * 7 * 6,
            [
                "Full days: 38 * 7 * 5 = 1330.",
                "Half full: 19 * 7 * 2 = 266.",
                "Together: 1330 + 266 = 1596.",
            ],
        ),
        Made(
            1,
            "In the attached diary, on which weekday was the lamp of the lighthouse "
            "repaired?",
            "Thursday",
            [
                "Open the diary.",
                'The lamp breaks on the evening of the "second gale".',
                "It is repaired on the next day but one.",
            ],
            ".txt",
            b"Monday: fog all day, 14 ships passed.\nTuesday: the second gale. The "
            b"lamp went out in the evening.\nWednesday: no spare parts; the boat came "
            b"too late.\nThursday: new glass fitted, the lamp burns again.\nFriday: "
            b"painted the door.\n",
        ),
        Made(
            1,
            "How many tons did the four boats in the attached table load together?",
            sum(oars[:4]),
            ["Open the table.", f"Add the column: {total(oars[:4])}."],
            ".csv",
            table(loads),
        ),
        Made(
            1,
            "Which two kinds of fruit in the attached stock list have fewer than 100 "
            "crates? Give them in alphabetical order, separated by a comma.",
            "plums, quinces",
            [
                "Open the list.",
                "There are 92 crates of plums.",
                "There are 57 crates of quinces.",
            ],
            ".json",
            json.dumps({"warehouse": "North", "crates": crates}, indent=1).encode(),
        ),
        Made(
            1,
            "What is the final output of the attached program?",
            95,
            [
                "Read the program.",
                "It adds the even numbers: 12 + 34 + 56 = 102.",
                "It takes 7 away.",
            ],
            ".c",
            b"#include <stdio.h>\n\nint main(void) {\n"
            b"    int values[] = {12, 7, 34, 9, 56}, total = 0;\n"
            b"    for (int i = 0; i < 5; i++)\n"
            b"        if (values[i] % 2 == 0) total += values[i];\n"
            b'    printf("%d", total - 7);\n}\n',
        ),
        Made(
            1,
            "How much did the choir of the attached workbook spend on sheet music? "
            "Give the sum in dollars with two decimals.",
            "62.75",
            [
                "Open the workbook.",
                "The music costs 18.50, 30.25 and 14.00 dollars: "
                "18.50 + 30.25 + 14.00 = 62.75.",
            ],
            ".xlsx",
            workbook(
                {
                    "Costs": [
                        ["Item", "Dollars"],
                        ["Music: Spring", 18.5],
                        ["Hall", 120],
                        ["Music: Winds", 30.25],
                        ["Tea", 9.9],
                        ["Music: Evening", 14],
                    ]
                }
            ),
        ),
        Made(
            1,
            "To which town does the writer of the attached letter move?",
            "Ostermark",
            [
                "Open the letter.",
                'The writer leaves for "the town with the two bridges".',
                "That town is named in the first paragraph.",
            ],
            ".docx",
            letter(
                [
                    "Dear Ilse, last summer I saw Halden, with its mill, and "
                    "Ostermark, the town with the two bridges.",
                    "In May I leave for good: for the "
                    "town with the two bridges, to be near the water. Yours, Theo",
                ]
            ),
        ),
        Made(
            1,
            "By how many minutes is the last ferry of the attached timetable later in "
            "summer than in winter?",
            85,
            [
                "Open the timetable.",
                "In summer it leaves at 21:40, in winter at 20:15.",
                "In minutes: 21 * 60 + 40 - (20 * 60 + 15) = 85.",
            ],
            ".pdf",
            pdf(
                [
                    [
                        "Ferry of the Narrows",
                        "Summer: first 06:30, last 21:40",
                        "Winter: first 07:15, last 20:15",
                    ]
                ]
            ),
        ),
    ]


def level_2() -> list[Made]:
    """Return the questions of several steps."""
    names = ["Alder", "Birch", "Cedar", "Elm", "Fir", "Hazel"]
    yields = numbers(120, 900, 6)
    prices = {"Alder": 14, "Birch": 23, "Cedar": 31}
    levels, flows = numbers(1000, 9999, 900), numbers(10, 99, 900)
    meters = [
        [f"day {day}", *both]
        for day, both in enumerate(zip(levels, flows, strict=True), 1)
    ]
    top = levels.index(max(levels))
    level, flow = levels[top], flows[top]
    sizes = numbers(21, 98, 3)
    stations = {"Vale": [4, 11, 9], "Crag": [17, 3, 8], "Mere": [6, 6, 13]}
    sold: list[list[object]] = [
        ["Row", "A", "B", "C"],
        [1, 240, 310, 150],
        [2, 405, 190, 260],
        [3, 330, 275, 120],
    ]
    return [
        Made(
            2,
            "In the attached plan of a field, what is the yield of all green plots "
            "(00B050) together?",
            310 + 405 + 120,
            [
                "Open the plan.",
                "The green plots are B1, A2 and C3.",
                "Add them: 310 + 405 + 120 = 835.",
            ],
            ".xlsx",
            workbook(
                {"Field": sold},
                {
                    "B2": "FFFF00",
                    "C2": "00B050",
                    "B3": "00B050",
                    "D3": "FF0000",
                    "D4": "00B050",
                },
            ),
        ),
        Made(
            2,
            "The attached workbook has the trees that were sold and the price of each "
            "kind. What did the birches bring in, in dollars, less 10 percent?",
            "2732.4",
            [
                "Open both sheets.",
                "Birches sold: 77 + 55 = 132.",
                "Their price is 23: 132 * 23 = 3036.",
                "Less a tenth: 3036 * 0.9 = 2732.4.",
            ],
            ".xlsx",
            workbook(
                {
                    "Sold": [
                        ["Kind", "Trees"],
                        ["Alder", 40],
                        ["Birch", 77],
                        ["Cedar", 61],
                        ["Birch", 55],
                    ],
                    "Prices": [["Kind", "Dollars"], *prices.items()],
                }
            ),
        ),
        Made(
            2,
            "According to the table in the attached report, which wood has the largest "
            "yield for each hectare?",
            max(
                names[:3],
                key=lambda name: yields[names.index(name)] / sizes[names.index(name)],
            ),
            [
                "Open the report.",
                *[
                    f"{name}: {made} / {size} = {made / size:.2f}."
                    for name, made, size in zip(names, yields, sizes, strict=False)
                ],
            ],
            ".docx",
            letter(
                [
                    "Yields of the year",
                    [
                        ["Wood", "Tons", "Hectares"],
                        *zip(names[:3], yields[:3], sizes, strict=True),
                    ],
                    "All weights are dry.",
                ]
            ),
        ),
        Made(
            2,
            "In the attached slides, how many visitors does the speaker expect in the "
            "third year? The notes tell what each year adds.",
            1200 + 450 + 675,
            [
                "Open the slides.",
                "The first year has 1,200 visitors.",
                "The second adds 450: 1200 + 450 = 1650.",
                "The third adds 675.",
            ],
            ".pptx",
            slides(
                [
                    (
                        "The new museum",
                        ["Opening in spring", "1,200 visitors in the first year"],
                        "",
                    ),
                    (
                        "The second year",
                        ["A hall for children"],
                        "It adds 450 visitors.",
                    ),
                    ("The third year", ["The garden"], "The garden adds 675 visitors."),
                ]
            ),
        ),
        Made(
            2,
            "The attached inventory has three pages. How many books are on the shelves "
            "of all pages that are not lent?",
            (840 - 61) + (515 - 48) + (1290 - 133),
            [
                "Open the inventory.",
                "First page: 840 - 61 = 779.",
                "Second page: 515 - 48 = 467.",
                "Third page: 1290 - 133 = 1157.",
                "Together: 779 + 467 + 1157 = 2403.",
            ],
            ".pdf",
            pdf(
                [
                    ["Hall 1", "Books: 840", "Lent: 61"],
                    ["Hall 2", "Books: 515", "Lent: 48"],
                    ["Hall 3", "Books: 1290", "Lent: 133"],
                ]
            ),
        ),
        Made(
            2,
            "On the day with the highest level in the attached series, what is the "
            "product of the level and the flow?",
            level * flow,
            [
                "Open the series.",
                f"The highest level is {level}, on day {top + 1}.",
                f"Multiply: {level} * {flow} = {level * flow}.",
            ],
            ".csv",
            table([["day", "level in the reservoir (mm)", "flow (l/s)"], *meters]),
        ),
        Made(
            2,
            "Which stations of the attached record had more than 25 millimetres of "
            "rain in the three days? List them with semicolons, in the order of the "
            "record.",
            "Crag",
            [
                "Open the record.",
                *[f"{name}: {total(rain)}." for name, rain in stations.items()],
            ],
            ".json",
            json.dumps(
                [
                    {"station": name, "days": [{"rain_mm": mm} for mm in rain]}
                    for name, rain in stations.items()
                ],
                indent=1,
            ).encode(),
        ),
        Made(
            2,
            "A recipe on the attached page is for 6 people. How many grams of flour do "
            "15 people need?",
            1050,
            [
                "Open the page.",
                "It takes 420 grams.",
                "For one: 420 / 6 = 70.",
                "For 15: 70 * 15 = 1050.",
            ],
            ".html",
            b"<html><body><h1>Flat bread</h1><ul><li>420 g of flour</li><li>2 spoons "
            b"of oil</li></ul><p>For 6 people.</p></body></html>\n",
        ),
        Made(
            2,
            "A tank of 1,800 litres loses 2.5 percent of its content in each of three "
            "days. How many litres are left? Round to one decimal.",
            "1668.3",
            [
                "First day: 1800 * 0.975 = 1755.",
                "Second day: 1755 * 0.975 = 1711.125.",
                "Third day: 1711.125 * 0.975 = 1668.346875.",
                "Round it.",
            ],
        ),
    ]


def level_3() -> list[Made]:
    """Return the questions with many files or many steps."""
    nets = numbers(200, 900, 4)
    orders = {"R-17": 26, "R-18": 41, "R-21": 9}
    cost = {"R-17": 118, "R-18": 95, "R-21": 340}
    bill = sum(orders[name] * cost[name] for name in orders)
    weeks = numbers(30, 90, 12)
    return [
        Made(
            3,
            "The attached archive has what an expedition left: a log, a letter and "
            "records that no text tells. According to the log, how many kilometres did "
            "the party walk after the day that the letter names?",
            sum(nets[2:]),
            [
                'Open the letter: they turn north on the "day of the seal".',
                "In the log that is the second day.",
                f"Add what follows: {total(nets[2:])}.",
            ],
            ".zip",
            archive(
                {
                    "log.csv": table(
                        [
                            ["day", "event", "km"],
                            [1, "departure", nets[0]],
                            [2, "the seal", nets[1]],
                            [3, "ice", nets[2]],
                            [4, "the camp", nets[3]],
                        ]
                    ),
                    "letter.docx": letter(
                        [
                            "Mother, on the day of the seal we turned north. "
                            "Count from the next day on."
                        ]
                    ),
                    "camp.png": picture(),
                    "wind.wav": sound(),
                }
            ),
        ),
        Made(
            3,
            "From the attached archive: what do all orders cost together, with the "
            "discount of the note?",
            f"{bill * 0.95:.2f}".rstrip("0").rstrip("."),
            [
                "Open the orders, the prices and the note.",
                *[
                    f"{name}: {count} * {cost[name]} = {count * cost[name]}."
                    for name, count in orders.items()
                ],
                f"Together: {total([orders[name] * cost[name] for name in orders])}.",
                f"Less 5 percent: {bill} * 0.95 = {bill * 0.95:.2f}.",
            ],
            ".zip",
            archive(
                {
                    "orders.xlsx": workbook(
                        {"Orders": [["Part", "Pieces"], *orders.items()]}
                    ),
                    "prices.pdf": pdf(
                        [
                            [
                                "Price list",
                                *[
                                    f"{name}: {one} dollars"
                                    for name, one in cost.items()
                                ],
                            ]
                        ]
                    ),
                    "note.txt": b"Orders of three kinds of parts: 5 percent off.\n",
                }
            ),
        ),
        Made(
            3,
            "The attached file has the catch of twelve weeks. Which week has the "
            "median of the seven last weeks, and how large is that catch? Answer with "
            "both numbers, separated by a comma.",
            f"{weeks.index(sorted(weeks[5:])[3], 5) + 1}, {sorted(weeks[5:])[3]}",
            ["Open the file.", "Take the weeks from 6 to 12.", "Sort their catches."],
            ".xml",
            (
                "<catch>\n"
                + "".join(
                    f' <week number="{k}" tons="{one}"/>\n'
                    for k, one in enumerate(weeks, 1)
                )
                + "</catch>\n"
            ).encode(),
        ),
    ]


def of_the_prompt() -> Made:
    """Return the question of the prompt's example, which no suite plays."""
    return Made(
        2,
        "A stall sells the baskets of the attached note at 7 dollars each, and keeps "
        "12 of them. How many dollars does it take?",
        7 * (64 - 12),
        [
            "Open the note: there are 64 baskets.",
            "Sold: 64 - 12 = 52.",
            "Multiply by 7.",
        ],
        ".txt",
        b"From the weavers: 64 baskets, 15 mats.\n",
    )


def main() -> None:
    """Write the questions and their files."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.iterdir():
        old.unlink()
    lines = []
    questions = [*level_1(), *level_2(), *level_3(), of_the_prompt()]
    for number, one in enumerate(questions, start=1):
        task_id = str(uuid.uuid5(_NAMESPACE, f"aq_gym {number}"))
        name = f"{task_id}{one.kind}" if one.kind else ""
        if name:
            (FOLDER / name).write_bytes(one.content)
        steps = "\n".join(f"{k}. {step}" for k, step in enumerate(one.steps, start=1))
        notes = {"Steps": steps, "Number of steps": str(len(one.steps))}
        row = {
            "task_id": task_id,
            "Question": one.question,
            "Level": one.level,
            "Final answer": str(one.answer),
            "file_name": name,
            "Annotator Metadata": notes,
        }
        lines.append(json.dumps(row, ensure_ascii=False))
    (FOLDER / "metadata.jsonl").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
