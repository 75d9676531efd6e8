"""Makes upstream.safetensors beside it: what SpeechBrain (1.1.2) makes of random waves and frames with each class of
speechbrain.lobes.downsampling, and the gradients of the sum of its squares.

    python3 make.py        (with the packages of tests/bench/peer.sh)

tst_downsampling.cpp has the arguments of each case by its name.
"""
from pathlib import Path

import torch
from safetensors.torch import save_file
from speechbrain.lobes import downsampling

WAVE, FRAMES = (2, 400), (2, 23, 3)
CASES = {
    "signal by 2": (downsampling.SignalDownsampler(2, 16000), WAVE),
    "signal by 3": (downsampling.SignalDownsampler(3, 16000), WAVE),
    "signal by 1": (downsampling.SignalDownsampler(1, 16000), WAVE),
    "convolution": (downsampling.Conv1DDownsampler(2, 21), WAVE),
    "even kernel": (downsampling.Conv1DDownsampler(3, 4), WAVE),
    "mean": (downsampling.PoolingDownsampler(2, 21), WAVE),
    "padded maximum": (downsampling.PoolingDownsampler(3, 5, padding=2, pool_type="max"), WAVE),
    "mean of frames": (downsampling.PoolingDownsampler(2, 4, padding=1), FRAMES),
    "frames": (downsampling.ConcatDownsampler(4), FRAMES),
}


def main():
    torch.manual_seed(7)
    tensors = {}
    for name, (layer, shape) in CASES.items():
        x = torch.randn(shape, requires_grad=True)
        y = layer(x)
        y.square().sum().backward()
        tensors |= {f"{name}/in": x, f"{name}/out": y, f"{name}/grad in": x.grad}
        for parameter, value in layer.named_parameters():
            tensors |= {f"{name}/{parameter}": value, f"{name}/grad {parameter}": value.grad}
    save_file({name: tensor.detach().clone() for name, tensor in tensors.items()}, Path(__file__).with_name("upstream.safetensors"))


main()
