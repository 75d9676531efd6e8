"""The sources of a Python package as trees: nothing of it is imported or run."""

import ast
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Definition:
    """A class or function and the module that defines it."""

    name: str  # "speechbrain.nnet.linear.Linear"
    node: ast.AST
    module: "Module"

    @property
    def is_class(self):
        return isinstance(self.node, ast.ClassDef)


@dataclass
class Module:
    name: str
    is_package: bool
    tree: ast.Module
    imports: dict = field(default_factory=dict)  # local name -> dotted name
    stars: list = field(default_factory=list)  # modules of `from m import *`
    definitions: dict = field(default_factory=dict)
    assigned: dict = field(default_factory=dict)  # constants: local name -> node


def top_level(body):
    """Statements of a module, those below `if` and `try` too."""
    for statement in body:
        yield statement
        for inner in ("body", "orelse", "handlers", "finalbody"):
            if isinstance(statement, (ast.If, ast.Try, ast.ExceptHandler)):
                yield from top_level(getattr(statement, inner, []))


def dotted(node):
    """"torch.nn.Linear" of an expression of names and attributes, "" of any other."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return f"{before}.{node.attr}" if before else ""
    return ""


class Package:
    def __init__(self, folder, redirects=None):
        """`redirects`: old name of a module -> its name now."""
        self.redirects = redirects or {}
        root = Path(folder)
        self.name = root.name
        self.modules = {}
        for path in sorted(root.rglob("*.py")):
            parts = list(path.relative_to(root.parent).with_suffix("").parts)
            is_package = parts[-1] == "__init__"
            name = ".".join(parts[:-1] if is_package else parts)
            try:
                tree = ast.parse(path.read_text(encoding="utf-8"))
            except (SyntaxError, UnicodeDecodeError):
                continue
            self.modules[name] = self._read(Module(name, is_package, tree))

    def _read(self, module):
        for node in top_level(module.tree.body):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    first = alias.name.split(".")[0]
                    module.imports[alias.asname or first] = alias.name if alias.asname else first
            elif isinstance(node, ast.ImportFrom):
                self._read_from(module, node)
            elif isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                name = f"{module.name}.{node.name}"
                module.definitions[node.name] = Definition(name, node, module)
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                module.assigned[node.targets[0].id] = node.value
        for node in ast.walk(module.tree):  # imports within functions
            if isinstance(node, ast.ImportFrom) and node not in module.tree.body:
                self._read_from(module, node, is_local=True)
        return module

    def _read_from(self, module, node, is_local=False):
        origin = node.module or ""
        if node.level:
            up = module.name.split(".")
            up = up[: len(up) - node.level + (1 if module.is_package else 0)]
            origin = ".".join(up + ([origin] if origin else []))
        for alias in node.names:
            if alias.name == "*":
                module.stars.append(origin)
            elif not is_local or alias.name not in module.imports:
                module.imports[alias.asname or alias.name] = f"{origin}.{alias.name}"

    def resolve(self, module, name, depth=0):
        """What a dotted name means in a module: a Definition, or the full name of something outside of the package."""
        first, _, rest = name.partition(".")
        if first in module.definitions and not rest:
            return module.definitions[first]
        if first in module.assigned and not rest and dotted(module.assigned[first]) and depth < 8:
            return self.resolve(module, dotted(module.assigned[first]), depth + 1)
        if first in module.imports:
            full = module.imports[first] + ("." + rest if rest else "")
            return self.find(full, depth + 1)
        for star in module.stars:
            if star in self.modules and depth < 8:
                found = self.resolve(self.modules[star], name, depth + 1)
                if isinstance(found, Definition):
                    return found
        return name

    def find(self, full, depth=0):
        """The definition of a full name, through what packages import; the name where it is not of this package."""
        if depth > 8 or not full.startswith(self.name):
            return full
        for old, new in self.redirects.items():
            if full.startswith(old + "."):
                full = new + full[len(old) :]
        module, _, last = full.rpartition(".")
        if module in self.modules:
            found = self.resolve(self.modules[module], last, depth + 1)
            return found if isinstance(found, Definition) or found != last else full
        return full
