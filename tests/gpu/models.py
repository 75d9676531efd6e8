"""The models that are checked: recipes of the project, with what takes chance out of their steps."""
import dataclasses
import os
import pathlib

import audio
from places import BENCH_RECIPES, IS_GPU, PARAFORMER_RECIPES, WORK

PRECISIONS = ["fp32", "tf32", "fp16", "bf16"] if IS_GPU else ["fp32", "bf16"]
# By how much a loss may differ from the CPU's in fp32, relative.
TOLERANCE = {"fp32": 2e-3, "tf32": 1e-2, "fp16": 3e-2, "bf16": 5e-2}
# Of SeACo's first loss, and of the others: rounding moves the frames at which CIF fires, and its loss is of few tokens. On a CPU,
# weights that differ by 1e-6 gave first losses 4e-4 apart and later ones 6 %; by 1e-5, 2e-3 and 6 %.
FIRST_OF_FIRING, OTHERS_OF_FIRING = 2e-2, 0.3
KIND = {"fp32": "float32", "tf32": "tf32", "fp16": "float16", "bf16": "bfloat16"}
# Of the work that has to be done in that type: autocast leaves sums and norms in float32.
LEAST_SHARE = {"fp32": 0.99, "tf32": 0.99, "fp16": 0.5, "bf16": 0.5}

NO_PARAFORMER_DROPOUT = [
    "--sampling_ratio=0.0", "--frontend={dither: 0.0}",
    "--encoder={dropout_rate: 0.0, positional_dropout_rate: 0.0, attention_dropout_rate: 0.0}",
    "--decoder={dropout_rate: 0.0, positional_dropout_rate: 0.0, self_attention_dropout_rate: 0.0, src_attention_dropout_rate: 0.0}"]
NO_SEACO_DROPOUT = [
    "--seaco_decoder={dropout_rate: 0.0, positional_dropout_rate: 0.0, self_attention_dropout_rate: 0.0, src_attention_dropout_rate: 0.0}"]
NO_CONFORMER_DROPOUT = ["--CNN={dropout: 0.0}", "--Transformer={dropout: 0.0}"]


@dataclasses.dataclass(frozen=True)
class Model:
    recipe: pathlib.Path
    calm: list  # overrides without which two devices would not take the same steps
    speaks: str  # the data set: "words" or "characters"
    fires: bool = False  # its losses hang on where CIF fires

    def data(self):
        return audio.data_set(self.speaks)


MODELS = {
    "crdnn": Model(BENCH_RECIPES / "ctc_crdnn.yaml", ["--lr=0.0001", "--enc={dropout: 0.0}"], "words"),
    "conformer": Model(BENCH_RECIPES / "ctc_conformer.yaml", ["--lr=0.0001", *NO_CONFORMER_DROPOUT], "words"),
    "attention": Model(BENCH_RECIPES / "ctc_attention.yaml", NO_CONFORMER_DROPOUT, "words"),
    "paraformer": Model(PARAFORMER_RECIPES / "paraformer.yaml", [*NO_PARAFORMER_DROPOUT, "--ctc={dropout_rate: 0.0}",
                                                                "--freeze_param=decoder.embed"], "characters"),
    # It starts from the CPU's Paraformer, so that both devices start from the same weights.
    "seaco": Model(PARAFORMER_RECIPES / "seaco_paraformer.yaml", [*NO_PARAFORMER_DROPOUT, *NO_SEACO_DROPOUT, f"--init_param={WORK / 'ref-paraformer'}"], "characters", fires=True),
}
# Those that are trained on the CPU and in every precision: seaco only with paraformer.
COMPARED = os.environ.get("GPU_MODELS", " ".join(MODELS)).split()
