"""`oikumene bench`: how fast the rules are."""

from __future__ import annotations

from oikumene.commands.common import columns, print_json
from oikumene.research.bench import bench as measure

FIGURES = {
    "decisions_per_second": "decisions a second (random play, 4 seats)",
    "games_per_second": "games a second",
    "copies_per_second": "copies of a state a second",
    "copy_ratio": "copies in the time of a decision",
    "bytes_a_state": "bytes a state",
    "replay_500_ms": "milliseconds to replay 500 entries",
}
PEERS = {"python_chess": "python-chess", "catanatron": "Catanatron"}
HOW = "./oikumene test --version sets up the venv that has it; bench then runs there by itself"


def bench(name: str, *, as_json: bool) -> int:
    """Measure and tell."""
    found = measure(name)
    if as_json:
        print_json(found)
        return 0
    print(f"{found['game']}, {found['seats']} seats, Python {found['python']}\n")
    print("\n".join(columns((f"{found[key]:,}", text) for key, text in FIGURES.items())))
    for peer, title in PEERS.items():
        ratio = found[f"ratio_{peer}"]
        if ratio is not None:
            rounds = ", ".join(str(one[f"ratio_{peer}"]) for one in found["rounds"])
            print(f"\n{ratio} times as fast as {title}: the median of {rounds}")
        elif peer == "python_chess":
            print(f"\nnot compared with {title}, which is not installed here: {HOW}")
    return 0
