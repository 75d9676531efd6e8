"""Makes the folder `whisper` beside it: a tiny Whisper with random weights, saved by transformers (5.17.0), and what SpeechBrain's
wrapper (1.1.2) makes of two waves with it: in.wav, in.tokens, out.* of expected.safetensors. Of frames every 25th is kept.

    python3 make_whisper.py
"""

import shutil
import tempfile
from pathlib import Path

import torch
from safetensors.torch import save_file
from speechbrain.integrations.huggingface.whisper import Whisper
from transformers import WhisperConfig, WhisperFeatureExtractor, WhisperForConditionalGeneration, WhisperTokenizer

FOLDER = Path(__file__).resolve().parent / "whisper"
SIZES = dict(
    vocab_size=60, num_mel_bins=80, d_model=8, encoder_layers=2, decoder_layers=2, encoder_attention_heads=2, decoder_attention_heads=2,
    encoder_ffn_dim=12, decoder_ffn_dim=12, max_target_positions=24, pad_token_id=50, bos_token_id=50, eos_token_id=50,
    decoder_start_token_id=51, suppress_tokens=None, begin_suppress_tokens=None,
)


def with_tokenizer(folder):
    """A copy that the wrapper takes, which asks for a tokenizer."""
    shutil.copytree(FOLDER, folder, dirs_exist_ok=True)
    vocab = {f"t{i}": i for i in range(50)}
    vocab.update({"<|endoftext|>": 50, "<|startoftranscript|>": 51})
    tokenizer = WhisperTokenizer(
        vocab=vocab, merges=[], bos_token="<|startoftranscript|>", eos_token="<|endoftext|>", unk_token="<|endoftext|>")
    tokenizer.save_pretrained(folder)
    return str(folder)


def main():
    torch.manual_seed(0)
    shutil.rmtree(FOLDER, ignore_errors=True)
    model = WhisperForConditionalGeneration(WhisperConfig(**SIZES))
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "embed_positions" not in name:
                parameter.add_(0.3 * torch.randn_like(parameter))
    model.save_pretrained(FOLDER)
    WhisperFeatureExtractor(feature_size=80).save_pretrained(FOLDER)

    wav = torch.randn(2, 9000) * torch.tensor([[0.3], [0.02]])
    wav[1, 6000:] = 0
    tokens = torch.tensor([[51, 3, 4, 5, 6], [51, 7, 8, 50, 50]])
    with tempfile.TemporaryDirectory() as temporary, torch.no_grad():
        folder = with_tokenizer(Path(temporary))
        plain = Whisper(folder, temporary).eval()
        frames, logits, _ = plain(wav, tokens)
        hidden = Whisper(folder, temporary, output_all_hiddens=True).eval()(wav, tokens)[0]
        save_file({
            "in.wav": wav, "in.tokens": tokens, "out.mel": plain._get_mel(wav)[:, :, ::25].contiguous(),
            "out.frames": frames[:, ::25].contiguous(), "out.hidden": hidden[:, :, ::25].contiguous(), "out.logits": logits,
        }, FOLDER / "expected.safetensors")
    for file in FOLDER.iterdir():
        file.chmod(0o644)
        print(file.name, file.stat().st_size)


if __name__ == "__main__":
    main()
