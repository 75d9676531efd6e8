"""Writes resources/catalog/*.jsonl: what a recipe may name, with its arguments.

    python packaging/signatures --speechbrain SITE/speechbrain --torch --funasr SITE/funasr --out resources/catalog

Each option writes one file; run it with a Python that has the package (speechbrain==1.1.2 with torch; funasr's sources are
only read). A line is ["name", role, flags, help, [[argument, type, default, help], …]], or ["alias", "name"].
Flags: p = owns parameters, * = takes any argument, i = takes any but reads only those listed. Types: int, float, bool, str, ints, floats, bools or "" (anything);
"~" = only the default tells it, "?" = null is allowed. A default of null: the argument is required.
"""

import argparse
import ast
import json
from pathlib import Path

import docstring
import funasr_tables
import roles
import torch_classes
from package import Definition, Package, dotted
from parameters import Ownership
from signature import NO_DEFAULT, Reader, Signature

SKIPPED = (".tests", ".test_", ".bin.", ".download.")
REDIRECTS = {
    "speechbrain.pretrained": "speechbrain.inference",
    "speechbrain.k2_integration": "speechbrain.integrations.k2_fsa",
    "speechbrain.wordemb": "speechbrain.integrations.huggingface.wordemb",
    "speechbrain.lobes.models.huggingface_transformers": "speechbrain.integrations.huggingface",
    "speechbrain.lobes.models.spacy": "speechbrain.integrations.nlp",
    "speechbrain.lobes.models.flair": "speechbrain.integrations.nlp",
}


def text_of(value):
    """A default as a recipe would write it."""
    if isinstance(value, ast.AST):
        return ast.unparse(value)
    if value is None:
        return "null"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(text_of(item) for item in value) + "]"
    return str(value)


def line_of(name, entry):
    arguments = []
    for a in entry["signature"].arguments:
        default = None if a.default is NO_DEFAULT else text_of(a.default)
        arguments.append([a.name, a.kind + ("?" if a.nullable else ""), default, a.help])
    signature = entry["signature"]
    others = "*" if signature.accepts_any else "i" if signature.ignores_others else ""
    flags = ("p" if entry["owns"] else "") + others
    return json.dumps([name, entry["role"], flags, entry["help"], arguments], ensure_ascii=False, separators=(",", ":"))


def write(path, entries, aliases, extra=()):
    lines = {name: line_of(name, entry) for name, entry in entries.items()}
    for alias, name in aliases.items():
        if (name in entries or name in extra) and alias not in entries:
            lines[alias] = json.dumps([alias, name], separators=(",", ":"))
    path.write_text("".join(lines[name] + "\n" for name in sorted(lines)), encoding="utf-8")
    print(f"{path}: {len(entries)} names, {len(lines) - len(entries)} aliases, {path.stat().st_size / 1024:.0f} KiB")


def outside_of(torch_entries, torch_aliases):
    def find(name):
        return torch_entries.get(torch_aliases.get(name, name))

    def signature(name):
        entry = find(name)
        return entry["signature"] if entry else None

    def owns(name):
        entry = find(name)
        # A name of torch.nn that is no class of the table: functional, utils, init.
        return entry["owns"] if entry else False

    return signature, owns


def is_disproved(definition):
    """Whether one built with its defaults alone has no parameters after all (a filter bank that is frozen unless asked)."""
    import importlib

    import torch

    try:
        found = getattr(importlib.import_module(definition.module.name), definition.node.name)
        with torch.device("meta"):
            return not any(True for _ in found().parameters())
    except Exception:
        return False


def member(signature):
    return {"role": "Utility", "owns": False, "signature": signature, "help": ""}


def members(reader, definition):
    """Class methods, static methods and the constants of an enumeration: a recipe may name these too."""
    found = {}
    is_enum = any(base in ("enum.Enum", "Enum", "enum.Flag") for base in reader.bases(definition) if isinstance(base, str))
    for item in definition.node.body:
        if isinstance(item, ast.FunctionDef) and not item.name.startswith("_"):
            kinds = {dotted(d) for d in item.decorator_list} & {"classmethod", "staticmethod"}
            if kinds:
                found[item.name] = reader.function(definition, item, {}, "classmethod" in kinds)
        elif is_enum and isinstance(item, ast.Assign):
            found[item.targets[0].id] = Signature([], True)
    for base in reader.bases(definition):
        if isinstance(base, Definition) and base.is_class and base.name != definition.name:
            found = {**members(reader, base), **found}
    return found


def package_entries(package, reader, ownership, build):
    entries = {}
    for module in package.modules.values():
        if any(part in module.name + "." for part in SKIPPED):
            continue
        for last, value in module.assigned.items():
            if last[:1].isupper() and isinstance(value, ast.Call) and not last.isupper():  # a namedtuple
                entries[f"{module.name}.{last}"] = member(Signature([], True))
        for last, definition in module.definitions.items():
            if last.startswith("_"):
                continue
            is_module = definition.is_class and ownership.is_module(definition)
            role = roles.role(definition.name, is_module, definition.is_class)
            owns = is_module and role != "Container" and ownership.of(definition)
            owns = owns and not (build and is_disproved(definition))
            summary = docstring.summary(docstring.clean(definition.node))
            entries[definition.name] = {
                "role": role, "owns": owns,
                "signature": reader.of(definition), "help": summary,
            }
            if not definition.is_class:
                continue
            for name, signature in members(reader, definition).items():
                entries[f"{definition.name}.{name}"] = member(signature)
    return entries


def reexports(package):
    """Names that packages import: speechbrain.decoders.S2SRNNBeamSearcher."""
    found = {}
    for module in package.modules.values():
        if not module.is_package:
            continue
        names = set(module.imports)
        for star in module.stars:
            star_module = package.modules.get(star)
            names |= set(star_module.definitions) if star_module else set()
        for last in names:
            target = package.resolve(module, last)
            if isinstance(target, Definition) and not last.startswith("_"):
                found[f"{module.name}.{last}"] = target.name
    return found


def redirected(entries, aliases):
    found = {}
    for old, new in REDIRECTS.items():
        for name in list(entries) + list(aliases):
            if name.startswith(new + "."):
                found[old + name[len(new) :]] = aliases.get(name, name)
    return found


def write_package(folder, path, torch_entries, torch_aliases, build, tables=None):
    package = Package(folder, REDIRECTS)
    signature, owns = outside_of(torch_entries, torch_aliases)
    reader = Reader(package, signature)
    entries = package_entries(package, reader, Ownership(reader, owns), build)
    aliases = reexports(package)
    if package.name == "speechbrain":
        aliases.update(redirected(entries, aliases))
    if tables:
        aliases.update(funasr_tables.registered(package))
        entries.update(funasr_tables.sections(package, reader))
    write(path, entries, aliases, torch_entries)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--speechbrain", help="folder of the package")
    parser.add_argument("--funasr", help="folder of the package")
    parser.add_argument("--torch", action="store_true")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    entries, aliases = torch_classes.classes()
    if options.torch:
        write(options.out / "torch.jsonl", entries, aliases)
    if options.speechbrain:
        write_package(options.speechbrain, options.out / "speechbrain.jsonl", entries, aliases, build=True)
    if options.funasr:
        write_package(options.funasr, options.out / "funasr.jsonl", entries, aliases, build=False, tables=True)


if __name__ == "__main__":
    main()
