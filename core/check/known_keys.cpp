#include "core/check/known_keys.h"

#include "core/catalog/run_options.h"
#include "core/check/accepted_keys.h"
#include "core/check/script_keys.h"
#include "core/tasks/spec.h"

#include <algorithm>

namespace earwright::check {

namespace {

constexpr const char* kScripts = "";

// clang-format off
/// In the order in which a recipe mostly has them.
constexpr settings::KnownKey kDataKeys[] = {
    { "device", "engine", "where to train", "cpu, cpu:N for N processes, cuda, cuda:N or a list of GPUs" },
    { "data_folder", "data::Manifest", "a folder", "where the corpus is" },
    { "output_folder", kScripts, "a folder", "where results go" },
    { "save_folder", "data::TextEncoder", "a folder", "where checkpoints go, and a tokenizer that is trained" },
    { "train_csv", "data::Manifest", "a manifest", "what is trained on: CSV with ID, duration, wav and transcript" },
    { "valid_csv", "data::Manifest", "a manifest", "what is validated on after each epoch" },
    { "test_csv", "data::Manifest", "a manifest, or several", "what the trained model is tested on" },
    { "train_json", "data::Manifest", "a manifest", "what is trained on: JSON of utterances by their id" },
    { "valid_json", "data::Manifest", "a manifest", "what is validated on after each epoch" },
    { "test_json", "data::Manifest", "a manifest, or several", "what the trained model is tested on" },
    { "skip_prep", "data::prepareMissing", "True or False", "True: manifests that are not there are not made" },
};
/// Behind those of the tasks.
constexpr settings::KnownKey kOtherKeys[] = {
    { "normalize", "train::SpeechTask", "an object, such as InputNormalization", "brings features to mean 0" },
    { "wav_augment", "data::Loader", "an object, such as Augmenter", "changes waveforms while training" },
    { "fea_augment", "train::SpeechTask", "an object, such as SpectrogramDrop", "changes features while training" },
    { "blank_index", "data::TextEncoder", "a whole number", "the token that stands for none; usually 0" },
    { "label_encoder", "data::TextEncoder", "an object, such as CTCTextEncoder", "from transcripts to tokens" },
    { "modules", "train::ModuleSet", "a mapping of objects", "what is moved to the device and trained" },
    { "opt_class", "train::Optimizer", "a !name: of an optimizer", "the optimizer, without its parameters" },
    { "lr_annealing", "train::Schedule", "an object, such as NewBobScheduler", "changes the learning rate" },
    { "epoch_counter", "train", "an object, such as EpochCounter", "counts epochs across a resume" },
    { "checkpointer", "check", "an object, Checkpointer", "what is saved, and where" },
    { "train_logger", kScripts, "an object, such as FileTrainLogger", "writes each epoch's figures" },
    { "train_dataloader_opts", "data::Loader", "a mapping", "batch_size, num_workers and so on" },
    { "valid_dataloader_opts", "data::Loader", "a mapping", "the same for validation" },
    { "test_dataloader_opts", "data::Loader", "a mapping", "the same for the test" },
    { "dynamic_batch_sampler", "data::Batching", "a mapping", "batches of equal length in seconds" },
    { "train_conf", "train", "a mapping of run options", "run options together, as FunASR has them" },
    { "hotword", "train::Trainer", "a file or words", "counted in validation and test; SeACo listens for them" },
    { "optim_param_groups", "train::Optimizer", "{name: {lr: number}}", "learning rates of their own for parts of the model" },
    { "speed_perturb", "data::Loader", "an object, SpeedPerturb",
        "plays each utterance of the training set at one of its speeds" },
    { "do_speed_perturb", "data::Loader", "True or False", "whether speed_perturb is applied" },
    { "augment_warmup", "train::SpeechTask", "a whole number",
        "optimizer steps before wav_augment and fea_augment begin" },
    { "avoid_if_longer_than_val_test", "data::Manifest", "a number of seconds",
        "longer utterances are left out of validation and test" },
    { "acc_computer", "train::Trainer", "a !name: of AccuracyStats",
        "the best checkpoint is that with the most ACC, unless min_key or max_key is given" },
    { "SGD", "train::Optimizer", "a !name: of an optimizer", "the optimizer after stage_one_epochs" },
    { "stage_one_epochs", "train::Optimizer", "a whole number",
        "epochs after which SGD trains in place of the first optimizer" },
    { "add_unk", "data::TextEncoder", "True or False", "a label for characters that the training texts have not" },
    // what Earwright reads besides
    { "normalizer", "train::SpeechTask" }, { "mean_var_norm", "train::SpeechTask" },
    { "output_neurons", "data::TextEncoder" }, { "vocab_size", "data::TextEncoder" },
    { "augmentation", "train::SpeechTask" },
    { "label_encoder_file", "data::TextEncoder" }, { "tokenizer", "data::TextEncoder" },
    { "model_opt_class", "train::Optimizer" }, { "Adam", "train::Optimizer" }, { "noam_annealing", "train::Schedule" },
    { "lr_annealing_model", "train::Schedule" }, { "pretrainer", "check" }, { "evaluation_only", "check" },
    { "auto_mix_prec", "check" }, { "bfloat16_mix_prec", "check" }, { "allow_tf32", "check" },
    { "enable_tf32", "check" }, { "use_tf32", "check" }, { "sample_rate", "data::Loader" },
    { "batch_size", "data::Batching" }, { "num_workers", "data::Loader" }, { "dynamic_batching", "data::Batching" },
    { "train_annotation", "data::Manifest" }, { "valid_annotation", "data::Manifest" },
    { "test_annotation", "data::Manifest" }, { "train_manifest", "data::Manifest" },
    { "valid_manifest", "data::Manifest" }, { "test_manifest", "data::Manifest" },
    { "train_data", "data::Manifest" }, { "valid_data", "data::Manifest" }, { "test_data", "data::Manifest" },
    { "csv_train", "data::Manifest" }, { "csv_valid", "data::Manifest" }, { "csv_test", "data::Manifest" },
    { "train_splits", "data::prepareMissing" }, { "manifest_folder", "data::prepareMissing" },
    { "clipped_utt_folder", "data::prepareMissing" }, { "hf_hub", "data::prepareMissing" },
    { "hf_download_folder", "data::prepareMissing" }, { "hf_caching_dir", "data::prepareMissing" },
    { "subsets", "data::prepareMissing" }, { "tls_subset", "data::prepareMissing" },
    { "prepare_noise_data", "data::makeSoundCsvs" },
    { "per_stats", "data::TextEncoder" }, { "input_type", "data::Manifest" }, { "download_with_HF", "data::Manifest" },
    // what SpeechBrain's train scripts read besides
    { "emb", kScripts }, { "dec", kScripts },
    { "label_smoothing", kScripts }, { "N_epochs", kScripts },
    { "beam_searcher", kScripts }, { "searcher", kScripts }, { "compute_loss", kScripts },
    { "unk_index", kScripts },
    { "dataloader_options", "data::Loader" }, { "test_dataloader_options", "data::Loader" },
    { "dynamic_batch_sampler_val", "data::Batching" },
    { "character_coverage", "data::TextEncoder" }, { "token_type", "data::TextEncoder" },
    { "avoid_if_longer_than", "data::Manifest" }, { "avoid_if_shorter_than", "data::Manifest" },
    { "dynamic_batch_sampler_train", "data::Batching" }, { "dynamic_batch_sampler_valid", "data::Batching" }, { "dataloader_opts", kScripts },
    { "train_loader_kwargs", "data::Loader" }, { "valid_loader_kwargs", "data::Loader" },
    { "test_loader_kwargs", "data::Loader" }, { "streaming", kScripts },
    { "ckpt_enable", kScripts }, { "version", kScripts }, { "name", kScripts }, { "description", kScripts },
};

/// Of `*_dataloader_opts` and `dynamic_batch_sampler`, those that Earwright reads.
constexpr settings::KnownKey kReadBelowSections[] = {
    { "batch_size", "data::Batching" }, { "num_workers", "data::Loader" },
    { "prefetch_factor", "data::Loader" },
    { "max_batch_length", "data::Batching" }, { "max_batch_len", "data::Batching" },
    { "bucket_boundaries", "data::Batching" }, { "num_buckets", "data::Batching" }, { "max_batch_ex", "data::Batching" },
    { "shuffle", "data::Batching" }, { "shuffle_ex", "data::Batching" }, { "drop_last", "data::Batching" },
    { "batch_ordering", "data::Batching" }, { "seed", "data::Batching" }, { "sort_size", "data::Batching" },
};

/// DynamicBatchSampler's arguments in its older versions, and what scripts take out of its section.
constexpr const char* kOldSamplerKeys[] = { "max_batch_len", "shuffle_ex", "max_batch_len_val",
    "max_batch_length_val", "bucket_length_multiplier", "left_bucket_length", "multiplier",
    "feats_hop_size", "dynamic_batching" };

/// FunASR's train_conf, besides the run options.
constexpr settings::KnownKey kTrainConfKeys[] = {
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
std::vector<settings::KnownKey> sectionKeys(const std::vector<std::string_view>& names)
{
    std::vector<settings::KnownKey> keys;
    for (const std::string_view name : names) {
        const auto read = std::find_if(std::begin(kReadBelowSections), std::end(kReadBelowSections),
            [&](const settings::KnownKey& key) { return name == key.name; });
        keys.push_back(
            { name.data(), read == std::end(kReadBelowSections) ? kScripts : read->reader });
    }
    return keys;
}

std::vector<settings::KnownKey> trainConfKeys()
{
    std::vector<settings::KnownKey> keys(std::begin(kTrainConfKeys), std::end(kTrainConfKeys));
    catalog::RunOptions().visit([&](const char* key, const auto&, const char* consumer) {
        keys.push_back({ key, consumer });
    });
    return keys;
}

/// A key that several read stands there once, as the first of them describes it. What has no detail
/// comes last.
std::vector<settings::KnownKey> allKeys()
{
    std::vector<settings::KnownKey> keys(std::begin(kDataKeys), std::end(kDataKeys));
    const auto add = [&keys](const auto& more) {
        for (const settings::KnownKey& key : more)
            if (std::none_of(keys.begin(), keys.end(),
                    [&](const auto& known) { return std::string_view(known.name) == key.name; }))
                keys.push_back(key);
    };
    for (const tasks::Spec& spec : tasks::specs())
        add(spec.keys);
    add(kOtherKeys);
    for (const ScriptKey& key : scriptKeys())
        add(std::initializer_list<settings::KnownKey> { { key.name, kScripts } });
    std::stable_partition(
        keys.begin(), keys.end(), [](const auto& key) { return *key.detail != '\0'; });
    return keys;
}

} // namespace

std::span<const settings::KnownKey> knownKeys()
{
    static const std::vector<settings::KnownKey> keys = allKeys();
    return keys;
}

std::vector<settings::KnownKey> knownKeysOf(std::string_view section)
{
    if (section == "train_conf")
        return trainConfKeys();
    std::vector<std::string_view> names(
        argumentNames(section).begin(), argumentNames(section).end());
    if (section.starts_with("dynamic_batch_sampler"))
        names.insert(names.end(), std::begin(kOldSamplerKeys), std::end(kOldSamplerKeys));
    return sectionKeys(names);
}

const settings::KnownKey* findKnownKey(std::string_view name)
{
    const auto keys = knownKeys();
    const auto found = std::find_if(
        keys.begin(), keys.end(), [&](const settings::KnownKey& key) { return name == key.name; });
    return found == keys.end() ? nullptr : &*found;
}

const char* readerOf(std::string_view key)
{
    const char* reader = nullptr;
    catalog::RunOptions().visit([&](const char* name, const auto&, const char* consumer) {
        if (key == name)
            reader = consumer;
    });
    const settings::KnownKey* const known = findKnownKey(key);
    return reader || !known ? reader : known->reader;
}

} // namespace earwright::check
