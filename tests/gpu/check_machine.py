"""What the machine has, and whether anything runs on it at all."""
import json
import os
import re

from models import MODELS
from places import DEVICE, IS_GPU, EARWRIGHT, PROGRAMS, PYTHON
from process import Skipped, log, need, sh
from runs import logs_of, losses, train

SYNC_TEST = PROGRAMS / "test_step_reads_gpu"


def nvidia_smi(fields):
    return sh(["nvidia-smi", f"--query-gpu={fields}", "--format=csv,noheader"], 20)[1].strip()


def machine():
    """The programs find all their libraries; versions, for the record."""
    _, libraries, _ = sh(["ldd", EARWRIGHT, PROGRAMS / "earwright_cuda.so"], 20)
    missing = [line.split()[0] for line in libraries.splitlines() if "not found" in line]
    need(not missing, f"libraries are missing: {missing}")
    gpu = nvidia_smi("name,uuid,driver_version,memory.total,memory.used,compute_cap") if IS_GPU else None
    code, versions, _ = sh([PYTHON, "-c", "import torch, platform, sys; print(torch.__version__, torch.version.cuda,"
                            " torch.backends.cudnn.version(), platform.libc_ver(), sys.version.split()[0])"], 90, check=False)
    return {"gpu": gpu, "versions": versions.strip() if code == 0 else "this Python has no torch", "cores": os.cpu_count()}


def devices():
    """`earwright devices` says what nvidia-smi says."""
    _, out, _ = sh([EARWRIGHT, "devices", "--json"], 60)
    told = json.loads(out)
    if not IS_GPU:
        return told
    gpus = told.get("gpus", [])
    need(gpus, "no GPU is seen")
    for key in ("name", "uuid", "capability", "total_memory_bytes", "free_memory_bytes"):
        need(gpus[0].get(key), f"no {key}: {gpus[0]}")
    need(gpus[0]["utilization"] >= 0, "NVML says no utilization")
    for key in ("cuda_version", "driver_version", "nccl_version", "nccl_built_version", "cuda_driver_version", "torch_cuda_version"):
        need(told.get(key), f"no {key}: {told}")
    smi = nvidia_smi("uuid,name,driver_version")
    need(all(gpu["uuid"] in smi for gpu in gpus) and told["driver_version"] in smi, f"{gpus} is not what nvidia-smi says: {smi}")
    return told


def smoke():
    """The whole way once: dropout, AdamW, checkpoint, validation, test; on a GPU over NCCL, which a rank alone uses only where asked to."""
    model = MODELS["conformer"]
    result = train("smoke", model.recipe, model.data(), [f"--distributed_backend={'nccl' if IS_GPU else 'gloo'}"], steps=4, timeout=120)
    found = losses(result)
    need(len(found) == 4 and all(loss == loss for loss in found), f"losses {found}")
    need(any(event.get("kind") == "evaluated" for event in result["events"]), "nothing was evaluated")
    warnings = sorted(set(re.findall(r"(?:Warning|WARNING|\[W)[^\n]{0,160}", logs_of(result["run"]))))
    return {"losses": found, "seconds": result["seconds"], "warnings": warnings[:6]}


def sync():
    """CUDA itself throws where a step waits for it (tests/train/tst_step_reads_gpu.cpp)."""
    if not SYNC_TEST.exists():
        raise Skipped(f"{SYNC_TEST.name} is not built")
    code, out, err = sh([SYNC_TEST, "tst_step_reads_gpu"], 90, env={"QT_QPA_PLATFORM": "offscreen"}, name=SYNC_TEST.name, check=False)
    need(code == 0, f"rc={code} {re.findall(r'FAIL!  : (.+)', out)} {(out + err)[-300:]}")
    passed = len(re.findall(r"^PASS", out, re.M))
    if "SKIP" in out or passed == 0:
        log(out)
        raise Skipped(f"the test skips on {DEVICE}")
    return {"passed": passed}
