"""A Whisper of random weights in a folder as the Hub has them, whose encoder is as wide as upstream's recipe for CTC expects, and small
otherwise. Its tokenizer has a token for each byte and those of Whisper, of one language."""
import json

from encoder import linear, norm

WIDTH, HEADS, INNER, MELS, SOURCE, TARGET = 384, 6, 48, 80, 1500, 448
SPECIAL = ["<|endoftext|>", "<|startoftranscript|>", "<|en|>", "<|translate|>", "<|transcribe|>", "<|startoflm|>", "<|startofprev|>",
           "<|nocaptions|>", "<|notimestamps|>"]
BYTES = 256
CONFIG = {"model_type": "whisper", "d_model": WIDTH, "encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": HEADS,
          "decoder_attention_heads": HEADS, "encoder_ffn_dim": INNER, "decoder_ffn_dim": INNER, "num_mel_bins": MELS,
          "max_source_positions": SOURCE, "max_target_positions": TARGET, "vocab_size": BYTES + len(SPECIAL), "pad_token_id": BYTES,
          "bos_token_id": BYTES, "eos_token_id": BYTES, "decoder_start_token_id": BYTES + 1, "dropout": 0.0}
FEATURES = {"feature_extractor_type": "WhisperFeatureExtractor", "feature_size": MELS, "sampling_rate": 16000, "n_fft": 400,
            "hop_length": 160, "chunk_length": 30, "n_samples": 480000, "nb_max_frames": 3000, "padding_value": 0.0}


def attention(name):
    found = linear(f"{name}.v_proj", WIDTH, WIDTH) | linear(f"{name}.q_proj", WIDTH, WIDTH) | linear(f"{name}.out_proj", WIDTH, WIDTH)
    return found | {f"{name}.k_proj.weight": (WIDTH, WIDTH)} | norm(f"{name}_layer_norm", WIDTH)


def layer(name):
    found = attention(f"{name}.self_attn") | linear(f"{name}.fc1", WIDTH, INNER) | linear(f"{name}.fc2", INNER, WIDTH)
    return found | norm(f"{name}.final_layer_norm", WIDTH)


def shapes():
    found = {"encoder.embed_positions.weight": (SOURCE, WIDTH), "decoder.embed_positions.weight": (TARGET, WIDTH),
             "decoder.embed_tokens.weight": (CONFIG["vocab_size"], WIDTH),
             "encoder.conv1.weight": (WIDTH, MELS, 3), "encoder.conv1.bias": (WIDTH,),
             "encoder.conv2.weight": (WIDTH, WIDTH, 3), "encoder.conv2.bias": (WIDTH,)}
    found |= layer("encoder.layers.0") | layer("decoder.layers.0") | attention("decoder.layers.0.encoder_attn")
    return found | norm("encoder.layer_norm", WIDTH) | norm("decoder.layer_norm", WIDTH)


def letters():
    """GPT-2's, one for each byte."""
    plain = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = [byte for byte in range(BYTES) if byte not in plain]
    return [chr(byte) for byte in plain] + [chr(BYTES + at) for at in range(len(others))]


def whisper(folder):
    import torch
    torch.manual_seed(1)
    folder.mkdir(parents=True, exist_ok=True)
    weights = {f"model.{name}": 0.05 * torch.randn(shape) + name.endswith("norm.weight") for name, shape in shapes().items()}
    torch.save(weights, folder / "pytorch_model.bin")
    texts = {"config.json": CONFIG, "preprocessor_config.json": FEATURES, "vocab.json": {sign: at for at, sign in enumerate(letters())},
             "added_tokens.json": {name: BYTES + at for at, name in enumerate(SPECIAL)}}
    for name, content in texts.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    (folder / "merges.txt").write_text("#version: 0.2\n", encoding="utf-8")
    return folder
