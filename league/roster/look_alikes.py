"""Names that look the same: letters of another script, invisible characters, I and l. So nobody poses as another."""

from __future__ import annotations

import re
import unicodedata

# Groups: a Latin letter or sign, then the characters of other alphabets that look like it. Capitals have groups of
# their own: the small letters of an alphabet may look different.
GROUPS = """
aаαɑᴀ bʙᏏ cсϲᴄ dԁᴅ eеᴇ fꜰ gɡɢց hһհʜ iіιıɩɪ jјϳȷյᴊ kкκᴋ lӏʟ mмᴍ nոɴ oоοօᴏ pрρᴘ qԛզ rʀ sѕꜱ
tтτᴛ uսυᴜ vνѵᴠ wԝᴡ xхχ yуγʏ zᴢ AАΑᎪ BВΒᏴ CСϹᏟ DᎠ EЕΕᎬ GԌᏀ HНΗᎻ IІΙӀ JЈͿᎫ KКΚᏦ LԼᏞ MМΜᎷ NΝ
OОΟՕ PРΡᏢ QԚ RᎡᏒ SЅՏᏚ TТΤᎢ UՍ VѴᏙ WԜᎳ XХΧ YУΥҮ ZΖᏃ 3ЗзӠ '’‘ʼʹ′`´ -‐‑‒–—− .․ ,‚
"""
LETTERS = {ord(other): group[0] for group in GROUPS.split() for other in group[1:]}
SAME_STROKE = str.maketrans({"I": "l", "1": "l", "|": "l", "0": "O"})
INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")


def looks(name: str) -> frozenset[str]:
    """Return keys of a name's look: two names that share an element look the same.

    One element ignores capitals; the other one keeps them, and takes I, l and 1 for the same stroke: Ian and Lan are
    two names.
    """
    parts = unicodedata.normalize("NFKD", INVISIBLE.sub("", name)).translate(LETTERS)
    plain = " ".join(unicodedata.normalize("NFKC", parts).split())
    return frozenset({f"letters:{plain.casefold()}", f"strokes:{plain.translate(SAME_STROKE)}"})
