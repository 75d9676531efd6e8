"""What a docstring says of a class and of its arguments (numpydoc's or Google's layout)."""

import ast
import inspect
import re

SECTIONS = {"Arguments", "Args", "Parameters"}
NUMPY_ARGUMENT = re.compile(r"^(\*{0,2}\w+(?:\s*,\s*\w+)*)\s*(?::\s*(.*))?$")
GOOGLE_ARGUMENT = re.compile(r"^\s*(\w+)\s*(?:\(([^)]*)\))?\s*:\s*(.*)$")
MOST = 110  # characters of a help


def clean(node):
    try:
        text = ast.get_docstring(node, clean=True)
    except TypeError:
        return ""
    return text or ""


def one_line(lines):
    """The first sentence, on one line, without markup."""
    text = " ".join(line.strip() for line in lines if line.strip())
    text = re.sub(r":(?:func|class|meth|attr|mod|ref):`~?([^`]*)`", r"\1", text)
    text = re.sub(r"`+", "", text)
    text = re.split(r"(?<!i\.e)(?<!e\.g)(?<! vs)(?<=[a-z0-9)\]])\.(?:\s|$)", text, maxsplit=1)[0].strip().rstrip(".:")
    if len(text) > MOST:
        text = text[:MOST].rsplit(" ", 1)[0].rstrip(",;:") + " …"
    return text


def summary(text):
    paragraph = []
    for line in text.splitlines():
        if not line.strip():
            if paragraph:
                break
            continue
        if line.strip().startswith("Author"):
            continue
        if line.strip() in SECTIONS or line.strip().startswith(("Arguments", "Args:", ">>>")):
            break
        if re.match(r"^\s*(?:\"\"\"|[-=]{3,})", line):
            break
        paragraph.append(line)
    return one_line(paragraph)


def section(lines):
    """The lines of the section of arguments, and whether it is numpydoc's."""
    for at, line in enumerate(lines[:-1]):
        if line.strip() in SECTIONS and re.match(r"^\s*-{3,}\s*$", lines[at + 1]):
            return lines[at + 2 :], True
        if line.strip() in {name + ":" for name in SECTIONS}:
            return lines[at + 1 :], False
    return [], True


def numpy_arguments(lines):
    found, names, kind, words = {}, [], "", []

    def close():
        for name in names:
            found[name.strip("*")] = (kind, one_line(words))

    for at, line in enumerate(lines):
        if at + 1 < len(lines) and re.match(r"^\s*-{3,}\s*$", lines[at + 1]):
            break
        match = NUMPY_ARGUMENT.match(line) if line[:1].strip() else None
        if match:
            close()
            names, kind, words = re.split(r"\s*,\s*", match[1]), (match[2] or "").strip(), []
        elif line[:1].strip() and line.strip():
            break
        else:
            words.append(line)
    close()
    return found


def google_arguments(lines):
    found, name = {}, ""
    indent = None
    words = {}
    for line in lines:
        if not line.strip():
            continue
        depth = len(line) - len(line.lstrip())
        indent = depth if indent is None else indent
        if depth < indent or depth == 0:
            break
        match = GOOGLE_ARGUMENT.match(line) if depth == indent else None
        if match:
            name = match[1]
            found[name] = (match[2] or "", "")
            words[name] = [match[3]]
        elif name:
            words[name].append(line)
    return {name: (kind, one_line(words[name])) for name, (kind, _) in found.items()}


def arguments(text):
    """{name: (type as written, help)}"""
    lines, is_numpy = section(inspect.cleandoc(text).splitlines()) if text else ([], True)
    return numpy_arguments(lines) if is_numpy else google_arguments(lines)
