#include "core/check/known_keys.h"

#include "core/catalog/run_options.h"
#include "core/check/accepted_keys.h"
#include "core/check/script_keys.h"
#include "core/settings/corpus.h"
#include "core/settings/data_settings.h"
#include "core/settings/labels.h"
#include "core/settings/optimizer_settings.h"
#include "core/tasks/spec.h"

#include <algorithm>

namespace earwright::check {

namespace {

using settings::kScripts;

// clang-format off
/// In the order in which a recipe mostly has them.
constexpr settings::KnownKey kDataKeys[] = {
    { "device", tasks::kEngineReader, "where to train", "cpu, cpu:N for N processes, cuda, cuda:N or a list of GPUs" },
    { "data_folder", settings::kManifestReader, "a folder", "where the corpus is" },
    { "output_folder", kScripts, "a folder", "where results go" },
    { "save_folder", settings::kLabelsReader, "a folder", "where checkpoints go, and a tokenizer that is trained" },
    { "train_csv", settings::kManifestReader, "a manifest", "what is trained on: CSV with ID, duration, wav and transcript" },
    { "valid_csv", settings::kManifestReader, "a manifest", "what is validated on after each epoch" },
    { "test_csv", settings::kManifestReader, "a manifest, or several", "what the trained model is tested on" },
    { "train_json", settings::kManifestReader, "a manifest", "what is trained on: JSON of utterances by their id" },
    { "valid_json", settings::kManifestReader, "a manifest", "what is validated on after each epoch" },
    { "test_json", settings::kManifestReader, "a manifest, or several", "what the trained model is tested on" },
    { "skip_prep", settings::kCorpusReader, "True or False", "True: manifests that are not there are not made" },
};
/// Behind those of the tasks.
constexpr settings::KnownKey kOtherKeys[] = {
    { "normalize", tasks::kSpeechReader, "an object, such as InputNormalization", "brings features to mean 0" },
    { "wav_augment", settings::kLoaderReader, "an object, such as Augmenter", "changes waveforms while training" },
    { "fea_augment", tasks::kSpeechReader, "an object, such as SpectrogramDrop", "changes features while training" },
    { "blank_index", settings::kLabelsReader, "a whole number", "the token that stands for none; usually 0" },
    { "label_encoder", settings::kLabelsReader, "an object, such as CTCTextEncoder", "from transcripts to tokens" },
    { "modules", tasks::kModulesReader, "a mapping of objects", "what is moved to the device and trained" },
    { "opt_class", settings::kOptimizerReader, "a !name: of an optimizer", "the optimizer, without its parameters" },
    { "lr_annealing", settings::kScheduleReader, "an object, such as NewBobScheduler", "changes the learning rate" },
    { "epoch_counter", tasks::kTrainReader, "an object, such as EpochCounter", "counts epochs across a resume" },
    { "checkpointer", settings::kCheckReader, "an object, Checkpointer", "what is saved, and where" },
    { "train_logger", kScripts, "an object, such as FileTrainLogger", "writes each epoch's figures" },
    { "train_dataloader_opts", settings::kLoaderReader, "a mapping", "batch_size, num_workers and so on" },
    { "valid_dataloader_opts", settings::kLoaderReader, "a mapping", "the same for validation" },
    { "test_dataloader_opts", settings::kLoaderReader, "a mapping", "the same for the test" },
    { "dynamic_batch_sampler", settings::kBatchingReader, "a mapping", "batches of equal length in seconds" },
    { "train_conf", tasks::kTrainReader, "a mapping of run options", "run options together, as FunASR has them" },
    { "hotword", tasks::kTrainerReader, "a file or words", "counted in validation and test; SeACo listens for them" },
    { "optim_param_groups", settings::kOptimizerReader, "{name: {lr: number}}", "learning rates of their own for parts of the model" },
    { "speed_perturb", settings::kLoaderReader, "an object, SpeedPerturb",
        "plays each utterance of the training set at one of its speeds" },
    { "do_speed_perturb", settings::kLoaderReader, "True or False", "whether speed_perturb is applied" },
    { "augment_warmup", tasks::kSpeechReader, "a whole number",
        "optimizer steps before wav_augment and fea_augment begin" },
    { "avoid_if_longer_than_val_test", settings::kManifestReader, "a number of seconds",
        "longer utterances are left out of validation and test" },
    { "acc_computer", tasks::kTrainerReader, "a !name: of AccuracyStats",
        "the best checkpoint is that with the most ACC, unless min_key or max_key is given" },
    { "SGD", settings::kOptimizerReader, "a !name: of an optimizer", "the optimizer after stage_one_epochs" },
    { "stage_one_epochs", settings::kOptimizerReader, "a whole number",
        "epochs after which SGD trains in place of the first optimizer" },
    { "add_unk", settings::kLabelsReader, "True or False", "a label for characters that the training texts have not" },
    // what Earwright reads besides
    { "normalizer", tasks::kSpeechReader }, { "mean_var_norm", tasks::kSpeechReader },
    { "output_neurons", settings::kLabelsReader }, { "vocab_size", settings::kLabelsReader },
    { "augmentation", tasks::kSpeechReader },
    { "label_encoder_file", settings::kLabelsReader }, { "tokenizer", settings::kLabelsReader },
    { "model_opt_class", settings::kOptimizerReader }, { "Adam", settings::kOptimizerReader }, { "noam_annealing", settings::kScheduleReader },
    { "lr_annealing_model", settings::kScheduleReader }, { "pretrainer", settings::kCheckReader }, { "evaluation_only", settings::kCheckReader },
    { "auto_mix_prec", settings::kCheckReader }, { "bfloat16_mix_prec", settings::kCheckReader }, { "allow_tf32", settings::kCheckReader },
    { "enable_tf32", settings::kCheckReader }, { "use_tf32", settings::kCheckReader }, { "sample_rate", settings::kLoaderReader },
    { "batch_size", settings::kBatchingReader }, { "num_workers", settings::kLoaderReader }, { "dynamic_batching", settings::kBatchingReader },
    { "train_annotation", settings::kManifestReader }, { "valid_annotation", settings::kManifestReader },
    { "test_annotation", settings::kManifestReader }, { "train_manifest", settings::kManifestReader },
    { "valid_manifest", settings::kManifestReader }, { "test_manifest", settings::kManifestReader },
    { "train_data", settings::kManifestReader }, { "valid_data", settings::kManifestReader }, { "test_data", settings::kManifestReader },
    { "csv_train", settings::kManifestReader }, { "csv_valid", settings::kManifestReader }, { "csv_test", settings::kManifestReader },
    { "train_splits", settings::kCorpusReader }, { "manifest_folder", settings::kCorpusReader },
    { "clipped_utt_folder", settings::kCorpusReader }, { "hf_hub", settings::kCorpusReader },
    { "hf_download_folder", settings::kCorpusReader }, { "hf_caching_dir", settings::kCorpusReader },
    { "subsets", settings::kCorpusReader }, { "tls_subset", settings::kCorpusReader },
    { "prepare_noise_data", settings::kSoundsReader },
    { "per_stats", settings::kLabelsReader }, { "input_type", settings::kManifestReader }, { "download_with_HF", settings::kManifestReader },
    // what SpeechBrain's train scripts read besides
    { "emb", kScripts }, { "dec", kScripts },
    { "label_smoothing", kScripts }, { "N_epochs", kScripts },
    { "beam_searcher", kScripts }, { "searcher", kScripts }, { "compute_loss", kScripts },
    { "unk_index", kScripts },
    { "dataloader_options", settings::kLoaderReader }, { "test_dataloader_options", settings::kLoaderReader },
    { "dynamic_batch_sampler_val", settings::kBatchingReader },
    { "character_coverage", settings::kLabelsReader }, { "token_type", settings::kLabelsReader },
    { "avoid_if_longer_than", settings::kManifestReader }, { "avoid_if_shorter_than", settings::kManifestReader },
    { "avoid_if_smaller_than", settings::kManifestReader }, { "concepts_path", settings::kLabelsReader },
    { "dynamic_batch_sampler_train", settings::kBatchingReader }, { "dynamic_batch_sampler_valid", settings::kBatchingReader }, { "dataloader_opts", kScripts },
    { "train_loader_kwargs", settings::kLoaderReader }, { "valid_loader_kwargs", settings::kLoaderReader },
    { "test_loader_kwargs", settings::kLoaderReader }, { "streaming", kScripts },
    { "ckpt_enable", kScripts }, { "version", kScripts }, { "name", kScripts }, { "description", kScripts },
};

/// Of `*_dataloader_opts` and `dynamic_batch_sampler`, those that Earwright reads.
constexpr settings::KnownKey kReadBelowSections[] = {
    { "batch_size", settings::kBatchingReader }, { "num_workers", settings::kLoaderReader },
    { "prefetch_factor", settings::kLoaderReader },
    { "max_batch_length", settings::kBatchingReader }, { "max_batch_len", settings::kBatchingReader },
    { "bucket_boundaries", settings::kBatchingReader }, { "num_buckets", settings::kBatchingReader }, { "max_batch_ex", settings::kBatchingReader },
    { "shuffle", settings::kBatchingReader }, { "shuffle_ex", settings::kBatchingReader }, { "drop_last", settings::kBatchingReader },
    { "batch_ordering", settings::kBatchingReader }, { "seed", settings::kBatchingReader }, { "sort_size", settings::kBatchingReader },
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
        keys.push_back({ key, settings::Reader(consumer) });
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
    return reader || !known ? reader : known->reader.name;
}

} // namespace earwright::check
