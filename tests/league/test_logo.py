"""The logo of a club: drawn again from its pixels, shown where the club is, changed by owners."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from pypdf import PdfReader

from league.errors import Refused
from league.logo.images import MAX_BYTES, SIDE, redrawn
from league.logo.services import logo_set
from league.models import AuditEntry, Club, ClubLogo
from tests.cast import Cast, cast
from tests.factories import MADE, create_table, enter

SECRET = "47.0502 N 7.5417 E"


def picture(wide: int = 1200, high: int = 600, form: str = "PNG", **more: Any) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (wide, high), "#1f6b52").save(file, form, **more)
    return file.getvalue()


@pytest.fixture
def people(db: None) -> Cast:
    return cast()


def signed_in(person: Any = None) -> Client:
    client = Client(headers={"Accept-Language": "en"})
    if person is not None:
        client.force_login(person)
    return client


def sent(client: Client, content: bytes, slug: str = "roessli") -> Any:
    file = SimpleUploadedFile("logo.png", content, "image/png")
    return client.post(reverse("club-logo", kwargs={"club": slug}), {"file": file})


def test_a_picture_is_drawn_again_and_nothing_but_its_pixels_is_kept():
    text = PngInfo()
    text.add_text("Where", SECRET)
    turned = Image.Exif()
    turned[0x0112], turned[0x010E] = 6, SECRET
    for content, shape in ((picture(pnginfo=text), (512, 256)), (picture(form="JPEG", exif=turned), (256, 512))):
        assert SECRET.encode() in content
        drawn = redrawn(content)
        assert SECRET.encode() not in drawn.content
        with Image.open(io.BytesIO(drawn.content)) as found:
            assert (found.format, found.size, found.info) == ("PNG", shape, {})
        assert max(drawn.width, drawn.height) == SIDE


def test_what_is_no_picture_broken_too_large_or_too_small_is_refused_with_a_sentence():
    svg = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    whole = picture()
    wrong = (b"", svg, b"GIF89a" + bytes(50), whole[: len(whole) // 2], whole + bytes(MAX_BYTES), picture(20, 400))
    # A bomb: 400 million pixels in a small file. Its size is read before its pixels.
    for content in (*wrong, picture(20_000, 20_000)):
        with pytest.raises(Refused) as refused:
            redrawn(content)
        assert refused.value.status == 422


def test_an_owner_sets_and_removes_it_and_the_page_follows(people):
    owner, visitor = signed_in(people.home.owner), signed_in()
    page, image = (reverse(name, kwargs={"club": "roessli"}) for name in ("club", "club-logo-picture"))
    assert "club-logo" not in visitor.get(page).content.decode()
    assert sent(owner, picture()).status_code == 303
    mark = Club.objects.get(slug="roessli").logo_mark
    assert f"{image}?v={mark}" in visitor.get(page).content.decode()
    answer = visitor.get(image)
    assert (answer.headers["Content-Type"], Image.open(io.BytesIO(answer.content)).size) == ("image/png", (512, 256))
    assert visitor.get(image, headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304
    assert sent(owner, b"no picture").status_code == 422
    assert owner.post(reverse("club-logo", kwargs={"club": "roessli"})).status_code == 422
    owner.post(reverse("club-logo", kwargs={"club": "roessli"}), {"do": "remove"})
    assert (visitor.get(image).status_code, ClubLogo.objects.count()) == (404, 0)
    assert "club-logo" not in visitor.get(page).content.decode()
    assert [entry.data for entry in AuditEntry.objects.filter(what="club_changed")] == [{"fields": ["logo"]}] * 2


def test_who_reads_the_club_sees_its_logo_and_nobody_else(people):
    for house in (people.home, people.away):
        logo_set(club=house.club, actor=None, content=picture())
    Club.objects.filter(pk=people.home.club.pk).update(visibility=Club.Visibility.PRIVATE)
    image = reverse("club-logo-picture", kwargs={"club": people.home.club.slug})
    shown = [signed_in(one).get(image).status_code for one in (None, people.away.owner, people.home.member)]
    assert shown == [404, 404, 200]
    assert "no-store" in signed_in(people.home.member).get(image).headers["Cache-Control"]


def test_it_is_on_pdfs_and_on_the_pictures_of_links(people):
    home = people.home
    enter(create_table(club=home.club, season=home.season), MADE)
    report = reverse("season-report", kwargs={"club": "roessli", "season": home.season.slug}) + "?for=pdf"
    drawn = reverse("club-picture", kwargs={"club": "roessli"})
    client = signed_in()

    def found() -> tuple[int, bytes]:
        reader = PdfReader(io.BytesIO(client.get(report).content))
        return len(reader.pages[0].images), client.get(drawn).content

    without = found()
    assert without[0] == 0
    logo_set(club=home.club, actor=None, content=picture())
    images, shared = found()
    assert (images, shared != without[1]) == (1, True)
    with Image.open(io.BytesIO(shared)) as image:
        red, green, blue = image.convert("RGB").getpixel((1080, 177))
    assert abs(red - 0x1F) + abs(green - 0x6B) + abs(blue - 0x52) < 24
