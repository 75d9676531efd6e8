"""Losses on the device beside those of the CPU, in every precision."""
import concurrent.futures
import json
import os
import re

from models import COMPARED, FIRST_OF_FIRING, KIND, LEAST_SHARE, MODELS, OTHERS_OF_FIRING, TOLERANCE
from places import DEVICE, EARWRIGHT, OUT, PROGRAMS, ROOT, STEPS, WORK
from process import Skipped, attempt, log, need, sh
from results import record
from runs import losses, shares, train, worst

REFERENCE = {}  # model: losses on the CPU in fp32
REFERENCE_FILE = "reference.json"
PARITY_TEST = PROGRAMS / "test_model"
PARITY_SECONDS = 240
# Of a bundle; in a checkout the test knows where they are.
PARITY_CASES = {"EARWRIGHT_PARITY_DIR": ROOT / "parity", "EARWRIGHT_PARITY2_DIR": ROOT / "parity2"}


CORES = os.cpu_count() or 1
AT_ONCE = min(5, CORES)  # trainings
THREADS = {"OMP_NUM_THREADS": str(CORES // AT_ONCE)}  # of each, on a CPU


def qt_rows(out):
    """{slot(row): (status, words)} of what Qt Test printed."""
    found = re.findall(r"^(PASS|FAIL!|SKIP) +: \w+::(\w+)\((.*?)\)(.*?)(?=^[A-Z!]+ +: |^Totals|\Z)", out, re.M | re.S)
    return {f"{slot}({row})": (status, " ".join(words.split())) for status, slot, row, words in found if not slot.endswith("TestCase")}


def parity_rows(env):
    """Those of tst_parity that compute a case, as its command line names them."""
    _, out, _ = sh([PARITY_TEST, "tst_parity", "-datatags"], 60, env=env, name="tst_parity -datatags", quiet=True)
    words = [line.split(None, 2)[1:] for line in out.splitlines()]
    return [":".join(parts) for parts in words if len(parts) == 2]


def parity():
    """Upstream's recorded calls on the device, each within ten times its tolerance for the CPU (tests/model/tst_parity.cpp)."""
    if not PARITY_TEST.exists():
        raise Skipped(f"{PARITY_TEST.name} is not built")
    env = {"QT_QPA_PLATFORM": "offscreen", "QTEST_FUNCTION_TIMEOUT": "1200000", "OMP_NUM_THREADS": "1", "CUBLAS_WORKSPACE_CONFIG": ":4096:8",
           "EARWRIGHT_PARITY_DEVICE": DEVICE, **{name: str(folder) for name, folder in PARITY_CASES.items() if folder.is_dir()}}
    asked = parity_rows(env)

    def part(first):
        return sh([PARITY_TEST, "tst_parity", *asked[first::AT_ONCE]], PARITY_SECONDS, env=env, name=f"tst_parity {first}", check=False)
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        ends = list(pool.map(part, range(AT_ONCE)))
    rows = {row: found for _, out, _ in ends for row, found in qt_rows(out).items()}
    for row, (status, words) in rows.items():
        if status != "PASS":
            log(f"{status} {row}: {words[:300]}\n")
    bad = [row for row, (status, _) in rows.items() if status == "FAIL!"]
    need(not bad, f"{len(bad)} of {len(rows)} failed: {', '.join(bad)}"[:1500])
    cut = [f"rc={code}: {(out + err)[-300:]}" for code, out, err in ends if code != 0]
    need(not cut and len(rows) >= len(asked), f"{len(rows)} of {len(asked)} rows were run: {cut}")
    return {"passed": sum(status == "PASS" for status, _ in rows.values()), "skipped": [row for row, (status, _) in rows.items() if status == "SKIP"]}


def on_cpu(name):
    model = MODELS[name]
    return losses(train(f"ref-{name}", model.recipe, model.data(), model.calm, device="cpu", timeout=150, env=THREADS))


def reference():
    """The same steps on the CPU: initial weights are drawn there on every device, so they are the same."""
    for name in COMPARED:
        MODELS[name].data()  # made once, before several trainings ask for it
    others = [name for name in COMPARED if name != "seaco"]  # which starts from the Paraformer
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        found = dict(zip(others, pool.map(lambda name: attempt(lambda: on_cpu(name)), others)))
    if "seaco" in COMPARED:
        found["seaco"] = attempt(lambda: on_cpu("seaco"))
    bad = {name: str(problem) for name, problem in found.items() if isinstance(problem, Exception)}
    REFERENCE.update({name: values for name, values in found.items() if name not in bad})
    (OUT / REFERENCE_FILE).write_text(json.dumps(REFERENCE))
    need(not bad, str(bad))
    return {name: values[-1] for name, values in REFERENCE.items()}


def load_reference(folder):
    """Of an earlier call, whose runs are still in WORK."""
    if (folder / REFERENCE_FILE).exists():
        REFERENCE.update(json.loads((folder / REFERENCE_FILE).read_text()))


def cell(name, precision):
    """Trains, validates and tests one model: its losses beside the CPU's, and the types that did the work."""
    model = MODELS[name]
    # A scale that overflows would leave out the first steps, and the losses could not be compared.
    scale = ["--grad_scaler_init_scale=64"] if precision == "fp16" else []
    result = train(f"{name}-{precision}", model.recipe, model.data(), [*model.calm, *scale], precision=precision, env=THREADS)
    ours, theirs = losses(result), REFERENCE.get(name)
    need(len(ours) == STEPS and all(loss == loss for loss in ours), f"losses {ours}")
    share = shares(result).get(KIND[precision], 0)
    need(share > LEAST_SHARE[precision], f"{precision} did {share:.0%} of the work: {shares(result)}")
    tested = [event.get("loss") for event in result["events"] if event.get("kind") == "evaluated"]
    need(tested and all(isinstance(loss, (int, float)) for loss in tested), "no evaluation")
    need(theirs, "the CPU's losses are not there: the check 'reference' makes them")
    off = worst(ours, theirs)
    allowed = OTHERS_OF_FIRING if model.fires else TOLERANCE[precision]
    first_allowed = FIRST_OF_FIRING if model.fires else TOLERANCE[precision]
    need(off <= allowed and worst(ours[:1], theirs[:1]) <= first_allowed, f"losses differ from the CPU's by {off:.2%}: {ours} {theirs}")
    return {"loss": ours[-1], "difference": off, "seconds": result["seconds"], "share": share, "eval_share": shares(result, "valid"), "test": tested}


def matrix(precision):
    """Every model in one precision, several at once; a line each."""
    def run():
        if not REFERENCE:
            raise Skipped("the CPU's losses are not there: the check 'reference' makes them")
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            cells = dict(zip(COMPARED, pool.map(lambda name: attempt(lambda: cell(name, precision)), COMPARED)))
        for name, found in cells.items():
            is_bad = isinstance(found, Exception)
            record(f"train.{name}.{precision}", "failed" if is_bad else "passed", {} if is_bad else found, why=str(found) if is_bad else None)
        bad = [name for name, found in cells.items() if isinstance(found, Exception)]
        need(not bad, f"failed: {bad}")
        return {name: found["loss"] for name, found in cells.items()}
    return run


def overflow():
    """fp16 with gradients far beyond its range: the scale falls, the run goes on."""
    model = MODELS["conformer"]
    result = train("overflow", model.recipe, model.data(), ["--ctc_cost={reduction: sum}", "--max_grad_norm=5.0"], precision="fp16", steps=25)
    changes = [event for event in result["events"] if event.get("kind") == "loss_scale_changed"]
    scales = [value for _, value in result["scalars"].get("train/loss_scale", [])]
    found = losses(result)
    need(scales and scales[0] <= 65536, f"loss scales {scales[:3]}")
    need(len(found) == 25 and all(loss == loss for loss in found), f"losses {found[:3]}")
    return {"changes": len(changes), "scales": [scales[0], scales[-1]], "loss": found[-1]}


def transcribe():
    """Each decoding on the GPU beside the CPU, of the runs that the matrix made."""
    found = {}
    for name in COMPARED:
        run, data = WORK / f"{name}-fp32", MODELS[name].data()
        if not run.is_dir():
            raise Skipped(f"there is no run {run.name}: the check 'matrix.fp32' makes it")
        texts = {}
        for device in ("cpu", DEVICE):
            command = [EARWRIGHT, "transcribe", run, data.folder / "test.csv", f"--data-folder={data.folder}", "--device", device]
            texts[device] = sh(command, 90)[1].splitlines()
        need(texts["cpu"], f"{name}: nothing was recognised")
        found[name] = [sum(a == b for a, b in zip(texts["cpu"], texts[DEVICE])), len(texts["cpu"])]
    bad = {name: counts for name, counts in found.items() if counts[0] < 0.9 * counts[1]}
    need(not bad, f"texts differ between devices: {bad}")
    return found
