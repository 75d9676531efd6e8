"""Signatures from sources: arguments in positional order, through base classes and through **kwargs."""

import ast
from dataclasses import dataclass, field, replace

import docstring
import kinds
from package import Definition, dotted

NO_DEFAULT = object()
DECORATORS = {"staticmethod", "classmethod"}


@dataclass
class Argument:
    name: str
    kind: str = ""
    nullable: bool = False
    default: object = NO_DEFAULT  # a constant, or the node of an expression
    help: str = ""
    is_keyword_only: bool = False


@dataclass
class Signature:
    arguments: list = field(default_factory=list)
    accepts_any: bool = False
    ignores_others: bool = False  # takes **kwargs of which it reads only those among `arguments`

    def without(self, positional, names):
        """What is left of it once a caller has given these."""
        left = [a for at, a in enumerate(self.arguments) if at >= positional and a.name not in names]
        return Signature(left, self.accepts_any, self.ignores_others)


def constant(node):
    """A default's value where it is a constant or a list of them, else the node itself."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError):
        return node


def method(node, name):
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and item.name == name:
            return item
    return None


def decorators(node):
    return {dotted(d.func if isinstance(d, ast.Call) else d) for d in node.decorator_list}


class Reader:
    def __init__(self, package, outside):
        """`outside`: full name of a class of another package -> Signature or None."""
        self.package = package
        self.outside = outside
        self.known = {}

    def of(self, definition):
        if definition.name not in self.known:
            self.known[definition.name] = Signature([], True)  # a class that is its own base
            self.known[definition.name] = self._read(definition)
        return self.known[definition.name]

    def bases(self, definition):
        return [self.package.resolve(definition.module, dotted(base)) for base in definition.node.bases]

    def is_a(self, definition, full_names):
        """Whether one of the (outside) classes is among the ancestors."""
        for base in self.bases(definition):
            if isinstance(base, Definition):
                if base.name in full_names or (base.name != definition.name and self.is_a(base, full_names)):
                    return True
            elif base in full_names:
                return True
        return False

    def inherited(self, definition, name):
        """A method of a class or of an ancestor within the package, with the class that has it."""
        found = method(definition.node, name)
        if found:
            return definition, found
        for base in self.bases(definition):
            if isinstance(base, Definition) and base.is_class and base.name != definition.name:
                owner, found = self.inherited(base, name)
                if found:
                    return owner, found
        return definition, None

    def _read(self, definition):
        if not definition.is_class:
            documented = docstring.arguments(docstring.clean(definition.node))
            return self.function(definition, definition.node, documented, False)
        documented = self._documented(definition)
        if any(name.endswith("dataclass") for name in decorators(definition.node)):
            return self._dataclass(definition, documented)
        owner, init = self.inherited(definition, "__init__")
        if init is None or method(definition.node, "__new__"):
            return self._without_init(definition)
        if owner is not definition:
            return self._documented_by(self.of(owner), documented)
        return self.function(definition, init, documented, True)

    def _documented(self, definition):
        found = docstring.arguments(docstring.clean(definition.node))
        init = method(definition.node, "__init__")
        if init:
            found = {**docstring.arguments(docstring.clean(init)), **found}
        return found

    def _documented_by(self, signature, documented):
        own = [replace(a, help=documented.get(a.name, ("", ""))[1] or a.help) for a in signature.arguments]
        return Signature(own, signature.accepts_any, signature.ignores_others)

    def _without_init(self, definition):
        """No __init__ in the package: what an ancestor outside takes, or nothing at all."""
        if method(definition.node, "__new__"):
            return Signature([], True)
        for base in self.bases(definition):
            if isinstance(base, Definition):
                signature = self.of(base) if base.is_class and base.name != definition.name else None
                if signature is None or signature.accepts_any or signature.arguments:
                    return signature or Signature([], True)
            elif base not in ("object", "abc.ABC", "ABC", "torch.nn.Module"):
                return self.outside(base) or Signature([], True)
        return Signature([], bool(definition.node.keywords) and not definition.node.bases)

    def _dataclass(self, definition, documented):
        arguments = []
        for base in self.bases(definition):
            if isinstance(base, Definition) and base.name != definition.name:
                arguments += self.of(base).arguments
        for item in definition.node.body:
            if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
                default = constant(item.value) if item.value is not None else NO_DEFAULT
                arguments.append(self._argument(item.target.id, item.annotation, default, documented))
        return Signature(arguments)

    def _argument(self, name, annotation, default, documented, keyword_only=False):
        kind, text = documented.get(name, ("", ""))
        has_default = default is not NO_DEFAULT
        value = None if isinstance(default, ast.AST) or not has_default else default
        is_plain = has_default and not isinstance(default, ast.AST)
        written = ast.unparse(annotation) if annotation is not None else ""
        found, nullable = kinds.infer(written, kind, value, is_plain)
        if isinstance(default, ast.AST):
            found = ""
        return Argument(name, found, nullable, default, text, keyword_only)

    def function(self, definition, node, documented, is_method):
        spec = node.args
        positional = (spec.posonlyargs + spec.args)[1 if is_method else 0 :]
        defaults = [NO_DEFAULT] * (len(positional) - len(spec.defaults)) + [constant(d) for d in spec.defaults]
        defaults = defaults[-len(positional) :] if positional else []
        arguments = [
            self._argument(a.arg, a.annotation, d, documented) for a, d in zip(positional, defaults)
        ]
        for a, d in zip(spec.kwonlyargs, spec.kw_defaults):
            default = constant(d) if d is not None else NO_DEFAULT
            arguments.append(self._argument(a.arg, a.annotation, default, documented, True))
        signature = Signature(arguments)
        if spec.kwarg:
            self._follow_kwargs(definition, node, signature, documented)
        elif spec.vararg:
            signature.accepts_any = True
        return signature

    def _follow_kwargs(self, definition, node, signature, documented):
        """**kwargs handed to the base class or read by name: then the names are known; else any name goes."""
        name = node.args.kwarg.arg
        uses = Uses(name)
        uses.visit(node)
        names = {a.name for a in signature.arguments}
        for key, default in uses.read.items():
            if key not in names:
                value = constant(default) if default is not None else None
                signature.arguments.append(self._argument(key, None, value, documented, True))
        signature.accepts_any = uses.escapes
        signature.ignores_others = not uses.to_super
        for call in uses.to_super:
            base = self._base_signature(definition)
            given = [k.arg for k in call.keywords if k.arg]
            stars = [a for a in call.args if isinstance(a, ast.Starred)]
            rest = base.without(len(call.args) - len(stars), set(given))
            known = {a.name for a in signature.arguments}
            before = [] if not stars else [a for a in rest.arguments if a.name not in known]
            after = [] if stars else [replace(a, is_keyword_only=True) for a in rest.arguments if a.name not in known]
            signature.arguments = before + signature.arguments + after
            signature.accepts_any = signature.accepts_any or base.accepts_any
            signature.ignores_others = signature.ignores_others or base.ignores_others

    def _base_signature(self, definition):
        for base in self.bases(definition):
            if isinstance(base, Definition) and base.is_class and base.name != definition.name:
                return self.of(base)
            if base == "torch.nn.Module":
                return Signature([], False)
            if isinstance(base, str):
                return self.outside(base) or Signature([], True)
        return Signature([], not definition.node.bases)


class Uses(ast.NodeVisitor):
    """What a function does with its **kwargs."""

    def __init__(self, name):
        self.name = name
        self.read = {}  # key -> node of its default or None
        self.to_super = []
        self.escapes = False

    def visit_Call(self, node):
        target = node.func
        if isinstance(target, ast.Attribute) and self._is_it(target.value) and target.attr in ("get", "pop", "setdefault"):
            key = node.args[0] if node.args else None
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                self.read.setdefault(key.value, node.args[1] if len(node.args) > 1 else None)
                for rest in node.args[1:]:
                    self.visit(rest)
                return
        stars = [k for k in node.keywords if k.arg is None and self._is_it(k.value)]
        if stars and self._is_super(target):
            self.to_super.append(node)
            for rest in node.args + [k.value for k in node.keywords if k not in stars]:
                self.visit(rest)
            return
        self.generic_visit(node)

    def visit_Subscript(self, node):
        if self._is_it(node.value) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            self.read.setdefault(node.slice.value, None)
        else:
            self.generic_visit(node)

    def visit_Compare(self, node):
        if len(node.comparators) == 1 and self._is_it(node.comparators[0]) and isinstance(node.left, ast.Constant):
            self.read.setdefault(str(node.left.value), None)
        else:
            self.generic_visit(node)

    def visit_Name(self, node):
        self.escapes = self.escapes or node.id == self.name

    def _is_it(self, node):
        return isinstance(node, ast.Name) and node.id == self.name

    def _is_super(self, target):
        if not isinstance(target, ast.Attribute) or target.attr != "__init__":
            return False
        return isinstance(target.value, ast.Call) and dotted(target.value.func) == "super"
