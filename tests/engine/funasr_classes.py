"""What FunASR's own classes make of a recipe of Earwright, of weights and of audio. Needs torch, funasr and hyperpyyaml."""
import hyperpyyaml
import torch
import yaml
from funasr.frontends.wav_frontend import WavFrontend
from funasr.models.bicif_paraformer.cif_predictor import CifPredictorV3  # noqa: F401
from funasr.models.paraformer.model import Paraformer
from funasr.models.sanm import encoder as _registers_sanm  # noqa: F401
from funasr.models.seaco_paraformer.model import SeacoParaformer

import peer

torch.set_num_threads(1)  # small tensors: threads that spin while they wait for each other cost minutes on a busy machine

# What upstream's constructors hand to a part by themselves.
GIVEN = {
    "encoder": ["input_size"],
    "decoder": ["vocab_size", "encoder_output_size"],
    "seaco_decoder": ["vocab_size", "encoder_output_size"],
    "predictor": [],
    "ctc": ["odim", "encoder_output_size"],
}


class Objects(yaml.SafeLoader):
    """An object of a recipe is read as its class' name and its arguments."""


def class_and_arguments(loader, tag, node):
    arguments = loader.construct_mapping(node, deep=True) if isinstance(node, yaml.MappingNode) else {}
    return tag.rpartition(".")[2], arguments


Objects.add_multi_constructor("!", class_and_arguments)


def read_recipe(path, overrides):
    with open(path, encoding="utf-8") as file:
        return yaml.load(hyperpyyaml.resolve_references(file, overrides), Objects)


def model_of(recipe):
    """Upstream's class, of the recipe's sizes, in evaluation."""
    arguments = {key: value for key, value in recipe.items() if isinstance(value, (int, float))}
    arguments.setdefault("ctc_weight", 0.0)
    arguments["input_size"] = recipe["encoder"][1]["input_size"]
    for key, given in GIVEN.items():
        if key in recipe:
            name, conf = recipe[key]
            arguments[key] = name
            arguments[key + "_conf"] = {name: value for name, value in conf.items() if name not in given}
    if "bias_encoder" not in recipe:
        return Paraformer(**arguments).eval()
    bias_encoder = recipe["bias_encoder"][1]
    arguments.update(inner_dim=bias_encoder["hidden_size"], bias_encoder_bid=bias_encoder["bidirectional"],
                     NO_BIAS=recipe["seaco_id"])
    return SeacoParaformer(**arguments).eval()


def frontend_of(recipe):
    return WavFrontend(**recipe["frontend"][1])


def write_cmvn(path, features):
    """Kaldi's network text, as FunASR's am.mvn: about what brings log mel energies of noises to 0 and 1."""
    shifts = " ".join(f"{-19 - number % 3}" for number in range(features))
    scales = " ".join(f"{0.5 + number % 5 / 10:g}" for number in range(features))
    path.write_text(f"<Nnet>\n<Splice> {features} {features}\n[ 0 ]\n"
                    f"<AddShift> {features} {features}\n<LearnRateCoef> 0 [ {shifts} ]\n"
                    f"<Rescale> {features} {features}\n<LearnRateCoef> 0 [ {scales} ]\n</Nnet>\n")


class Upstream:
    """A model with its frontend. labels: the number of each letter."""

    def __init__(self, recipe, labels):
        self.model = model_of(recipe)
        self.frontend = frontend_of(recipe)
        self.labels = labels

    def numbers(self, text):
        return [self.labels[letter] for letter in text]

    @torch.no_grad()
    def loss(self, utterances):
        """Of one batch; SeACo's without a hotword."""
        features, frames = self.frontend(*peer.padded([peer.read_wave(path) for path, _ in utterances]))
        tokens, counts = peer.padded([torch.tensor(self.numbers(text)) for _, text in utterances], self.model.ignore_id)
        hotwords = {}
        if isinstance(self.model, SeacoParaformer):
            nothing = torch.full_like(tokens, self.model.NO_BIAS)
            hotwords = {"hotword_pad": torch.tensor([[self.model.sos]]), "hotword_lengths": torch.tensor([1]),
                        "seaco_label_pad": nothing.where(tokens >= 0, tokens)}
        return self.model(features, frames, tokens, counts, **hotwords)[0].item()

    @torch.no_grad()
    def texts(self, utterances, hotwords=()):
        """By upstream's inference, an utterance at a time, as it is called by default."""
        # Upstream cuts hotwords with a tokenizer, and returns numbers where it has none.
        listed = [self.numbers(word) for word in hotwords] + [[self.model.sos]] if hotwords else None
        self.model.generate_hotwords_list = lambda *_, **__: listed
        letters = {number: letter for letter, number in self.labels.items()}
        texts = []
        for path, _ in utterances:
            found = self.model.inference(data_in=[peer.read_wave(path)], key=["utterance"], frontend=self.frontend,
                                         fs=peer.RATE, device="cpu")
            tokens = found[0][0]["token_int"] if found and found[0] else []
            texts.append("".join(letters.get(token, "") for token in tokens))  # "no hotword" is no letter
        return texts
