"""The logo of a club: drawn again from its pixels, shown where the club is, changed by owners."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from pypdf import PdfReader

from league.errors import Refused
from league.logo.images import MAX_BYTES, redrawn
from league.logo.services import logo_remove, logo_set
from league.models import AuditEntry, Club, ClubLogo
from readers.pictures import SIDE
from tests.cast import Cast, cast
from tests.factories import MADE, create_table, enter

pytestmark = pytest.mark.usefixtures("read_here")
SECRET = "47.0502 N 7.5417 E"


def picture(wide: int = 1200, high: int = 600, form: str = "PNG", mode: str = "RGB", **more: Any) -> bytes:
    file = io.BytesIO()
    Image.new(mode, (wide, high), "#1f6b52").save(file, form, **more)
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
        with Image.open(io.BytesIO(drawn.content)) as image:
            assert (image.format, image.size, image.info) == ("PNG", shape, {})
        assert max(drawn.width, drawn.height) == SIDE


def test_a_file_that_is_no_picture_broken_or_of_a_wrong_size_is_refused():
    svg = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    whole = picture()
    wrong = (b"", svg, b"GIF89a" + bytes(50), whole[: len(whole) // 2], whole + bytes(MAX_BYTES), picture(20, 400))
    # A bomb: 400 million pixels in a small file. Its size is read before its pixels.
    for content in (*wrong, picture(20_000, 20_000, mode="1")):
        with pytest.raises(Refused) as refused:
            redrawn(content)
        assert refused.value.status == 422


@pytest.mark.parametrize("form", ["GIF", "WEBP", "TIFF", "BMP", "PPM", "ICO"])
def test_a_whole_picture_of_another_kind_is_refused(form):
    with Image.open(io.BytesIO(picture(64, 64, form))) as image:
        assert image.format == form
    with pytest.raises(Refused):
        redrawn(picture(64, 64, form))


def test_more_pixels_than_allowed_are_refused_before_they_are_decoded(monkeypatch):
    many = picture(5_000, 4_000)
    assert len(many) < MAX_BYTES
    monkeypatch.setattr(Image.Image, "load", lambda image: pytest.fail("decoded"))
    with pytest.raises(Refused) as refused:
        redrawn(many)
    assert "16" in refused.value.sentence


def test_data_after_a_picture_is_not_kept():
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("index.html", "<script>alert(1)</script>")
    for more in (archive.getvalue(), b"<svg onload=alert(1)>", b"%PDF-1.7 alert(1)"):
        drawn = redrawn(picture() + more)
        assert not any(trace in drawn.content for trace in (b"PK\x03\x04", b"alert(1)", b"index.html"))
        assert not zipfile.is_zipfile(io.BytesIO(drawn.content))
        assert drawn.content.endswith(b"IEND\xaeB`\x82")


def test_it_is_sent_as_a_picture_and_never_guessed_to_be_a_page(people):
    logo_set(club=people.home.club, actor=None, content=picture())
    answer = signed_in().get(reverse("club-logo-picture", kwargs={"club": "roessli"}))
    assert answer.headers["Content-Type"] == "image/png"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_another_logo_has_another_etag_and_a_removed_one_none(people):
    club, client = people.home.club, signed_in()
    image = reverse("club-logo-picture", kwargs={"club": "roessli"})
    logo_set(club=club, actor=None, content=picture())
    before = client.get(image).headers["ETag"]
    logo_set(club=club, actor=None, content=picture(64, 64))
    assert client.get(image, headers={"If-None-Match": before}).status_code == 200
    after = client.get(image).headers["ETag"]
    logo_remove(club=club, actor=None)
    assert client.get(image, headers={"If-None-Match": after}).status_code == 404


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


def test_only_readers_of_the_club_see_its_logo(people):
    for house in (people.home, people.away):
        logo_set(club=house.club, actor=None, content=picture())
    Club.objects.filter(pk=people.home.club.pk).update(visibility=Club.Visibility.PRIVATE)
    image = reverse("club-logo-picture", kwargs={"club": people.home.club.slug})
    shown = [signed_in(person).get(image).status_code for person in (None, people.away.owner, people.home.member)]
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
