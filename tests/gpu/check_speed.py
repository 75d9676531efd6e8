"""How fast steps are: beside SpeechBrain, by precision, by shape, and what the GPU does in them."""
import json
import os
import shutil
import statistics

import audio
from models import PRECISIONS
from places import BENCH_RECIPES, IS_GPU, OUT, PEER_PYTHON, PEER_SITE, ROOT, WORK
from process import Skipped, need, sh
from runs import rate, rates, train

SKIPPED = 10 if IS_GPU else 1  # steps before the timed ones
TIMED = 60 if IS_GPU else 4
BATCH = ["--batch_size=16", "--num_workers=4"] if IS_GPU else ["--batch_size=2", "--num_workers=1"]
TARGETS = {"tf32": 1.84, "fp16": 1.89, "bf16": 1.98}  # published gains over fp32, for the record
CUPTI = ROOT / "lib/libearwright_cupti.so"
PROFILED = 40  # steps
STEP_MARK = "lpnorm_cleanup"  # a kernel of the gradients' norm, which each optimizer step takes and nothing else does


def peer_rate(recipe, precision, data):
    """SpeechBrain's steps a second on the same recipe and data."""
    env = {"DEVICE": "cuda" if IS_GPU else "cpu", "THREADS": "1", "STEPS": str(TIMED), "SKIP": str(SKIPPED), "PYTHONPATH": PEER_SITE}
    _, out, _ = sh([PEER_PYTHON, ROOT / "tests/bench/peer_speechbrain.py", BENCH_RECIPES / f"{recipe}.yaml", *data.overrides(), f"--precision={precision}",
                    f"--output_folder={WORK}/peer-{recipe}", *BATCH], 120, env=env, name=f"peer {recipe} {precision}")
    return 1000 / json.loads(out.splitlines()[-1])["step_ms_median"]


def beside_speechbrain(recipe, precision):
    """Nothing else runs meanwhile. SpeechBrain allows TF32 by itself, so its fp32 is compared with tf32."""
    def run():
        if not PEER_PYTHON:
            raise Skipped("SpeechBrain is not there: tests/bench/against_speechbrain.sh installs it into build/peer")
        data = audio.long_set()
        ours_as = "tf32" if precision == "fp32" and IS_GPU else precision
        ours = rate(train(f"speed-{recipe}-{precision}", BENCH_RECIPES / f"{recipe}.yaml", data, [*BATCH, "--replica_check_interval=0"],
                          precision=ours_as, steps=TIMED, timeout=120), SKIPPED)
        theirs = peer_rate(recipe, precision, data)
        return {"earwright": round(ours, 2), "speechbrain": round(theirs, 2), "ratio": round(ours / theirs, 2), "earwright_precision": ours_as}
    return run


def data_wait(result, skip):
    """Mean share of a step that waits for its batch."""
    waits = [value for step, value in result["scalars"].get("train/data_wait", []) if step > skip]
    return round(statistics.mean(waits), 3) if waits else None


def shapes():
    """What a new shape costs: batches of one shape beside batches of which no two are alike.

    cuDNN plans every shape anew, for convolutions and, where it may, for attention in half precision; its older interface plans less."""
    ways = [("varied", False, [], {}), ("of one length", True, [], {}), ("varied, cuDNN attention", False, ["--enable_cudnn_sdp=True"], {}),
            ("varied, cuDNN v7", False, [], {"TORCH_CUDNN_V8_API_DISABLED": "1"})]
    found = {}
    for recipe in ("ctc_conformer", "ctc_attention"):
        for way, is_exact, over, env in ways:
            result = train(f"shapes-{len(found)}", BENCH_RECIPES / f"{recipe}.yaml", audio.long_set(is_exact), [*BATCH, *over], precision="fp16",
                           steps=40, env=env, timeout=120)
            steps = [1000 / speed for speed in rates(result, SKIPPED)]
            need(steps, f"{way}: no rates")
            found[f"{recipe}, {way}"] = {"ms_median": round(statistics.median(steps), 2), "ms_mean": round(statistics.mean(steps), 2),
                                         "data_wait": data_wait(result, SKIPPED)}
    return found


def gemm():
    """What precision gains where products of matrices rule."""
    over = ["--d_model=512", "--Transformer={nhead: 8, num_encoder_layers: 12, d_ffn: 2048}", "--batch_size=32", "--num_workers=4",
            "--replica_check_interval=0"]
    found = {"published": TARGETS}
    for precision in PRECISIONS:
        result = train(f"gemm-{precision}", BENCH_RECIPES / "ctc_conformer.yaml", audio.long_set(), over, precision=precision, steps=30, timeout=120)
        found[precision] = round(rate(result, 8), 3)
        found[precision + "_data_wait"] = data_wait(result, 8)
    for precision in PRECISIONS[1:]:
        found["ratio_" + precision] = round(found[precision] / found["fp32"], 2)
    return found


def cupti():
    """The library that counts, compiled here where it did not come with a bundle."""
    if CUPTI.exists():
        return CUPTI
    library = WORK / CUPTI.name
    if not library.exists():
        code, _, err = sh(["bash", ROOT / "tests/gpu/cupti.sh", library], 60, check=False)
        if code != 0:
            raise Skipped("libearwright_cupti.so cannot be compiled: " + (err.strip().splitlines() or ["?"])[-1])
    return library


def profile(recipe, precision):
    """What the GPU and the host do in a step of utterances whose lengths differ, by CUPTI: the head figures, of a step; the tables as a file.

    `kinds` has of each kind of CUDA call how many, the host's ms in them, and the longest one's."""
    def run():
        library, name = cupti(), f"profile-{recipe}-{precision}"
        for old in WORK.glob(f"{name}.cupti.*"):
            os.remove(old)
        env = {"CUDA_INJECTION64_PATH": str(library), "EARWRIGHT_CUPTI_OUT": str(WORK / f"{name}.cupti"), "EARWRIGHT_CUPTI_MARK": STEP_MARK,
               "EARWRIGHT_CUPTI_STEPS": str(PROFILED)}
        result = train(name, BENCH_RECIPES / f"{recipe}.yaml", audio.long_set(), [*BATCH, "--replica_check_interval=0"], precision=precision,
                       steps=PROFILED, env=env)
        tables = sorted(WORK.glob(f"{name}.cupti.*"), key=lambda file: file.stat().st_size)
        need(tables, "CUPTI wrote nothing")
        shutil.copy(tables[-1], OUT / f"{name}.tsv")
        head = json.loads(tables[-1].read_text(errors="replace").splitlines()[0].lstrip("# "))
        return {"it_per_s": round(rate(result, SKIPPED), 2), "data_wait": data_wait(result, SKIPPED), **head}
    return run
