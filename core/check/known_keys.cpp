#include "core/check/known_keys.h"

#include "core/catalog/run_options.h"
#include "core/check/accepted_keys.h"

#include <algorithm>

namespace kymo::check {

namespace {

constexpr const char* kScripts = "";

// clang-format off
constexpr KnownKey kKeys[] = {
    // what Kymo's tasks read
    { "compute_features", "train::CtcTask" }, { "normalize", "train::CtcTask" },
    { "augmentation", "train::CtcTask" }, { "fea_augment", "train::CtcTask" },
    { "wav_augment", "data::Loader" }, { "CNN", "train::CtcTask" }, { "enc", "train::CtcTask" },
    { "model", "train::CtcTask" }, { "ctc_lin", "train::CtcTask" }, { "output", "train::CtcTask" },
    { "log_softmax", "train::CtcTask" }, { "ctc_cost", "train::CtcTask" },
    { "compute_cost", "train::CtcTask" }, { "blank_index", "data::TextEncoder" },
    { "label_encoder", "data::TextEncoder" }, { "label_encoder_file", "data::TextEncoder" },
    { "tokenizer", "data::TextEncoder" }, { "modules", "train::ModuleSet" },
    { "opt_class", "train::Optimizer" }, { "model_opt_class", "train::Optimizer" },
    { "lr_annealing", "train::Schedule" }, { "noam_annealing", "train::Schedule" },
    { "lr_annealing_model", "train::Schedule" }, { "epoch_counter", "train" },
    { "checkpointer", "check" }, { "pretrainer", "check" }, { "evaluation_only", "check" },
    { "device", "engine" }, { "train_conf", "train" },
    { "auto_mix_prec", "check" }, { "bfloat16_mix_prec", "check" },
    { "allow_tf32", "check" }, { "enable_tf32", "check" }, { "use_tf32", "check" },
    { "data_folder", "data::Manifest" }, { "sample_rate", "data::Loader" },
    { "batch_size", "data::Batching" }, { "num_workers", "data::Loader" },
    { "dynamic_batching", "data::Batching" }, { "dynamic_batch_sampler", "data::Batching" },
    { "train_csv", "data::Manifest" }, { "valid_csv", "data::Manifest" }, { "test_csv", "data::Manifest" },
    { "train_json", "data::Manifest" }, { "valid_json", "data::Manifest" }, { "test_json", "data::Manifest" },
    { "train_annotation", "data::Manifest" }, { "valid_annotation", "data::Manifest" },
    { "test_annotation", "data::Manifest" }, { "train_manifest", "data::Manifest" },
    { "valid_manifest", "data::Manifest" }, { "test_manifest", "data::Manifest" },
    { "train_dataloader_opts", "data::Loader" }, { "valid_dataloader_opts", "data::Loader" },
    { "test_dataloader_opts", "data::Loader" },
    // what SpeechBrain's train scripts read besides
    { "Transformer", kScripts }, { "seq_lin", kScripts }, { "seq_cost", kScripts },
    { "emb", kScripts }, { "dec", kScripts }, { "ctc_weight", kScripts },
    { "ctc_weight_decode", kScripts }, { "label_smoothing", kScripts },
    { "number_of_ctc_epochs", kScripts }, { "N_epochs", kScripts }, { "warmup_steps", kScripts },
    { "augment_warmup", kScripts }, { "avg_checkpoints", kScripts },
    { "valid_search", kScripts }, { "test_search", kScripts }, { "test_beam_search", kScripts },
    { "beam_searcher", kScripts }, { "searcher", kScripts }, { "compute_loss", kScripts }, { "valid_search_interval", kScripts },
    { "bos_index", kScripts }, { "eos_index", kScripts }, { "pad_index", kScripts },
    { "unk_index", kScripts }, { "wav2vec_opt_class", kScripts }, { "whisper_opt_class", kScripts },
    { "lr_annealing_wav2vec", kScripts }, { "lr_annealing_whisper", kScripts },
    { "freeze_wav2vec", kScripts }, { "wav2vec2", kScripts }, { "whisper", kScripts },
    { "train_logger", kScripts }, { "error_rate_computer", kScripts }, { "cer_computer", kScripts },
    { "acc_computer", kScripts }, { "error_stats", kScripts }, { "per_stats", kScripts },
    { "output_folder", kScripts }, { "save_folder", kScripts }, { "output_wer_folder", kScripts },
    { "train_log", kScripts }, { "wer_file", kScripts }, { "test_wer_file", kScripts },
    { "valid_wer_file", kScripts }, { "skip_prep", kScripts }, { "skip_train", kScripts },
    { "convert_to_wav", kScripts }, { "accented_letters", kScripts }, { "language", kScripts },
    { "character_coverage", kScripts }, { "token_type", kScripts }, { "split_ratio", kScripts },
    { "train_tsv_file", kScripts }, { "dev_tsv_file", kScripts }, { "test_tsv_file", kScripts },
    { "avoid_if_longer_than", kScripts }, { "avoid_if_shorter_than", kScripts },
    { "train_splits", kScripts }, { "dev_splits", kScripts }, { "test_splits", kScripts },
    { "dynamic_batch_sampler_train", kScripts }, { "dynamic_batch_sampler_valid", kScripts },
    { "dataloader_options", kScripts }, { "dataloader_opts", kScripts },
    { "test_dataloader_options", kScripts }, { "train_loader_kwargs", kScripts },
    { "valid_loader_kwargs", kScripts }, { "test_loader_kwargs", kScripts },
    { "use_tensorboard", kScripts }, { "streaming", kScripts }, { "ckpt_enable", kScripts },
    { "version", kScripts }, { "name", kScripts }, { "description", kScripts },
};

/// Of `*_dataloader_opts` and `dynamic_batch_sampler`, those that Kymo reads.
constexpr KnownKey kReadBelowSections[] = {
    { "batch_size", "data::Batching" }, { "num_workers", "data::Loader" },
    { "max_batch_length", "data::Batching" }, { "max_batch_len", "data::Batching" },
    { "num_buckets", "data::Batching" }, { "max_batch_ex", "data::Batching" },
    { "shuffle", "data::Batching" }, { "drop_last", "data::Batching" },
    { "batch_ordering", "data::Batching" },
};

/// DynamicBatchSampler's arguments in its older versions, and what scripts take out of its section.
constexpr const char* kOldSamplerKeys[] = { "max_batch_len", "shuffle_ex", "max_batch_len_val",
    "max_batch_length_val", "bucket_length_multiplier", "left_bucket_length", "multiplier",
    "feats_hop_size", "dynamic_batching" };

/// FunASR's train_conf, besides the run options.
constexpr KnownKey kTrainConfKeys[] = {
    { "accum_grad", kScripts }, { "grad_clip", kScripts }, { "max_epoch", kScripts },
    { "keep_nbest_models", kScripts }, { "avg_nbest_model", kScripts },
    { "avg_keep_nbest_models_type", kScripts }, { "log_interval", kScripts },
    { "resume", kScripts }, { "validate_interval", kScripts }, { "reset_gpu_cache", kScripts },
    { "save_checkpoint_interval", kScripts }, { "use_deepspeed", kScripts },
    { "deepspeed_config", kScripts }, { "use_fp16", kScripts }, { "use_bf16", kScripts },
    { "use_tensorboard", kScripts }, { "use_ddp", kScripts }, { "use_fsdp", kScripts },
    { "use_wandb", kScripts }, { "device", kScripts }, { "output_dir", kScripts },
    { "seed", kScripts }, { "effective_save_name_excludes", kScripts },
    { "dataset_type", kScripts }, { "batch_size", kScripts }, { "batch_type", kScripts },
    { "patience", kScripts }, { "best_model_criterion", kScripts }, { "dtype", kScripts },
};
// clang-format on

/// Of a section whose names an override may set, with who reads them.
std::vector<KnownKey> sectionKeys(const std::vector<std::string_view>& names)
{
    std::vector<KnownKey> keys;
    for (const std::string_view name : names) {
        const auto read = std::find_if(std::begin(kReadBelowSections), std::end(kReadBelowSections),
            [&](const KnownKey& key) { return name == key.name; });
        keys.push_back(
            { name.data(), read == std::end(kReadBelowSections) ? kScripts : read->reader });
    }
    return keys;
}

std::vector<KnownKey> trainConfKeys()
{
    std::vector<KnownKey> keys(std::begin(kTrainConfKeys), std::end(kTrainConfKeys));
    catalog::RunOptions().visit([&](const char* key, const auto&, const char* consumer) {
        keys.push_back({ key, consumer });
    });
    return keys;
}

} // namespace

std::span<const KnownKey> knownKeys()
{
    return kKeys;
}

std::vector<KnownKey> knownKeysOf(std::string_view section)
{
    if (section == "train_conf")
        return trainConfKeys();
    std::vector<std::string_view> names(
        argumentNames(section).begin(), argumentNames(section).end());
    if (section.starts_with("dynamic_batch_sampler"))
        names.insert(names.end(), std::begin(kOldSamplerKeys), std::end(kOldSamplerKeys));
    return sectionKeys(names);
}

const char* readerOf(std::string_view key)
{
    const char* reader = nullptr;
    catalog::RunOptions().visit([&](const char* name, const auto&, const char* consumer) {
        if (key == name)
            reader = consumer;
    });
    const auto known = std::find_if(std::begin(kKeys), std::end(kKeys),
        [&](const KnownKey& entry) { return key == entry.name; });
    return reader || known == std::end(kKeys) ? reader : known->reader;
}

} // namespace kymo::check
