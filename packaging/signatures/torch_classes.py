"""Signatures of PyTorch's and torchaudio's own classes, asked of the installed packages."""

import contextlib
import inspect
import warnings

import docstring
import kinds
import roles
from signature import NO_DEFAULT, Argument, Signature

FUNCTIONS = [
    "torch.manual_seed", "torch.hamming_window", "torch.hann_window", "torch.sum", "torch.zeros", "torch.ones", "torch.tensor",
    "torch.device", "torch.nn.Parameter",
]
GIVEN_BY_THE_TRAINER = {"params"}  # an optimizer's first argument


def parameters_of(name, found):
    try:
        signature = inspect.signature(found)
    except (ValueError, TypeError):
        return Signature([], True)
    documented = docstring.arguments(inspect.getdoc(found) or "")
    arguments, accepts_any = [], False
    for p in signature.parameters.values():
        if p.kind in (p.VAR_KEYWORD, p.VAR_POSITIONAL):
            accepts_any = True
        elif not (name.startswith("torch.optim.") and p.name in GIVEN_BY_THE_TRAINER):
            arguments.append(argument(p, documented.get(p.name, ("", ""))))
    return Signature(arguments, accepts_any)


def argument(p, documented):
    has_default = p.default is not p.empty
    default = p.default if has_default else NO_DEFAULT
    if has_default and not isinstance(default, (bool, int, float, str, list, tuple, type(None))):
        default = str(getattr(default, "__name__", ""))
        return Argument(p.name, "", False, default, documented[1], p.kind is p.KEYWORD_ONLY)
    written = "" if p.annotation is p.empty else getattr(p.annotation, "__name__", str(p.annotation))
    kind, nullable = kinds.infer(written, "", default, has_default)
    return Argument(p.name, kind, nullable, default, documented[1], p.kind is p.KEYWORD_ONLY)


def owns_parameters(found, signature):
    """By building one, required sizes being 4; what cannot be built counts as owning."""
    required = {a.name: 4 for a in signature.arguments if a.default is NO_DEFAULT}
    with contextlib.suppress(Exception), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return any(True for _ in found(**required).parameters())
    return True


def entry(name, found):
    import torch

    signature = parameters_of(name, found)
    is_class = inspect.isclass(found)
    is_module = is_class and issubclass(found, torch.nn.Module)
    if is_class and found in (torch.nn.Sequential, torch.nn.ModuleDict, torch.nn.Module):
        signature = Signature([], True)
    return {
        "role": roles.role(found.__module__ + "." + name if is_class else name, is_module, is_class),
        "owns": is_module and not roles.role(name, True, True) == "Container" and owns_parameters(found, signature),
        "signature": signature,
        "help": docstring.summary(inspect.getdoc(found) or ""),
    }


def classes():
    """(entries by name, aliases) of torch.nn, torch.optim, its schedules and torchaudio's transforms."""
    import torch
    import torchaudio

    entries, aliases = {}, {}
    modules = {"torch.nn": torch.nn, "torch.optim": torch.optim, "torch.optim.lr_scheduler": torch.optim.lr_scheduler,
               "torchaudio.transforms": torchaudio.transforms}
    for prefix, module in modules.items():
        for last, found in sorted(vars(module).items()):
            if last.startswith("_") or not inspect.isclass(found) or not found.__module__.startswith(("torch.nn.modules", "torch.optim", "torchaudio.transforms")):
                continue
            entries[f"{prefix}.{last}"] = entry(f"{prefix}.{last}", found)
            aliases[f"{found.__module__}.{last}"] = f"{prefix}.{last}"
    for module in (torch.nn.functional, torch.nn.init, torch.nn.utils, torch.nn.utils.rnn, torch.nn.utils.parametrizations,
                   torch.nn.parallel, torch.nn.parameter):
        listed = getattr(module, "__all__", None) or vars(module)
        for last in sorted(set(listed) | {n for n in vars(module) if inspect.isbuiltin(vars(module)[n])}):
            found = vars(module).get(last)
            if not last.startswith("_") and callable(found) and str(getattr(found, "__module__", "torch")).startswith("torch"):
                entries[f"{module.__name__}.{last}"] = entry(f"{module.__name__}.{last}", found)
    for name in FUNCTIONS:
        entries[name] = entry(name, getattr(torch.nn if ".nn." in name else torch, name.rpartition(".")[2]))
    return entries, {alias: name for alias, name in aliases.items() if alias not in entries}
