"""The type of an argument, from what its annotation, its documentation and its default agree upon."""

import re

SCALARS = {
    "int": "int", "integer": "int", "float": "float", "bool": "bool", "boolean": "bool", "str": "str", "string": "str",
    "number": "float", "number of": "int",
}
LIST = re.compile(r"^(?:list|tuple|sequence|iterable|typing\.list)\s*(?:of\s+|\[|\()\s*(int|float|bool)s?\b", re.I)


def strip_null(text):
    """A type without its "optional" and "or None", and whether it had one."""
    text = text.strip().strip("`").strip()
    text = re.sub(r"\(?\s*default\b.*$", "", text, flags=re.I | re.S).strip().rstrip(",.;(").strip()
    bare = re.sub(r"^(?:typing\.)?Optional\[(.*)\]$", r"\1", text)
    bare = re.sub(r",?\s*\(?\boptional\b\)?", "", bare, flags=re.I)
    bare = re.sub(r"\s*(?:\bor\b|\|)\s*None\b|^None\s*(?:\bor\b|\|)\s*", "", bare)
    return bare.strip().rstrip(",").strip(), bare != text


def declared(text):
    """"int", "ints" … of a type as written, "" where it says nothing that can be checked."""
    bare = text.lower().strip()
    if bare in SCALARS:
        return SCALARS[bare]
    match = LIST.match(bare)
    return match[1].lower() + "s" if match and " or " not in bare and "|" not in bare else ""


def of_default(value):
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, (int, float, str)):
        return type(value).__name__
    if isinstance(value, (list, tuple)) and value:
        names = {type(item).__name__ for item in value}
        return names.pop() + "s" if names in ({"int"}, {"float"}, {"bool"}) else ""
    return ""


WIDER = {("float", "int"): "float", ("int", "float"): "float", ("floats", "ints"): "floats", ("ints", "floats"): "floats"}


def infer(annotation, documented, default, has_default):
    """(type, nullable): type "" where nothing is known; "int~" where only the default tells it."""
    nullable = has_default and default is None
    stated = set()
    for text in (annotation, documented):
        bare, said_null = strip_null(text or "")
        nullable = nullable or said_null
        if bare:
            stated.add(declared(bare))
    by_default = of_default(default) if has_default else ""
    if len(stated) > 1 or "" in stated:
        return "", nullable
    if not stated:
        return (by_default + "~" if by_default else ""), nullable
    kind = stated.pop()
    if not by_default or by_default == kind:
        return kind, nullable
    return WIDER.get((kind, by_default), ""), nullable
