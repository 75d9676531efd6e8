"""What kind of thing a class is (catalog::Role), by its base classes and by the module it stands in."""

CONTAINERS = {"Sequential", "ModuleList", "ModuleDict", "LengthsCapableSequential", "ParameterList", "ParameterDict"}
BY_MODULE = [
    ("optim.lr_scheduler", "Scheduler"), ("schedulers", "Scheduler"), ("torch.optim", "Optimizer"),
    ("funasr.optimizers", "Optimizer"), (".losses", "Loss"), (".loss.", "Loss"), (".augment.", "Augmentation"),
    (".specaug", "Augmentation"), (".decoders.", "Decoder"), ("alignment.", "Decoder"), ("dataio.encoder", "TextEncoder"),
    (".tokenizer", "TextEncoder"), ("metric_stats", "Metric"), ("Accuracy", "Metric"), ("bleu", "Metric"),
    ("edit_distance", "Metric"), (".features", "Features"), ("torchaudio.transforms", "Features"), ("frontends", "Features"),
    ("activation", "Activation"),
]


def role(name, is_module, is_class):
    last = name.rpartition(".")[2]
    if last in CONTAINERS:
        return "Container"
    if last.endswith("Loss") and is_class:
        return "Loss"
    for part, found in BY_MODULE:
        if part in name and (is_class or found not in ("Decoder", "Augmentation", "Features")):
            return found
    return "Module" if is_module else "Utility"
