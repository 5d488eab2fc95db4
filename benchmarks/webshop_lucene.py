"""How often does our search find what Lucene finds, as WebShop runs it?

    python benchmarks/webshop_lucene.py ANSERINI.jar

The jar is in ``pyserini==0.17.0`` (pyserini/resources/jars), which WebShop asks for;
needs Java 11 or later. Both search the same generated products, with the texts and the
options of WebShop's ``run_indexing.sh``. The overlap at ten is the share of the first
ten results that both have, of the longer list.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import tempfile
from collections import defaultdict
from pathlib import Path
from statistics import mean

from aq_gym.envs.webshop.logic.goals import goal_of
from aq_gym.envs.webshop.logic.search import words
from aq_gym.envs.webshop.logic.shop import Shop, document, generated_shop


def queries(shop: Shop, count: int) -> list[tuple[str, str]]:
    """Draw queries of four kinds."""
    rng = random.Random(0)
    made = []
    for number in range(count):
        product = rng.choice(shop.products)
        goal = goal_of(product, f"0-0-{number}", len(shop.products))
        drawn = " ".join(rng.choices(words(goal.instruction), k=2))
        kind = f"{product.query} {goal.attributes[0]}"
        made += [
            ("instruction", goal.instruction),
            ("title", product.title),
            ("two words of the instruction", drawn),
            ("kind and attribute", kind),
        ]
    return made


def lucene(jar: Path, shop: Shop, asked: list[tuple[str, str]]) -> dict[int, list[str]]:
    """Return what Lucene finds for each query, the best first."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "documents").mkdir()
        lines = (
            json.dumps({"id": one.asin, "contents": document(one).lower()})
            for one in shop.products
        )
        (folder / "documents/all.jsonl").write_text("\n".join(lines), "utf-8")
        topics = (f"{n}\t{' '.join(text.split())}" for n, (_, text) in enumerate(asked))
        (folder / "topics.tsv").write_text("\n".join(topics), "utf-8")
        for command in (
            "index.IndexCollection -collection JsonCollection -input documents "
            "-index index -generator DefaultLuceneDocumentGenerator -threads 1",
            "search.SearchCollection -index index -topics topics.tsv -topicreader "
            "TsvString -output found.txt -bm25 -bm25.k1 0.9 -bm25.b 0.4 -hits 10",
        ):
            subprocess.run(
                ["java", "-cp", jar.resolve(), *f"io.anserini.{command}".split()],
                cwd=folder, capture_output=True, check=True,
            )  # fmt: skip
        found = defaultdict(list)
        for line in (folder / "found.txt").read_text("utf-8").splitlines():
            number, _, asin, *_ = line.split()
            found[int(number)].append(asin)
    return found


def main() -> None:
    """Print the overlap at ten and the share of equal first results, by kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("jar", type=Path)
    parser.add_argument("--products", type=int, default=1000, help="(%(default)s)")
    parser.add_argument("--queries", type=int, default=300, help="(%(default)s)")
    given = parser.parse_args()
    shop = generated_shop(0, given.products)
    asked = queries(shop, given.queries)
    found = lucene(given.jar, shop, asked)
    overlap, first = defaultdict(list), defaultdict(list)
    for number, (kind, query) in enumerate(asked):
        ours = [shop.products[place].asin for place in shop.search(query)[:10]]
        theirs = found[number]
        if not ours and not theirs:
            continue
        for name in (kind, "all"):
            most = max(len(ours), len(theirs))
            overlap[name].append(len({*ours} & {*theirs}) / most)
            first[name].append(ours[:1] == theirs[:1])
    for name, shares in overlap.items():
        said = f"overlap {mean(shares):.3f}, same first {mean(first[name]):.3f}"
        print(f"{name}: {len(shares)} queries, {said}")


if __name__ == "__main__":
    main()
