"""`oikumene rules GAME --coverage`: which rules the cases show, by the rules' kinds.

A `limit` needs a case that names it and stops just inside it, and a move refused by its id (a move
that cannot even be written is refused by nothing: it counts for the first rule its case names); a
`procedure` needs a case that names it; a `fact` a case or a data test (tests/GAME/facts.toml names
those); a `note` nothing.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from oikumene.commands.cases import PROJECT, cases_of
from oikumene.commands.common import columns, print_json
from oikumene.core.errors import DataError, OikumeneError
from oikumene.core.rulebook import KINDS, Rulebook, RuleText


class Shown(NamedTuple):
    """What the cases and the data tests show."""

    named: frozenset[str]  # rules that a case names
    inside: frozenset[str]  # ... and in which something else than a refusal happens
    refused: frozenset[str]  # rules by which a move is refused
    tested: frozenset[str]  # facts with a data test


def names(case: Mapping[str, Any], rule_id: str) -> bool:
    """Whether a case names a rule."""
    return rule_id in case["rules"] or any(
        rule_id in line.get("refused", ()) for line in case["play"]
    )


def coverage(game: Any, book: Rulebook, *, as_json: bool) -> int:
    """Count by kind and list the gaps; 1 if there are any in a rule set that is built."""
    cases = [case for _, case in cases_of(game.name)]
    if not cases:
        raise OikumeneError(
            "the conformance cases are not here; --coverage works in a checkout of the project"
        )
    shown = shown_by(cases, data_tests(game.name))
    waiting = [rule for rule in book.rules.values() if not_built(game, rule)]
    covered: dict[str, list[str]] = {kind: [] for kind in KINDS}
    gaps: list[tuple[RuleText, str]] = []
    for rule in book.rules.values():
        missing = gap(rule, shown)
        if rule in waiting:
            continue
        if missing:
            gaps.append((rule, missing))
        else:
            covered[rule.kind].append(rule.id)
    unknown = sorted((shown.named | shown.refused | shown.tested) - book.rules.keys())
    unknown = [rule for rule in unknown if not rule.startswith("core.")]
    if as_json:
        print_data(covered, gaps, waiting, unknown)
    else:
        print_table(covered, gaps, waiting, unknown)
    return 1 if gaps or unknown else 0


def shown_by(cases: list[dict[str, Any]], tested: frozenset[str]) -> Shown:
    """What all the cases show."""
    named: set[str] = set()
    inside: set[str] = set()
    refused: set[str] = set()
    for case in cases:
        named |= set(case["rules"])
        if any("refused" not in line for line in case["play"]):
            inside |= set(case["rules"])
        for line in case["play"]:
            if "refused" in line:
                refused |= set(line["refused"] or case["rules"][:1])
    return Shown(frozenset(named), frozenset(inside), frozenset(refused), tested)


def gap(rule: RuleText, shown: Shown) -> str:
    """What a rule's kind asks for and is not there."""
    if rule.kind == "limit":
        wanted = {
            "a case inside it": rule.id in shown.inside,
            "a refusal": rule.id in shown.refused,
        }
        return " and ".join(what for what, there in wanted.items() if not there)
    if rule.kind == "procedure":
        return "" if rule.id in shown.named | shown.refused else "a case"
    if rule.kind == "fact":
        there = rule.id in shown.named | shown.refused | shown.tested
        return "" if there else "a case or a data test"
    return ""


def not_built(game: Any, rule: RuleText) -> bool:
    """Whether a rule applies only under option values that are not built yet."""
    options = game.options().options
    return any(
        not any(options[option].values[value].built for value in values)
        for option, values in rule.when.items()
    )


# Data tests --------------------------------------------------------------------------------------


def data_tests(game: str) -> frozenset[str]:
    """The facts that have a data test, by the game's facts.toml. Raises DataError."""
    file = PROJECT / "tests" / game.replace("-", "_") / "facts.toml"
    if not file.is_file():
        return frozenset()
    try:
        rows = tomllib.loads(file.read_text("utf-8"))["fact"]
        found = {row["id"]: row["test"] for row in rows}
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise DataError(f"{file}: {error!r}; a row has `id` and `test`") from None
    for rule, test in found.items():
        path, _, name = test.partition("::")
        if name not in tests_in(PROJECT / path):
            raise DataError(f"{file}: {rule}: there is no test {test}; mend its name")
    return frozenset(found)


def tests_in(file: Path) -> Iterator[str]:
    """The names of the functions in a file of tests."""
    if not file.is_file():
        return
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef):
            yield node.name


# The answer --------------------------------------------------------------------------------------


def print_table(
    covered: dict[str, list[str]], gaps: list[tuple[RuleText, str]], waiting: list[RuleText],
    unknown: list[str],
) -> None:  # fmt: skip
    """The answer for people."""
    rows = [
        (
            kind,
            str(len(covered[kind])),
            str(sum(rule.kind == kind for rule, _ in gaps)),
            str(sum(rule.kind == kind for rule in waiting)),
        )
        for kind in KINDS
    ]
    print("\n".join(columns(rows, ("kind", "covered", "gaps", "rule set not built yet"))))
    if gaps:
        print("\nGaps:")
        print(
            "\n".join(columns((f"  {rule.id}", rule.kind, f"needs {what}") for rule, what in gaps))
        )
    if waiting:
        print("\nThese belong to a rule set not built yet:")
        for rule in waiting:
            when = ", ".join(f"{name} = {' or '.join(v)}" for name, v in rule.when.items())
            print(f"  {rule.id}  {when}")
    if unknown:
        print(f"\nNo such rules, but cases or data tests name them: {' '.join(unknown)}")


def print_data(
    covered: dict[str, list[str]], gaps: list[tuple[RuleText, str]], waiting: list[RuleText],
    unknown: list[str],
) -> None:  # fmt: skip
    """The answer for programs."""
    print_json(
        {
            "covered": {kind: len(found) for kind, found in covered.items()},
            "gaps": [{"id": rule.id, "kind": rule.kind, "needs": what} for rule, what in gaps],
            "not_built_yet": [rule.id for rule in waiting],
            "unknown": unknown,
        }
    )
