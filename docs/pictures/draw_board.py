"""Draws docs/pictures/mare-nostrum.svg: the board as the program knows it, a graph.

Run: PYTHONPATH=src python docs/pictures/draw_board.py
"""

from __future__ import annotations

from html import escape
from math import log, pi, radians, tan
from pathlib import Path

from oikumene.core.limits import bits
from oikumene.games.mare_nostrum.board import Board, load_board
from oikumene.games.mare_nostrum.cards import GOODS

WIDTH, MARGIN = 1220, 70
INK, LAND, ISLAND, SEA, LINE = "#3b3630", "#e9dcc0", "#dfe3c3", "#bcd3de", "#9a8f80"


def project(board: Board) -> tuple[list[tuple[float, float]], float]:
    """Places on paper (Mercator), and the paper's height, in pixels."""
    raw = [(lon, -log(tan(pi / 4 + radians(lat) / 2)) / radians(1)) for lon, lat in board.spots]
    west, east = min(x for x, _ in raw), max(x for x, _ in raw)
    north, south = min(y for _, y in raw), max(y for _, y in raw)
    scale = (WIDTH - 2 * MARGIN) / (east - west)
    spots = [(MARGIN + (x - west) * scale, MARGIN + (y - north) * scale) for x, y in raw]
    return spots, 2 * MARGIN + (south - north) * scale


def line(one: tuple[float, float], other: tuple[float, float], style: str) -> str:
    """A border between two places."""
    (x1, y1), (x2, y2) = one, other
    return f'<line x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}" {style}/>'


def draw(board: Board) -> str:
    """The whole picture."""
    spots, height = project(board)
    first_sea = len(board.provinces)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" '
        'font-family="Georgia, serif" text-anchor="middle" role="img">',
        "<title>The board of Mare Nostrum as a graph</title>",
        "<style>text { paint-order: stroke; stroke: #f7f3ea; stroke-width: 3px }",
        "text[font-style] { stroke: none }</style>",
        f'<rect width="{WIDTH}" height="{height:.0f}" fill="#f7f3ea"/>',
    ]
    thin = f'stroke="{SEA}" stroke-width="1.5" stroke-dasharray="2 4"'
    thick = f'stroke="{LINE}" stroke-width="2.5"'
    wide = f'stroke="{SEA}" stroke-width="5"'
    seas = [(sea, spots[first_sea + sea]) for sea in range(len(board.seas))]
    parts += [line(spot, spots[at], thin) for sea, spot in seas for at in bits(board.shore[sea])]
    parts += [
        line(spot, spots[first_sea + other], wide)
        for sea, spot in seas
        for other in bits(board.links[sea] & -2 << sea)
    ]
    parts += [
        line(spots[place], spots[other], thick)
        for place in range(first_sea)
        for other in bits(board.land[place] & -2 << place)
    ]
    for at, (x, y) in enumerate(spots):
        parts.extend(sea_mark(board, at, x, y) if at >= first_sea else land_mark(board, at, x, y))
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def sea_mark(board: Board, at: int, x: float, y: float) -> list[str]:
    """A sea zone: an ellipse with its name."""
    return [
        f'<ellipse cx="{x:.0f}" cy="{y:.0f}" rx="52" ry="15" fill="{SEA}"/>',
        f'<text x="{x:.0f}" y="{y + 4:.0f}" font-size="11" font-style="italic" fill="#2b5063">'
        f"{escape(board.names[at].split(' (')[0])}</text>",
    ]


def land_mark(board: Board, at: int, x: float, y: float) -> list[str]:
    """A province: a circle (an island: a greener one), city sites as squares, goods below."""
    fill = ISLAND if board.islands >> at & 1 else LAND
    goods = [GOODS[good] for good, where in enumerate(board.symbols) if where >> at & 1]
    capital = any(civ.capital == at for civ in board.civs)
    ring = f'stroke="{INK}" stroke-width="{3 if capital else 1}"'
    parts = [f'<circle cx="{x:.0f}" cy="{y:.0f}" r="15" fill="{fill}" {ring}/>']
    for site in range(board.sites[at]):
        left = x - 4 + 10 * (site - (board.sites[at] - 1) / 2)
        parts.append(f'<rect x="{left:.0f}" y="{y - 4:.0f}" width="8" height="8" fill="{INK}"/>')
    name = escape(board.names[at].split(" (")[0].replace("province ", ""))
    parts.append(f'<text x="{x:.0f}" y="{y - 19:.0f}" font-size="12" fill="{INK}">{name}</text>')
    parts.append(
        f'<text x="{x:.0f}" y="{y + 27:.0f}" font-size="10" fill="#7a5c2e">{" ".join(goods)}</text>'
    )
    return parts


if __name__ == "__main__":
    Path(__file__).with_name("mare-nostrum.svg").write_text(draw(load_board()), "utf-8")
