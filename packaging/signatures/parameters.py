"""Whether an object of a class has trainable parameters of its own. What is handed to it as an argument is not its own;
what cannot be told counts as yes."""

import ast
import sys

from package import Definition, dotted
from signature import method

MODULE = "torch.nn.Module"
CONTAINERS = {"torch.nn.ModuleList", "torch.nn.ModuleDict", "torch.nn.Sequential", "torch.nn.modules.container.ModuleList"}
PARAMETERS = {"torch.nn.Parameter", "torch.nn.parameter.Parameter", "nn.Parameter", "torch.nn.ParameterList"}
HARMLESS = {"torch", "torchaudio", "numpy", "scipy", "sentencepiece", "librosa", "packaging", "tqdm", "yaml", "pandas"}


class Ownership:
    def __init__(self, reader, owns_outside):
        """`owns_outside`: full name of torch's or None where it is no class -> bool."""
        self.reader = reader
        self.package = reader.package
        self.owns_outside = owns_outside
        self.known = {}

    def of(self, definition):
        if definition.name not in self.known:
            self.known[definition.name] = False  # a cycle adds nothing
            self.known[definition.name] = self._owns(definition)
        return self.known[definition.name]

    def _owns(self, definition):
        if not definition.is_class:
            return False
        bases = self.reader.bases(definition)
        for base in bases:
            if isinstance(base, Definition) and base.is_class and base.name != definition.name and self.of(base):
                return True
            if isinstance(base, str) and base != MODULE and (self.owns_outside(base) or base.startswith(self.package.name)):
                return True
        if not self.is_module(definition):
            return False
        return any(self._builds(definition.module, m, definition) for m in self._methods(definition))

    def is_module(self, definition):
        for base in self.reader.bases(definition):
            if isinstance(base, Definition):
                if base.name != definition.name and self.is_module(base):
                    return True
            elif base.startswith("torch.nn.") or not self._is_harmless(base):
                return base not in ("object", "ABC", "Enum")
        return False

    def _is_harmless(self, name):
        first = name.split(".")[0]
        return first in HARMLESS or first in sys.stdlib_module_names or "." not in name

    def _methods(self, definition):
        """__init__ and what it calls on self."""
        found, wanted = [], ["__init__"]
        while wanted:
            node = method(definition.node, wanted.pop())
            if node is None or node in found:
                continue
            found.append(node)
            wanted += [n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute) and dotted(n.value) == "self"]
        return found

    def _builds(self, module, function, definition):
        spec = function.args
        names = [a.arg for a in spec.args + spec.kwonlyargs]
        required = set(names[1 : len(spec.args) - len(spec.defaults)])
        called = {dotted(n.func) for n in ast.walk(function) if isinstance(n, ast.Call)}
        defaults = [d for d in spec.defaults + spec.kw_defaults if d is not None]
        if required & called or any(name.endswith("_class") for name in required):
            return True  # a class that the caller must name
        if any(self._refers(module, d) for d in defaults):
            return True
        return any(self._refers(module, s) for s in function.body)

    def _refers(self, module, statement):
        """A name of an owning class, wherever it stands but in isinstance() and annotations."""
        if isinstance(statement, ast.Call) and dotted(statement.func) in ("isinstance", "issubclass", "super"):
            return False
        if isinstance(statement, ast.Call) and dotted(statement.func) == "getattr":
            owner = self.package.resolve(module, dotted(statement.args[0]))
            if owner in self.package.modules:
                return True  # a class by name
        if isinstance(statement, ast.AnnAssign):
            return statement.value is not None and self._refers(module, statement.value)
        if isinstance(statement, (ast.Name, ast.Attribute)) and dotted(statement):
            return self._is_owner(module, dotted(statement))
        return any(self._refers(module, child) for child in ast.iter_child_nodes(statement))

    def _is_owner(self, module, name):
        first = name.split(".")[0]
        places = (module.imports, module.definitions, module.assigned)
        if first in ("self", "super") or not (module.stars or any(first in place for place in places)):
            return False
        found = self.package.resolve(module, name)
        if isinstance(found, Definition):
            return self.of(found) if found.is_class else self._function_builds(found)
        if found in PARAMETERS:
            return True
        if found in CONTAINERS or found.startswith(self.package.name + "."):
            return False
        if found.startswith("torch.nn."):
            return self.owns_outside(found)
        return not self._is_harmless(found)

    def _function_builds(self, definition):
        if definition.name not in self.known:
            self.known[definition.name] = False
            self.known[definition.name] = any(self._refers(definition.module, s) for s in definition.node.body)
        return self.known[definition.name]
