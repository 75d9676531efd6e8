"""A wav2vec 2.0 of random weights in a folder as the Hub has them, as wide as upstream's recipes expect and small otherwise."""
import json

WIDTH, CHANNELS, HEADS, INNER, POSITIONS, GROUPS = 1024, 16, 4, 48, 16, 16
KERNELS, STRIDES = [10, 3, 3, 3, 3, 2, 2], [5, 2, 2, 2, 2, 2, 2]
CONFIG = {"model_type": "wav2vec2", "hidden_size": WIDTH, "num_hidden_layers": 1, "num_attention_heads": HEADS,
          "intermediate_size": INNER, "conv_dim": [CHANNELS] * len(KERNELS), "conv_kernel": KERNELS, "conv_stride": STRIDES,
          "num_conv_pos_embeddings": POSITIONS, "num_conv_pos_embedding_groups": GROUPS, "layerdrop": 0.0}


def linear(name, inputs, outputs):
    return {f"{name}.weight": (outputs, inputs), f"{name}.bias": (outputs,)}


def norm(name, size):
    return {f"{name}.weight": (size,), f"{name}.bias": (size,)}


def shapes():
    found = {"masked_spec_embed": (WIDTH,), **norm("feature_extractor.conv_layers.0.layer_norm", CHANNELS)}
    for layer, kernel in enumerate(KERNELS):
        found[f"feature_extractor.conv_layers.{layer}.conv.weight"] = (CHANNELS, CHANNELS if layer else 1, kernel)
    found |= norm("feature_projection.layer_norm", CHANNELS) | linear("feature_projection.projection", CHANNELS, WIDTH)
    positions = "encoder.pos_conv_embed.conv"
    found |= {f"{positions}.bias": (WIDTH,), f"{positions}.parametrizations.weight.original0": (1, 1, POSITIONS),
              f"{positions}.parametrizations.weight.original1": (WIDTH, WIDTH // GROUPS, POSITIONS)}
    layer = "encoder.layers.0"
    for projection in ("k_proj", "v_proj", "q_proj", "out_proj"):
        found |= linear(f"{layer}.attention.{projection}", WIDTH, WIDTH)
    found |= linear(f"{layer}.feed_forward.intermediate_dense", WIDTH, INNER) | linear(f"{layer}.feed_forward.output_dense", INNER, WIDTH)
    return found | norm("encoder.layer_norm", WIDTH) | norm(f"{layer}.layer_norm", WIDTH) | norm(f"{layer}.final_layer_norm", WIDTH)


def encoder(folder):
    import torch
    torch.manual_seed(1)
    folder.mkdir(parents=True, exist_ok=True)
    weights = {name: 0.05 * torch.randn(shape) + (name.endswith(("norm.weight", "original0"))) for name, shape in shapes().items()}
    torch.save(weights, folder / "pytorch_model.bin")
    (folder / "config.json").write_text(json.dumps(CONFIG), encoding="utf-8")
    (folder / "preprocessor_config.json").write_text(json.dumps({"do_normalize": False}), encoding="utf-8")
    return folder
