"""Form fields of OpenDocument files: what each says, by the id that the place in the text refers to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gatherum_formats.opendocument.names import attribute, clark, inner_text

if TYPE_CHECKING:
    from lxml.etree import _Element

CHECKED: Final = "☒"
UNCHECKED: Final = "☐"


def form_fields(forms: _Element) -> dict[str, str]:
    """Return the text of each field in ``office:forms`` by its id."""
    boxes = (clark("form:checkbox"), clark("form:radio"))
    closed = (clark("form:hidden"), clark("form:password"), clark("form:form"))
    fields: dict[str, str] = {}
    for element in forms.iter():
        name = attribute(element, "form:id") or attribute(element, "xml:id")
        if name and element.tag not in closed:
            fields[name] = _check_box(element) if element.tag in boxes else _field(element)
    return fields


def _check_box(element: _Element) -> str:
    state = attribute(element, "form:current-state") or attribute(element, "form:state")
    chosen = attribute(element, "form:current-selected") or attribute(element, "form:selected")
    mark = CHECKED if state == "checked" or chosen == "true" else UNCHECKED
    return f"{mark} {attribute(element, 'form:label')}".strip()


def _field(element: _Element) -> str:
    label = attribute(element, "form:label") or attribute(element, "form:title")
    value = attribute(element, "form:current-value") or attribute(element, "form:value") or inner_text(element)
    lines = [": ".join(part for part in (label, value) if part)]
    for option in element.iterchildren(clark("form:option"), clark("form:item")):
        chosen = attribute(option, "form:current-selected") == "true"
        lines.append(f"- {CHECKED if chosen else UNCHECKED} {attribute(option, 'form:label')}")
    return "\n".join(line for line in lines if line)
