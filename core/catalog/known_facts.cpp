#include "core/catalog/known_facts.h"

#include <limits>

namespace earwright::catalog {

namespace {

constexpr double kAny = std::numeric_limits<double>::infinity();

struct Known {
    std::string_view classes; ///< the names of the classes begin so, "" = any
    std::string_view argument;
    const char* unit;
    double min;
    double max;
};

// clang-format off
constexpr Known kKnown[] = {
    // What a name means in every class that has it.
    { "", "dropout", "", 0, 1 },
    { "", "dropout_rate", "", 0, 1 },
    { "", "positional_dropout_rate", "", 0, 1 },
    { "", "attention_dropout_rate", "", 0, 1 },
    { "", "self_attention_dropout_rate", "", 0, 1 },
    { "", "src_attention_dropout_rate", "", 0, 1 },
    { "", "label_smoothing", "", 0, 1 },
    { "", "lsm_weight", "", 0, 1 },
    { "", "ctc_weight", "", 0, 1 },
    { "", "sample_rate", "Hz", 1, kAny },
    { "", "attention_heads", "", 1, kAny },
    { "", "linear_units", "", 1, kAny },
    { "", "encoder_output_size", "", 1, kAny },
    { "", "vocab_size", "", -1, kAny },
    { "speechbrain.decoders.", "beam_size", "", 1, kAny },
    { "speechbrain.decoders.", "topk", "", 1, kAny },
    { "speechbrain.decoders.", "temperature", "", 0, kAny },
    { "speechbrain.decoders.", "min_decode_ratio", "of the frames", 0, kAny },
    { "speechbrain.decoders.", "max_decode_ratio", "of the frames", 0, kAny },
    { "speechbrain.decoders.", "bos_index", "", 0, kAny },
    { "speechbrain.decoders.", "eos_index", "", 0, kAny },
    { "speechbrain.decoders.", "eos_threshold", "", 0, kAny },
    { "speechbrain.decoders.", "max_attn_shift", "frames", 0, kAny },
    { "speechbrain.decoders.ctc.", "blank_skip_threshold", "", 0, 1 },
    { "speechbrain.decoders.ctc.", "beam_prune_logp", "nats", -kAny, 0 },
    { "speechbrain.decoders.ctc.", "token_prune_min_logp", "nats", -kAny, 0 },
    { "speechbrain.nnet.schedulers.", "lr", "", 0, kAny },
    { "speechbrain.nnet.schedulers.", "lr_initial", "", 0, kAny },
    { "speechbrain.nnet.schedulers.", "initial_value", "", 0, kAny },
    { "speechbrain.nnet.schedulers.", "final_value", "", 0, kAny },
    { "speechbrain.nnet.schedulers.", "base_lr", "", 0, kAny },
    { "speechbrain.nnet.schedulers.", "max_lr", "", 0, kAny },
    { "speechbrain.nnet.schedulers.", "lr_min", "", 0, kAny },
    { "speechbrain.nnet.schedulers.", "factor", "", 0, 1 },
    { "speechbrain.nnet.schedulers.", "decay_factor", "", 0, kAny },
    { "speechbrain.nnet.schedulers.", "patience", "epochs", 0, kAny },
    { "speechbrain.nnet.schedulers.", "epoch_count", "epochs", 1, kAny },
    { "speechbrain.nnet.schedulers.", "dont_halve_until_epoch", "epochs", 0, kAny },
    { "speechbrain.nnet.schedulers.", "half_life", "epochs", 1, kAny },
    { "speechbrain.nnet.schedulers.", "n_warmup_steps", "steps", 0, kAny },
    { "speechbrain.nnet.schedulers.", "num_warmup_steps", "steps", 0, kAny },
    { "speechbrain.nnet.schedulers.", "num_training_steps", "steps", 1, kAny },
    { "speechbrain.nnet.schedulers.", "n_keep_steps", "steps", 0, kAny },
    { "speechbrain.nnet.schedulers.", "warmup_steps", "steps", 0, kAny },
    { "speechbrain.nnet.schedulers.", "hold_steps", "steps", 0, kAny },
    { "speechbrain.nnet.schedulers.", "decay_steps", "steps", 0, kAny },
    { "speechbrain.nnet.schedulers.", "total_steps", "steps", 1, kAny },
    { "speechbrain.nnet.schedulers.", "decay_every", "steps", 1, kAny },
    { "speechbrain.nnet.schedulers.", "step_size", "steps", 1, kAny },
    { "speechbrain.nnet.schedulers.", "warmup", "steps", 0, kAny },
    { "speechbrain.nnet.schedulers.", "cooldown", "steps", 0, kAny },
    { "speechbrain.nnet.schedulers.", "model_size", "", 1, kAny },
    { "speechbrain.augment.", "snr_low", "dB", -kAny, kAny },
    { "speechbrain.augment.", "snr_high", "dB", -kAny, kAny },
    { "speechbrain.augment.", "clip_low", "of the largest amplitude", 0, kAny },
    { "speechbrain.augment.", "clip_high", "of the largest amplitude", 0, kAny },
    { "speechbrain.augment.", "amp_low", "", 0, kAny },
    { "speechbrain.augment.", "amp_high", "", 0, kAny },
    { "speechbrain.augment.", "orig_freq", "Hz", 1, kAny },
    { "speechbrain.augment.", "new_freq", "Hz", 1, kAny },
    { "speechbrain.augment.", "noise_sample_rate", "Hz", 1, kAny },
    { "speechbrain.augment.", "clean_sample_rate", "Hz", 1, kAny },
    { "speechbrain.augment.time_domain.", "drop_length_low", "samples", 0, kAny },
    { "speechbrain.augment.time_domain.", "drop_length_high", "samples", 0, kAny },
    { "speechbrain.augment.", "drop_count_low", "", 0, kAny },
    { "speechbrain.augment.", "drop_count_high", "", 0, kAny },
    { "speechbrain.augment.", "num_workers", "", 0, kAny },
    { "speechbrain.augment.freq_domain.RandomShift", "min_shift", "frames or bins", -kAny, kAny },
    { "speechbrain.augment.freq_domain.RandomShift", "max_shift", "frames or bins", -kAny, kAny },
    { "speechbrain.dataio.sampler.", "max_batch_length", "as length_func", 0, kAny },
    { "speechbrain.dataio.sampler.", "num_buckets", "", 1, kAny },
    { "speechbrain.dataio.sampler.", "max_batch_ex", "", 1, kAny },
    { "speechbrain.lobes.features.", "n_mels", "", 1, kAny },
    { "speechbrain.lobes.features.", "n_mfcc", "", 1, kAny },
    { "speechbrain.lobes.features.", "n_fft", "samples", 1, kAny },
    { "speechbrain.lobes.features.", "win_length", "ms", 0, kAny },
    { "speechbrain.lobes.features.", "hop_length", "ms", 0, kAny },
    { "speechbrain.lobes.features.", "left_frames", "frames", 0, kAny },
    { "speechbrain.lobes.features.", "right_frames", "frames", 0, kAny },
    { "funasr.frontends.wav_frontend.", "fs", "Hz", 1, kAny },
    { "funasr.frontends.wav_frontend.", "n_mels", "", 1, kAny },
    { "funasr.frontends.wav_frontend.", "frame_length", "ms", 0, kAny },
    { "funasr.frontends.wav_frontend.", "frame_shift", "ms", 0, kAny },
    { "funasr.frontends.wav_frontend.", "lfr_m", "frames", 1, kAny },
    { "funasr.frontends.wav_frontend.", "lfr_n", "frames", 1, kAny },
    { "funasr.models.", "threshold", "", 0, kAny },
    { "funasr.models.", "tail_threshold", "", 0, kAny },
    { "funasr.models.", "sampling_ratio", "", 0, 1 },
    { "funasr.models.", "seaco_weight", "", 0, kAny },
    { "funasr.models.", "inner_dim", "", 1, kAny },
    { "funasr.schedulers.", "warmup_steps", "steps", 0, kAny },
    { "funasr.sections.Trainer", "max_epoch", "epochs", 0, kAny },
    { "funasr.sections.Trainer", "accum_grad", "batches", 1, kAny },
    { "funasr.sections.Trainer", "grad_clip", "", 0, kAny },
    { "funasr.sections.Trainer", "log_interval", "steps", 1, kAny },
    { "wenet.utils.scheduler.", "warmup_steps", "steps", 0, kAny },
};
// clang-format on

} // namespace

void addKnownFacts(std::string_view className, Field& field)
{
    for (const Known& known : kKnown) {
        if (known.argument != field.name || !className.starts_with(known.classes))
            continue;
        field.facts.unit = known.unit;
        field.facts.min = known.min;
        field.facts.max = known.max;
    }
}

} // namespace earwright::catalog
