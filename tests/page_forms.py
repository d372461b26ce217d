"""The forms of a page, filled in and sent as a browser without scripts does it.

A test that fills in a form names only controls and values that the page really has: else it fails.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode, urljoin

from django.test import Client

Attributes = dict[str, str | None]


def without_spare_parts(page: str) -> str:
    """The HTML of a page without scripts and without the templates of parts that only a script adds."""
    return re.sub(r"<(script|template)\b.*?</\1>", "", page, flags=re.DOTALL)


@dataclass
class Control:
    """An input, a text area or a select of a form; `sent` is False for a box without a tick."""

    name: str
    kind: str
    value: str
    sent: bool = True
    options: list[str] = field(default_factory=list)


@dataclass
class Button:
    """A button that submits a form."""

    attributes: Attributes
    text: str = ""


@dataclass
class PageForm:
    """A form of the page at `address`."""

    address: str
    attributes: Attributes
    controls: list[Control] = field(default_factory=list)
    buttons: list[Button] = field(default_factory=list)

    def control(self, name: str, value: str | None = None, nth: int = 0) -> Control:
        """Return a control: a box by its value, any other control by its place among those of its name."""
        controls = [control for control in self.controls if control.name == name and value in (None, control.value)]
        assert len(controls) > nth, (
            f"no {name} {value or nth} in {[(control.name, control.value) for control in self.controls]}"
        )
        return controls[nth]

    def fill(self, name: str, value: object, nth: int = 0) -> None:
        """Type a text, or choose an option."""
        control = self.control(name, nth=nth)
        assert control.kind in ("text", "search", "textarea", "select"), f"{name} is a {control.kind}"
        assert control.kind != "select" or str(value) in control.options, f"{name} offers {control.options}"
        control.value = str(value)

    def tick(self, name: str, value: object) -> None:
        """Tick a checkbox, or choose a radio button in place of the others."""
        box = self.control(name, str(value))
        assert box.kind in ("checkbox", "radio"), f"{name} is a {box.kind}"
        for other in self.controls:
            if box.kind == "radio" and (other.kind, other.name) == ("radio", name):
                other.sent = False
        box.sent = True

    def button(self, text: str) -> Button:
        """Return the button with this text."""
        buttons = [button for button in self.buttons if text in " ".join(button.text.split())]
        assert len(buttons) == 1, f"{len(buttons)} buttons '{text}' in {[button.text for button in self.buttons]}"
        return buttons[0]

    def submit(self, client: Client, text: str) -> Any:
        """Press the button with this text; return the answer."""
        button = self.button(text).attributes
        sent = [(control.name, control.value) for control in self.controls if control.sent]
        if button.get("name"):
            sent.append((button["name"] or "", button.get("value") or ""))
        target = urljoin(self.address, button.get("formaction") or self.attributes.get("action") or "")
        target = target.partition("#")[0]
        if self.attributes.get("method") != "post":
            return client.get(f"{target.partition('?')[0]}?{urlencode(sent)}")
        return client.post(target, urlencode(sent), content_type="application/x-www-form-urlencoded")


class _Forms(HTMLParser):
    """Collects the forms of a page."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address
        self.forms: list[PageForm] = []
        self.form: PageForm | None = None
        self.select: Control | None = None
        self.text_into: Control | Button | None = None
        self.chosen = False
        self.templates = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.templates += tag == "template"
        if tag == "form":
            self.form = PageForm(self.address, given)
            self.forms.append(self.form)
        if self.form is None or self.templates or "disabled" in given:
            return
        name, kind, value = given.get("name") or "", given.get("type") or "text", given.get("value") or ""
        if tag == "input" and name:
            box = kind in ("checkbox", "radio")
            self.form.controls.append(Control(name, kind, value or "on" * box, not box or "checked" in given))
        elif tag == "select" and name:
            self.select = Control(name, "select", "")
            self.form.controls.append(self.select)
        elif tag == "option" and self.select:
            self._option(given)
        elif tag == "textarea" and name:
            self.text_into = Control(name, "textarea", "")
            self.form.controls.append(self.text_into)
        elif tag == "button" and kind != "button":
            self.text_into = Button(given)
            self.form.buttons.append(self.text_into)

    def _option(self, given: Attributes) -> None:
        assert self.select
        value = given.get("value")
        self.select.options.append(value or "")
        if value is None:
            # The value of an option without the attribute is its text.
            self.text_into = self.select
        elif "selected" in given or len(self.select.options) == 1:
            self.select.value = value
        self.chosen = "selected" in given

    def handle_data(self, data: str) -> None:
        if isinstance(self.text_into, Button):
            self.text_into.text += data
        elif self.text_into and self.text_into.kind == "textarea":
            self.text_into.value += data
        elif self.text_into and data.strip():
            self.text_into.options[-1] = data.strip()
            if self.chosen:
                self.text_into.value = data.strip()

    def handle_endtag(self, tag: str) -> None:
        self.templates -= tag == "template"
        if tag == "form":
            self.form = None
        if tag == "select":
            self.select = None
        if tag in ("option", "textarea", "button"):
            self.text_into = None


def page_forms(answer: Any) -> list[PageForm]:
    """Return the forms of a page that a test client loaded."""
    request = answer.wsgi_request
    forms = _Forms(request.get_full_path())
    forms.feed(answer.content.decode())
    return forms.forms


def form_with(answer: Any, name: str, value: str | None = None) -> PageForm:
    """Return the only form of a page that has a control of this name, and of this value if it is given."""
    forms = [
        form
        for form in page_forms(answer)
        if any(control.name == name and value in (None, control.value) for control in form.controls)
    ]
    assert len(forms) == 1, f"{len(forms)} forms with {name} {value or ''}"
    return forms[0]
