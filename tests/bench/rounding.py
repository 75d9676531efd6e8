"""One rounding of what a training starts from, to learn how far it moves from itself: of the initial weights, and of the audio, whose
faintest bands a logarithm raises to features of the same size as the rest. Up or down by chance: the next value above each weight
moved a Paraformer by 1e-7 that this moves by 1e-3."""
import torch

ROUNDING = 1e-7


def rounded(values):
    return values * (1 + ROUNDING * torch.randn(values.shape).to(values.device))


def nudge(model):
    torch.manual_seed(1)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(rounded(parameter))
