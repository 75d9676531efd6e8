"""The table of checks, the most valuable first."""
import dataclasses
from typing import Callable

from check_faults import killed, oom, resumed, two_on_one
from check_machine import devices, machine, smoke, sync
from check_numbers import matrix, overflow, parity, reference, transcribe
from check_speed import beside_speechbrain, gemm, profile, shapes
from places import DEVICE, IS_GPU


@dataclasses.dataclass(frozen=True)
class Check:
    name: str
    seconds: int  # on a GPU, by guess
    work: Callable[[], dict]
    gpu_only: str = ""  # why it says nothing on a CPU
    device: str = DEVICE


NO_HALF = "LibTorch computes in fp16 and tf32 on a GPU only"
NOT_OF_CPU = "it measures what a GPU does"
CHECKS = [
    Check("machine", 10, machine),
    Check("devices", 8, devices),
    Check("smoke", 30, smoke),
    Check("sync", 15, sync, "CUDA tells what waits for it"),
    Check("parity", 90, parity),
    Check("reference", 30, reference, device="cpu"),
    Check("matrix.bf16", 25, matrix("bf16")),
    Check("matrix.fp32", 25, matrix("fp32")),
    Check("matrix.fp16", 25, matrix("fp16"), NO_HALF),
    Check("matrix.tf32", 25, matrix("tf32"), NO_HALF),
    Check("oom", 35, oom),
    *(Check(f"resume.{name}", 25, resumed(name)) for name in ("conformer", "crdnn", "attention", "paraformer")),
    Check("shapes", 90, shapes, NOT_OF_CPU),
    *(Check(f"speed.{recipe}.{precision}", 28, beside_speechbrain(recipe, precision))
      for recipe in ("ctc_conformer", "ctc_crdnn") for precision in (("fp16", "fp32", "bf16") if IS_GPU else ("fp32",))),
    Check("gemm", 60, gemm, NOT_OF_CPU),
    Check("overflow", 12, overflow, NO_HALF),
    *(Check(f"profile.{recipe}.{precision}", 25, profile(recipe, precision), NOT_OF_CPU)
      for recipe in ("ctc_crdnn", "ctc_conformer", "ctc_attention") for precision in ("fp16", "tf32")),
    Check("two_on_one", 40, two_on_one, "NCCL runs on GPUs only"),
    Check("transcribe", 45, transcribe, "it compares a GPU's texts with the CPU's"),
    Check("faults", 20, killed),
]
