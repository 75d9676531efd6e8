#include "core/catalog/known_words.h"

namespace earwright::catalog {

namespace {

struct Help {
    std::string_view classes; ///< the names of the classes begin so
    std::string_view argument; ///< "" = the class itself
    const char* text;
    FieldType type = FieldType::Node; ///< of an argument that has none, Node = leave it
};

struct Words {
    std::string_view classes;
    std::string_view argument;
    std::vector<std::string> choices;
};

// clang-format off
constexpr Help kHelps[] = {
    { "speechbrain.augment.time_domain.", "target_dtype", "the type whose steps the samples are rounded to" },
    { "funasr.frontends.wav_frontend.", "cmvn_file", "Kaldi's mean and variance of the features" },
    { "funasr.frontends.wav_frontend.", "fs", "sample rate of the audio" },
    { "funasr.frontends.wav_frontend.", "window", "window of a frame" },
    { "funasr.frontends.wav_frontend.", "n_mels", "Mel filters" },
    { "funasr.frontends.wav_frontend.", "frame_length", "length of a frame" },
    { "funasr.frontends.wav_frontend.", "frame_shift", "one frame every shift" },
    { "funasr.frontends.wav_frontend.", "filter_length_min", "shortest audio, -1 = any" },
    { "funasr.frontends.wav_frontend.", "filter_length_max", "longest audio, -1 = any" },
    { "funasr.frontends.wav_frontend.", "lfr_m", "frames side by side in one" },
    { "funasr.frontends.wav_frontend.", "lfr_n", "one frame kept of so many" },
    { "funasr.frontends.wav_frontend.", "dither", "noise added to the audio, 0 = none" },
    { "funasr.frontends.wav_frontend.", "snip_edges", "only frames that lie whole within the audio" },
    { "funasr.frontends.wav_frontend.", "upsacle_samples", "scale samples to 16 bits (upstream's spelling)" },
    { "funasr.losses.", "size", "tokens", FieldType::Int },
    { "funasr.losses.", "padding_idx", "token that is not counted", FieldType::Int },
    { "funasr.losses.", "smoothing", "share given to all other tokens", FieldType::Float },
    { "funasr.losses.", "normalize_length", "mean over tokens, not over utterances" },
    { "funasr.losses.", "criterion", "what compares the distributions" },
    { "funasr.models.", "activation", "an object" },
    { "funasr.models.", "adim", "output features, null = idim", FieldType::Int },
    { "funasr.models.", "alphas", "weight of each frame" },
    { "funasr.models.", "hidden", "the encoder's frames" },
    { "funasr.models.", "apply_freq_mask", "mask bands of features" },
    { "funasr.models.", "apply_time_mask", "mask stretches of frames" },
    { "funasr.models.", "apply_time_warp", "stretch the time axis" },
    { "funasr.models.", "att_layer_num", "layers that attend to the encoder" },
    { "funasr.models.", "attention_dropout_rate", "dropout of the attention weights" },
    { "funasr.models.", "attention_heads", "must divide the width" },
    { "funasr.models.", "bias_encoder_bid", "read hotwords in both directions" },
    { "funasr.models.", "bias_encoder_dropout_rate", "dropout of the hotword encoder" },
    { "funasr.models.", "bias_encoder_type", "hotword encoder" },
    { "funasr.models.", "blank_id", "CTC's blank token" },
    { "funasr.models.", "chunk_multiply_factor", "chunk sizes of streaming" },
    { "funasr.models.", "concat_after", "concatenate what attention takes and gives" },
    { "funasr.models.", "ctc", "class of the CTC branch" },
    { "funasr.models.", "ctc_conf", "arguments of the CTC branch" },
    { "funasr.models.", "ctc_weight", "share of the CTC loss" },
    { "funasr.models.", "decoder", "class of the decoder" },
    { "funasr.models.", "decoder_conf", "arguments of the decoder" },
    { "funasr.models.", "dropout", "dropout" },
    { "funasr.models.", "dropout_rate", "dropout" },
    { "funasr.models.", "encoder", "class of the encoder" },
    { "funasr.models.", "encoder_conf", "arguments of the encoder" },
    { "funasr.models.", "encoder_output_size", "width of the encoder's frames", FieldType::Int },
    { "funasr.models.", "eos", "token that ends a text" },
    { "funasr.models.", "freq_mask_width_range", "features that a band covers", FieldType::IntList },
    { "funasr.models.", "idim", "input features", FieldType::Int },
    { "funasr.models.", "ignore_id", "padding of the labels" },
    { "funasr.models.", "in_feat", "input features", FieldType::Int },
    { "funasr.models.", "inner_dim", "width of the hotword encoder" },
    { "funasr.models.", "input_layer", "what comes before the first layer" },
    { "funasr.models.", "input_size", "features a frame" },
    { "funasr.models.", "interctc_layer_idx", "layers that have a CTC loss of their own" },
    { "funasr.models.", "interctc_use_conditioning", "feed these layers' predictions back" },
    { "funasr.models.", "kernel_size", "of the memory block", FieldType::Int },
    { "funasr.models.", "l_order", "frames before, of the convolution", FieldType::Int },
    { "funasr.models.", "length_normalized_loss", "mean over tokens, not over utterances" },
    { "funasr.models.", "lfr_rate", "frames that were put side by side" },
    { "funasr.models.", "linear_units", "width of the feed-forward layers" },
    { "funasr.models.", "lora_alpha", "scale of the low-rank update" },
    { "funasr.models.", "lora_dropout", "dropout of the low-rank update" },
    { "funasr.models.", "lora_list", "projections that get a low-rank update" },
    { "funasr.models.", "lora_rank", "rank of the low-rank update" },
    { "funasr.models.", "lsm_weight", "label smoothing" },
    { "funasr.models.", "NO_BIAS", "token that stands for no hotword" },
    { "funasr.models.", "noise_threshold", "weight below which a frame counts nothing" },
    { "funasr.models.", "noise_threshold2", "the same, of the timestamps" },
    { "funasr.models.", "normalize", "class of the normalisation" },
    { "funasr.models.", "normalize_conf", "arguments of the normalisation" },
    { "funasr.models.", "normalize_before", "normalise before each layer, not after" },
    { "funasr.models.", "num_blocks", "layers" },
    { "funasr.models.", "num_freq_mask", "bands of features that are masked" },
    { "funasr.models.", "num_time_mask", "stretches of frames that are masked" },
    { "funasr.models.", "output_size", "width of the encoder" },
    { "funasr.models.", "padding_idx", "padding of embedded tokens" },
    { "funasr.models.", "pos_enc_class", "class of the positional encoding" },
    { "funasr.models.", "positional_dropout_rate", "dropout of the positional encoding" },
    { "funasr.models.", "positionwise_conv_kernel_size", "of a convolutional feed-forward layer" },
    { "funasr.models.", "positionwise_layer_type", "feed-forward layer" },
    { "funasr.models.", "predictor", "class of the predictor" },
    { "funasr.models.", "predictor_bias", "tokens added to each text, 1 = its end" },
    { "funasr.models.", "predictor_conf", "arguments of the predictor" },
    { "funasr.models.", "predictor_weight", "share of the length loss" },
    { "funasr.models.", "r_order", "frames after, of the convolution", FieldType::Int },
    { "funasr.models.", "sampling_ratio", "share of the wrong tokens that are shown right" },
    { "funasr.models.", "sanm_shfit", "frames by which the memory block is shifted (upstream's spelling)" },
    { "funasr.models.", "seaco_decoder", "class of the hotword decoder" },
    { "funasr.models.", "seaco_decoder_conf", "arguments of the hotword decoder" },
    { "funasr.models.", "seaco_length_normalized_loss", "mean over tokens, of the hotword loss" },
    { "funasr.models.", "seaco_lsm_weight", "label smoothing of the hotword loss" },
    { "funasr.models.", "seaco_weight", "share of the hotword decoder when decoding" },
    { "funasr.models.", "self_attention_dropout_rate", "dropout of the attention among tokens" },
    { "funasr.models.", "selfattention_layer_type", "attention of a layer" },
    { "funasr.models.", "share_embedding", "one embedding for decoder and sampler" },
    { "funasr.models.", "smooth_factor", "factor of the weights" },
    { "funasr.models.", "smooth_factor2", "the same, of the timestamps" },
    { "funasr.models.", "sos", "token that begins a text" },
    { "funasr.models.", "specaug", "class of the feature augmentation" },
    { "funasr.models.", "specaug_conf", "arguments of the feature augmentation" },
    { "funasr.models.", "src_attention_dropout_rate", "dropout of the attention to the encoder" },
    { "funasr.models.", "tail_mask", "keep the frame that is added at the end within the mask" },
    { "funasr.models.", "tail_threshold", "weight added behind the last frame when decoding" },
    { "funasr.models.", "tf2torch_tensor_name_prefix_tf", "name in a TensorFlow checkpoint" },
    { "funasr.models.", "tf2torch_tensor_name_prefix_torch", "name in a Torch checkpoint" },
    { "funasr.models.", "threshold", "a token is told when the weights reach it", FieldType::Float },
    { "funasr.models.", "time_mask_width_range", "frames that a stretch covers", FieldType::IntList },
    { "funasr.models.", "time_mask_width_ratio_range", "share of the frames that a stretch covers", FieldType::FloatList },
    { "funasr.models.", "time_warp_mode", "interpolation" },
    { "funasr.models.", "time_warp_window", "frames by which the axis moves" },
    { "funasr.models.", "train_decoder", "train the decoder with the hotword loss too" },
    { "funasr.models.", "upsample_times", "timestamps for each frame" },
    { "funasr.models.", "upsample_type", "how frames become timestamps" },
    { "funasr.models.", "use_1st_decoder_loss", "count the sampler's first pass" },
    { "funasr.models.", "use_cif1_cnn", "share the convolution with the timestamps" },
    { "funasr.models.", "use_output_layer", "give tokens, not hidden states" },
    { "funasr.models.", "vocab_size", "tokens" },
    { "funasr.models.", "wo_input_layer", "leave the embedding of tokens out" },
    { "funasr.models.paraformer.cif_predictor.cif", "", "Sums frames up to the weight of a token" },
    { "funasr.models.paraformer.cif_predictor.CifPredictor", "", "Tells where a token ends: weights of frames add up to it" },
    { "funasr.models.bicif_paraformer.cif_predictor.CifPredictorV3", "", "Tells where a token ends, with finer timestamps" },
    { "funasr.models.sanm.attention.MultiHeadedAttentionSANMDecoder", "", "The memory block alone, without attention" },
    { "funasr.schedulers.", "warmup_steps", "steps until the rate is highest" },
    { "funasr.schedulers.", "optimizer", "given by the trainer" },
    { "funasr.schedulers.", "last_epoch", "given by the trainer" },
};

const Words kWords[] = {
    { "funasr.frontends.wav_frontend.", "window", { "hamming", "hanning", "povey", "rectangular", "blackman" } },
    { "funasr.models.bicif_paraformer.cif_predictor.", "upsample_type", { "cnn", "cnn_blstm", "cnn_attn" } },
    { "funasr.models.sanm.encoder.SANMEncoder", "selfattention_layer_type", { "selfattn", "sanm" } },
    { "speechbrain.augment.time_domain.AddNoise", "sorting", { "random", "original", "ascending", "descending" } },
    { "speechbrain.augment.time_domain.AddReverb", "sorting", { "random", "original", "ascending", "descending" } },
    { "speechbrain.lobes.features.MFCC", "filter_shape", { "triangular", "rectangular", "gaussian" } },
    { "speechbrain.lobes.models.transformer.", "attention_type", { "regularMHA", "RelPosMHAXL", "hypermixing", "RoPEMHA" } },
    { "speechbrain.lobes.models.transformer.", "encoder_module", { "transformer", "conformer", "branchformer" } },
    { "speechbrain.lobes.models.transformer.", "ffn_type", { "regularFFN", "1dcnn" } },
    { "speechbrain.nnet.RNN.AttentionalRNNDecoder", "attn_type", { "content", "location", "keyvalue" } },
    { "speechbrain.nnet.RNN.AttentionalRNNDecoder", "rnn_type", { "rnn", "gru", "lstm" } },
    { "speechbrain.nnet.RNN.AttentionalRNNDecoder", "nonlinearity", { "tanh", "relu" } },
    { "speechbrain.nnet.complex_networks.", "padding", { "same", "valid", "causal" } },
    { "speechbrain.nnet.complex_networks.", "init_criterion", { "glorot", "he" } },
    { "speechbrain.nnet.complex_networks.", "weight_init", { "complex", "unitary" } },
    { "speechbrain.nnet.quaternion_networks.", "padding", { "same", "valid", "causal" } },
    { "speechbrain.nnet.quaternion_networks.", "init_criterion", { "glorot", "he" } },
    { "speechbrain.nnet.quaternion_networks.", "weight_init", { "quaternion", "unitary" } },
    { "speechbrain.nnet.losses.", "reduction", { "mean", "batch", "batchmean", "sum", "none" } },
    { "speechbrain.nnet.transducer.", "joint", { "sum", "concat" } },
    { "torch.nn.", "reduction", { "none", "mean", "sum", "batchmean" } },
};
// clang-format on

void addWords(const ClassInfo& info, Field& field)
{
    for (const Help& help : kHelps) {
        if (help.argument != field.name || !info.name.starts_with(help.classes))
            continue;
        if (*field.facts.help == '\0')
            field.facts.help = help.text;
        if (field.type == FieldType::Node && help.type != FieldType::Node)
            field.type = help.type;
    }
    for (const Words& words : kWords)
        if (words.argument == field.name && info.name.starts_with(words.classes)
            && field.type == FieldType::String)
            field.facts.choices = words.choices;
}

} // namespace

void addKnownWords(ClassInfo& info)
{
    for (const Help& help : kHelps)
        if (info.help.empty() && help.argument.empty() && info.name.starts_with(help.classes))
            info.help = help.text;
    for (Field& field : info.fields)
        addWords(info, field);
}

} // namespace earwright::catalog
