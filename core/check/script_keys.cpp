#include "core/check/script_keys.h"

#include <algorithm>

namespace earwright::check {

namespace {

using recipe::Severity;

constexpr std::optional<Severity> kSilent = std::nullopt;
constexpr const char* kReports = "the run folder has the figures of every evaluation";
constexpr const char* kPreparation
    = "it is for the preparation of the corpus; the manifests are read as they are";
constexpr const char* kGraph = "it is for k2's search in a graph, in whose place the test takes the "
                               "best path or 'test_beam_search'";

// clang-format off
constexpr ScriptKey kScriptKeys[] = {
    // where reports go, and what counts them
    { "train_logger", kSilent, kReports }, { "train_log", kSilent, kReports },
    { "output_folder", kSilent, "--output names the run folder" },
    { "output_wer_folder", kSilent, kReports }, { "wer_file", kSilent, kReports },
    { "test_wer_file", kSilent, kReports }, { "valid_wer_file", kSilent, kReports },
    { "cer_file", kSilent, kReports }, { "per_file", kSilent, kReports },
    { "wer_computer", kSilent, "every evaluation counts the WER" },
    { "cer_computer", kSilent, "every evaluation counts the CER" },
    { "error_rate_computer", kSilent, "every evaluation counts WER and CER" },
    { "error_stats", kSilent, "every evaluation counts WER and CER" },
    { "ctc_stats", kSilent, "every evaluation has the mean loss" },
    { "remove_spaces", Severity::Warning,
        "the CER of texts without words leaves blanks out, as with True", "True" },
    { "jit_module_keys", Severity::Info, "layers run as they are, with the same numbers" },
    { "use_tensorboard", kSilent, kReports },
    { "cer_file_test", kSilent, kReports }, { "ctc_file_test", kSilent, kReports },
    { "ctc_computer", kSilent, "every evaluation has the mean loss" },
    { "model_wav2vec2", kSilent, "opt_class_wav2vec trains 'wav2vec2'" },

    // how upstream makes its manifests
    { "dev_splits", Severity::Info, "valid_csv names the manifest" },
    { "test_splits", Severity::Info, "test_csv names the manifest" },
    { "train_tsv_file", Severity::Warning, "the preparation reads data_folder/train.tsv" },
    { "dev_tsv_file", Severity::Warning, "the preparation reads data_folder/dev.tsv" },
    { "test_tsv_file", Severity::Warning, "the preparation reads data_folder/test.tsv" },
    { "accented_letters", Severity::Warning, "the preparation keeps accents" },
    { "convert_to_wav", kSilent, "compressed audio is read as it is" },
    { "remove_compressed_wavs", Severity::Info, "archives are left where they are", "False" },
    { "language", kSilent, kPreparation },
    { "splits", Severity::Info, kPreparation },
    { "split_ratio", Severity::Info, kPreparation },
    { "max_utt", Severity::Info, kPreparation },
    { "add_fisher_corpus", Severity::Info, kPreparation, "False" },
    { "normalize_words", Severity::Info, kPreparation },
    { "uppercase", Severity::Info, kPreparation, "False" },
    { "data_placeholder", Severity::Info, kPreparation },
    { "channels_path", Severity::Info, kPreparation },
    { "skip_wav", Severity::Info, kPreparation, "False" },
    { "process_test2", Severity::Info, kPreparation, "False" },
    { "method", Severity::Info, "it is for tags of concepts, which no text has" },
    { "audio_backend", Severity::Info, "libsndfile and dr_flac read all audio" },

    // what a training does
    { "number_of_ctc_epochs", Severity::Warning, "ctc_weight holds in every epoch" },
    { "ctc_weight_decode", Severity::Warning,
        "the weight of CTC in a search is its ScorerBuilder's" },
    { "test_searcher", Severity::Warning,
        "a mapping 'test_beam_search' has the arguments of a search in the test, which takes the "
        "best path without one" },
    { "skip_train", Severity::Warning, "number_of_epochs: 0 tests without a training", "False" },
    { "lang_dir", kSilent, "labels are made of the training texts" },
    { "vocab_file", Severity::Info,
        "labels are characters of the training texts, and no text is held to a list of words" },
    { "sil_prob", kSilent, "it must be 0" }, { "add_word_boundary", kSilent, "it must be True" },
    { "test_search_beam", Severity::Info, kGraph }, { "test_output_beam", Severity::Info, kGraph },
    { "test_min_active_state", Severity::Info, kGraph },
    { "test_max_active_state", Severity::Info, kGraph },
    { "ac_scale", kSilent, kGraph }, { "compose_HL_with_G", kSilent, kGraph },
    { "decoding_method", kSilent, kGraph }, { "rescoring_lm_scale", kSilent, kGraph },
    { "lm_dir", kSilent, kGraph }, { "G_arpa", kSilent, kGraph },
    { "G_rescoring_arpa", kSilent, kGraph }, { "caching", kSilent, kGraph },
    { "pretrained", Severity::Error,
        "init_param names the weights to start from; write it in its place" },
};
// clang-format on

} // namespace

std::span<const ScriptKey> scriptKeys()
{
    return kScriptKeys;
}

const ScriptKey* findScriptKey(std::string_view name)
{
    const auto found = std::find_if(std::begin(kScriptKeys), std::end(kScriptKeys),
        [&](const ScriptKey& key) { return name == key.name; });
    return found == std::end(kScriptKeys) ? nullptr : &*found;
}

} // namespace earwright::check
