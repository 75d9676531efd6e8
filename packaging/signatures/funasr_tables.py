"""FunASR's registry: which class `encoder: SANMEncoder` names, and who reads the sections that are no class's own."""

import ast
import re

from package import Definition, dotted
from signature import Argument, Signature

PREFIX = "funasr.tables"
SECTIONS = {"Trainer": "train_conf", "DataLoader": "dataset_conf"}
READERS = ("funasr.bin.train_ds", "funasr.train_utils.trainer_ds", "funasr.datasets.dataloader_entry", "funasr.auto.auto_model")
# dataset_conf is handed to all of these.
READ_DATASET_CONF = ("dataset_classes", "batch_sampler_classes", "index_ds_classes", "dataloader_classes", "preprocessor_classes")


def registered(package):
    """{"funasr.tables.encoder_classes.SANMEncoder": full name}"""
    found = {}
    for module in package.modules.values():
        for definition in module.definitions.values():
            for call in definition.node.decorator_list:
                if isinstance(call, ast.Call) and dotted(call.func) == "tables.register":
                    words = [a.value for a in call.args if isinstance(a, ast.Constant)]
                    key = words[1] if len(words) > 1 else definition.node.name
                    found[f"{PREFIX}.{words[0]}.{key}"] = definition.name
    for table, module in (("optim_classes", "funasr.optimizers"), ("scheduler_classes", "funasr.schedulers")):
        for keyword in package.modules[module].assigned[table].keywords:
            target = package.resolve(package.modules[module], dotted(keyword.value))
            found[f"{PREFIX}.{table}.{keyword.arg}"] = target.name if isinstance(target, Definition) else target
    return found


def read_from(package, section):
    """Keys that the trainer reads from a section: kwargs.get("train_conf", {}).get("key")."""
    pattern = re.compile(section + r"""["'](?:, \{\})?[\])]\s*(?:\.get\(|\[)\s*["'](\w+)["']""")
    return {key for name in READERS for key in pattern.findall(ast.unparse(package.modules[name].tree))}


def union(signatures, more):
    arguments = {}
    for signature in signatures:
        for a in signature.arguments:
            arguments.setdefault(a.name, a)
    for name in sorted(more):
        arguments.setdefault(name, Argument(name, default=None))
    for a in arguments.values():
        a.default = None if not isinstance(a.default, (bool, int, float, str, list)) else a.default
    return Signature(list(arguments.values()), False, True)


def sections(package, reader):
    """Signatures of what reads train_conf and dataset_conf."""
    names = registered(package)
    of_data = [full for name, full in names.items() if name.split(".")[2] in READ_DATASET_CONF]
    data = [reader.of(package.find(full)) for full in sorted(set(of_data))]
    # Samplers that functions of this module choose between.
    samplers = package.modules["funasr.datasets.audio_datasets.samplers"].definitions.values()
    data += [reader.of(d) for d in samplers if d.is_class]
    trainer = reader.of(package.find("funasr.train_utils.trainer_ds.Trainer"))
    entries = {
        "Trainer": union([trainer], read_from(package, "train_conf")),
        "DataLoader": union(data, read_from(package, "dataset_conf")),
    }
    return {
        f"funasr.sections.{name}": {"role": "Utility", "owns": False, "signature": signature, "help": f"What reads the section {SECTIONS[name]}"}
        for name, signature in entries.items()
    }
