# ruff: noqa: E501  The path of a drawing must not be split.
"""Draw the three packs of cards into static/cards/, as SVG sprites: `python scripts/cards.py`.

The French pack has a second sprite with the German letters for Dame and Bube.

All shapes are our own. A card is 60 by 92 units and readable at a width of 44 pixels: the corner has a large rank and
the suit, so that a covered card can be recognised, and the middle has a large suit. The page sets the colours
of the paper and its edge (static/css/cards.css).
"""

from __future__ import annotations

from pathlib import Path

OUT = Path(__file__).resolve().parent.parent / "static" / "cards"
RANKS = "AKQJT9876"
SUITS = "shdc"

INK, RED, GREEN, GOLD, AMBER, SKIN = "#1d1a16", "#b3261e", "#2c6a35", "#e5b73b", "#7d5300", "#f3d3b0"

LABELS = {
    "french": dict(zip(RANKS, ["A", "K", "Q", "J", "10", "9", "8", "7", "6"], strict=True)),
    "french-de": dict(zip(RANKS, ["A", "K", "D", "B", "10", "9", "8", "7", "6"], strict=True)),
    "swiss": dict(zip(RANKS, ["A", "K", "O", "U", "B", "9", "8", "7", "6"], strict=True)),
    "german": dict(zip(RANKS, ["A", "K", "O", "U", "10", "9", "8", "7", "6"], strict=True)),
}
INKS = {
    "french": {"s": INK, "h": RED, "d": RED, "c": INK},
    "swiss": {"s": INK, "h": RED, "d": AMBER, "c": GREEN},
    "german": {"s": GREEN, "h": RED, "d": AMBER, "c": INK},
}

LINE = f'stroke="{INK}" stroke-width="4" stroke-linejoin="round" stroke-linecap="round"'

SPADE = f"""<path fill="{INK}" d="M50 4C40 26 10 38 10 60c0 16 20 24 34 10-1 12-6 20-14 26h40c-8-6-13-14-14-26 14 14 34 6 34-10C90 38 60 26 50 4z"/>"""
HEART = f'<path fill="{RED}" d="M50 94C30 72 6 56 6 32 6 8 38 2 50 26 62 2 94 8 94 32c0 24-24 40-44 62z"/>'
DIAMOND = f'<path fill="{RED}" d="M50 3C60 22 72 38 86 50 72 62 60 78 50 97 40 78 28 62 14 50 28 38 40 22 50 3z"/>'
CLUB = f"""<g fill="{INK}"><circle cx="50" cy="26" r="21"/><circle cx="27" cy="58" r="21"/><circle cx="73" cy="58" r="21"/>\
<path d="M44 48h12c0 22 4 40 16 48H28c12-8 16-26 16-48z"/></g>"""
SHIELD = f"""<path fill="{GOLD}" d="M10 8h80c2 44-8 70-40 88C18 78 8 52 10 8z"/>\
<path fill="{INK}" d="M50 8H10c-2 44 8 70 40 88z"/><path fill="none" {LINE} d="M10 8h80c2 44-8 70-40 88C18 78 8 52 10 8z"/>\
<path fill="{GOLD}" d="M24 24h14v14H24z"/><path fill="{INK}" d="M62 24h14v14H62z"/>"""
ROSE = f"""<g fill="{GREEN}"><path d="M50 0l10 22H40zM50 100l10-22H40zM2 40l24 0-12 18zM98 40l-24 0 12 18zM16 92l6-22 16 10zM84 92l-6-22-16 10z"/></g>\
<g fill="{RED}" stroke="#7d1611" stroke-width="3"><circle cx="50" cy="26" r="19"/><circle cx="73" cy="43" r="19"/>\
<circle cx="64" cy="70" r="19"/><circle cx="36" cy="70" r="19"/><circle cx="27" cy="43" r="19"/></g>\
<circle cx="50" cy="51" r="15" fill="{GOLD}" stroke="#7d1611" stroke-width="3"/>"""
BELL = f"""<path d="M42 10a8 8 0 1 1 16 0" fill="none" {LINE}/><circle cx="50" cy="55" r="39" fill="{GOLD}" {LINE}/>\
<path d="M12 50q38 14 76 0" fill="none" {LINE}/><path d="M50 64v24" {LINE}/><circle cx="50" cy="66" r="7" fill="{INK}"/>"""
ACORN = f"""<path d="M50 12q2-10 12-12" fill="none" {LINE}/>\
<path d="M20 42c0 30 14 44 30 56 16-12 30-26 30-56z" fill="#a9b84a" {LINE}/>\
<path d="M10 44c0-40 80-40 80 0-26 10-54 10-80 0z" fill="#8a5a2b" {LINE}/>\
<path d="M26 26l12 20M50 16v32M74 26L62 46" fill="none" stroke="{INK}" stroke-width="3"/>"""
LEAF = """<path fill="#3f8a45" stroke="#1f5226" stroke-width="4" stroke-linejoin="round" \
d="M50 3C34 20 6 30 8 56c2 20 24 24 40 12l-2 29h8l-2-29c16 12 38 8 40-12C94 30 66 20 50 3z"/>\
<path d="M50 20v52M50 44L30 54M50 44l20 10" fill="none" stroke="#1f5226" stroke-width="4"/>"""

PIPS = {
    "french": {"s": SPADE, "h": HEART, "d": DIAMOND, "c": CLUB},
    "swiss": {"s": SHIELD, "h": ROSE, "d": BELL, "c": ACORN},
    "german": {"s": LEAF, "h": HEART, "d": BELL, "c": ACORN},
}

PAPER = (
    '<rect x="1" y="1" width="58" height="90" rx="6" fill="var(--card, #fffdf8)" stroke="var(--card-edge, #8f8573)"/>'
)


def place(drawing: str, x: float, y: float, size: float) -> str:
    """Return a drawing of 100 by 100 units, moved to a position and scaled to a size."""
    return f'<g transform="translate({x:g} {y:g}) scale({size / 100:g})">{drawing}</g>'


def label(text: str, ink: str) -> str:
    """Return the rank in the corner."""
    return (
        f'<text x="6" y="26" font-family="Inter, system-ui, sans-serif" font-size="26" font-weight="750" '
        f'letter-spacing="-1.5" fill="{ink}">{text}</text>'
    )


def corner(pip: str) -> str:
    """Return the suit beside the rank."""
    return place(pip, 38, 8, 17)


def headdress(rank: str, pack: str, ink: str) -> str:
    """Return the headdress of a court card: a crown, a hat with a feather, or a cap."""
    if rank == "K":
        return f'<path fill="{GOLD}" {LINE} d="M26 34L20 6l16 12L50 2l14 16L80 6l-6 28z"/>'
    if rank == "Q" and pack == "french":
        return (
            f'<path fill="{AMBER}" d="M24 60C18 20 82 20 76 60l-10-14H34z"/>'
            f'<path fill="{GOLD}" {LINE} d="M32 28l-4-16 12 8 10-12 10 12 12-8-4 16z"/>'
        )
    if rank == "Q":
        return (
            f'<path fill="{ink}" {LINE} d="M14 34q36-12 72 0l-14-6C70 8 30 8 28 28z"/>'
            f'<path fill="none" stroke="{RED}" stroke-width="6" stroke-linecap="round" d="M70 22Q88 16 90 2"/>'
        )
    return f'<path fill="{ink}" {LINE} d="M24 36Q20 10 50 12T78 30z"/>'


def court(rank: str, pack: str, ink: str, pip: str) -> str:
    """Return the bust of a court card. The suit is high; the Under and the German Unter have a low one as well."""
    body = (
        f'<path fill="{ink}" {LINE} d="M4 100C6 74 26 66 50 66s44 8 46 34z"/><path fill="{GOLD}" d="M42 67l8 18 8-18z"/>'
        f'<circle cx="50" cy="47" r="21" fill="{SKIN}" {LINE}/>'
        f'<g fill="{INK}"><circle cx="43" cy="45" r="3"/><circle cx="57" cy="45" r="3"/></g>'
    )
    beard = f'<path fill="{INK}" d="M33 54q17 8 34 0-2 18-17 20-15-2-17-20z"/>' if rank == "K" else ""
    figure = place(body + beard + headdress(rank, pack, ink), 8, 46, 44)
    low = rank == "J" and pack != "french"
    shield = '<circle cx="45" cy="76" r="12.5" fill="var(--card, #fffdf8)"/>'
    return figure + place(pip, 34, 7, 20) + (shield + place(pip, 36.5, 67.5, 17) if low else "")


def banner(pip: str, ink: str) -> str:
    """Return the Swiss ten (Banner): the suit on a flag."""
    pole = f'<path d="M12 34v54" stroke="{ink}" stroke-width="3.5" stroke-linecap="round"/>'
    cloth = (
        f'<path d="M13 36h40l-7 18 7 18H13z" fill="#f1e2bd" stroke="{ink}" stroke-width="2" stroke-linejoin="round"/>'
    )
    return pole + cloth + place(pip, 17, 41, 26)


def card(sprite_name: str, rank: str, suit: str) -> str:
    """Return the symbol of one card."""
    pack = sprite_name.partition("-")[0]
    pip, ink = PIPS[pack][suit], INKS[pack][suit]
    if rank in "KQJ":
        picture = court(rank, pack, ink, pip)
    elif rank == "T" and pack == "swiss":
        picture = banner(pip, ink) + corner(pip)
    elif rank == "A":
        ring = f'<circle cx="30" cy="58" r="25" fill="none" stroke="{ink}" stroke-width="1.5" stroke-dasharray="2 3"/>'
        picture = ring + place(pip, 12, 40, 36) + corner(pip)
    else:
        picture = place(pip, 10, 38, 40) + corner(pip)
    return symbol(f"{rank}{suit}", PAPER + label(LABELS[sprite_name][rank], ink) + picture)


def weli(pack: str) -> str:
    """Return the six of Schellen as the Weli of Kratzen."""
    named = label("6", AMBER).replace("</text>", "") + (
        '</text><text x="30" y="88" text-anchor="middle" font-family="Inter, system-ui, sans-serif" font-size="14" '
        f'font-weight="750" fill="{AMBER}">WELI</text>'
    )
    return symbol(
        "Weli",
        PAPER
        + named
        + place(PIPS[pack]["d"], 10, 32, 28)
        + place(PIPS[pack]["c"], 30, 40, 24)
        + corner(PIPS[pack]["d"]),
    )


def back() -> str:
    """Return the back of the cards."""
    lozenges = "".join(f'<path d="M{x} {y}l6 9-6 9-6-9z"/>' for y in (9, 29, 49, 69) for x in (15, 30, 45))
    return symbol(
        "back",
        PAPER + f'<rect x="5" y="5" width="50" height="82" rx="4" fill="#1f6b52"/><g fill="#79cbac">{lozenges}</g>',
    )


def symbol(name: str, drawing: str) -> str:
    return f'<symbol id="{name}" viewBox="0 0 60 92">{drawing}</symbol>'


def sprite(name: str) -> str:
    """Return the sprite with all cards of a pack, for example `french` or `french-de`."""
    cards = [card(name, rank, suit) for suit in SUITS for rank in RANKS]
    inner = "\n".join([*cards, weli(name.partition("-")[0]), back()])
    return f'<svg xmlns="http://www.w3.org/2000/svg">\n{inner}\n</svg>\n'


if __name__ == "__main__":
    OUT.mkdir(parents=True, exist_ok=True)
    for name in LABELS:
        (OUT / f"{name}.svg").write_text(sprite(name), encoding="utf-8")
