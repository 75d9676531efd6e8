"""Makes the files beside it with SpeechBrain (1.1.2): tiny encoders of its own of random weights, as it saves them for a Pretrainer, and
what they make of an input (in.*, out.*), with the gradients (grad.NAME.*) of the sum of out * lossw.

    python3 make.py
"""

from pathlib import Path

import torch
from safetensors.torch import save_file
from speechbrain.lobes.models.convolution import ConvolutionFrontEnd
from speechbrain.lobes.models.transformer.Transformer import TransformerEncoder
from speechbrain.lobes.models.transformer.TransformerASR import EncoderWrapper as BestRqEncoder
from speechbrain.lobes.models.transformer.TransformerASR import TransformerASR
from speechbrain.lobes.models.wav2vec import EncoderWrapper, W2VLatentExtractor
from speechbrain.processing.features import InputNormalization

HERE = Path(__file__).resolve().parent
LENGTHS = torch.tensor([1.0, 0.72, 0.5])


def perturbed(module):
    """Norms and biases matter."""
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.dim() <= 1:
                parameter.add_(0.3 * torch.randn_like(parameter))
    return module


def grads(**modules):
    return {f"grad.{key}.{name}": parameter.grad for key, module in modules.items()
            for name, parameter in module.named_parameters() if parameter.grad is not None}


def wav2vec(name, **options):
    """Trained without dropout."""
    extractor = perturbed(W2VLatentExtractor(out_channels=[6, 6, 4], kernel_sizes=[11, 3, 3], strides=[5, 2, 2]))
    encoder = TransformerEncoder(num_layers=2, nhead=2, d_ffn=12, d_model=8, dropout=0.0, **options)
    wrapper = perturbed(EncoderWrapper(4, 8, encoder, dropout_encoder_input=0.0))
    torch.save(extractor.state_dict(), HERE / f"{name}_extractor.ckpt")
    torch.save(wrapper.state_dict(), HERE / f"{name}_encoder.ckpt")
    wav = torch.randn(3, 400, requires_grad=True)
    latents = extractor(wav)
    embeddings = wrapper(latents, wav_lens=LENGTHS)["embeddings"]
    weights = torch.randn_like(embeddings)
    (embeddings * weights).sum().backward()
    tensors = {"in.wav": wav.detach(), "in.lengths": LENGTHS, "out.latents": latents.detach(), "out.embeddings": embeddings.detach(),
               "lossw": weights, "grad.wav": wav.grad, **grads(extractor=extractor, encoder_wrapper=wrapper)}
    save_file({key: tensor.contiguous() for key, tensor in tensors.items()}, HERE / f"{name}.safetensors")


def best_rq():
    """The list of CNN and encoder and the normalisation, in evaluation."""
    cnn = ConvolutionFrontEnd((8, 10, 12), num_blocks=2, num_layers_per_block=1, out_channels=(4, 2), kernel_sizes=(3, 3), strides=(2, 2),
                              residuals=(False, False))
    transformer = TransformerASR(tgt_vocab=7, input_size=6, d_model=8, nhead=2, num_encoder_layers=1, num_decoder_layers=0, d_ffn=12,
                                 dropout=0.1, activation=torch.nn.GELU, conformer_activation=torch.nn.GELU, encoder_module="conformer",
                                 attention_type="RelPosMHAXL", normalize_before=True, causal=False, max_length=40)
    model = perturbed(torch.nn.ModuleList([cnn, BestRqEncoder(transformer)])).eval()
    normalize = InputNormalization(norm_type="global", update_until_epoch=0).train()
    normalize(torch.randn(3, 20, 12) + 2, LENGTHS)
    torch.save(model.state_dict(), HERE / "bestrq_model.ckpt")
    normalize._save(HERE / "bestrq_normalize.ckpt")
    features = torch.randn(3, 21, 12) + 2
    with torch.no_grad():
        frames = model[1](model[0](normalize.eval()(features, LENGTHS)), LENGTHS)
    save_file({"in.features": features, "in.lengths": LENGTHS, "out.frames": frames}, HERE / "bestrq.safetensors")


def main():
    torch.manual_seed(7)
    wav2vec("wav2vec", normalize_before=True, activation=torch.nn.GELU)
    wav2vec("wav2vec_post")
    best_rq()


main()
