#include "core/check/rule_table.h"

#include "core/base/mutation.h"

#include <algorithm>

namespace earwright::check {

namespace {

// clang-format off
constexpr RuleInfo kRuleTable[] = {
    // recipe/: reading and resolving
    { "syntax", "The text is no YAML, or no mapping of keys to values." },
    { "invisible-character", "A character that nobody sees, in a key, number, name, path or class." },
    { "duplicate-key", "A key is given twice in one mapping; the last one would win unseen." },
    { "too-deep", "The recipe is nested deeper than 100 levels." },
    { "too-large", "The recipe has more nodes than a reader should expand." },
    { "unknown-reference", "A reference names a key that the recipe has not." },
    { "forward-reference", "A text with a reference further down, which upstream reads otherwise." },
    { "reference-cycle", "A reference leads back to itself." },
    { "unknown-tag", "A tag that HyperPyYAML does not know, or that lacks its name." },
    { "placeholder", "A value that only the user can give is not given." },
    { "object-in-text", "A text holds a reference to an object, of which only Python knows the text." },
    { "unknown-override", "An override names a key that the recipe has not, or cannot set." },
    { "include", "An included file cannot be read." },
    { "arithmetic", "A calculation among references has no result." },
    // catalog/: classes and their arguments
    { "unknown-class", "A class that the catalogue does not know." },
    { "unknown-argument", "An argument that the class does not take." },
    { "missing-argument", "An argument that the class needs is not given." },
    { "argument-type", "An argument is of another type." },
    { "argument-range", "An argument is out of its range." },
    { "no-effect", "An argument that another one overrules, or that no run follows." },
    { "foreign-configuration", "The file is a configuration of FunASR, WeNet or ESPnet." },
    // check/: the task and its settings
    { "task-unnamed", "The recipe does not name its training procedure, and its keys tell of none, or of several." },
    { "task-inferred", "The recipe does not name its training procedure; its keys tell of one." },
    { "task-unknown", "The recipe names a training procedure that this version has not." },
    { "task-missing", "The training procedure needs a key that the recipe has not." },
    { "class-not-supported", "A class that is known by name but cannot be trained." },
    { "augmentation", "An augmentation that a training cannot do." },
    { "search", "A search of an attention decoder that a training cannot run." },
    { "option-type", "A run option is of another type." },
    { "option-range", "A run option is out of its range." },
    { "option-conflict", "Two run options exclude each other, or one needs another key." },
    { "deprecated-option", "A switch that `precision` has replaced." },
    { "optim-param-groups", "A learning rate for a part of the model that there is not, or none." },
    { "freeze-param", "Parameters are frozen of a part of the model that there is not." },
    { "differs-from-upstream", "A setting that SpeechBrain obeys in another way." },
    { "unread-key", "Nothing reads the key; perhaps another one is meant." },
    { "look-alike-key", "A key that looks like one that is read, with letters of another script." },
    { "number-in-quotes", "Quotes make a text of a number." },
    { "decimal-comma", "A decimal comma makes a text of a number." },
    { "number-without-point", "A number here that PyYAML takes for a text." },
    { "tuple-tag", "A tag in the text of a tuple, which HyperPyYAML does not follow." },
    { "full-width", "A full-width sign stands where YAML knows an ASCII one." },
    { "initial-weights",
        "The weights of `init_param` cannot be read, are of another model, or lack some." },
    { "missing-file", "A file that the run reads does not exist." },
    { "pretrained-folder", "A pretrained encoder's folder holds what its training may fail by." },
    { "shape-mismatch", "A layer expects another size than the one before it gives." },
    { "shape-multiple", "A size of a layer must be a multiple of another one, of its heads." },
    { "shape-vocabulary", "A layer counts other tokens than `output_neurons` says." },
    // check/: devices and precision
    { "device-spelling", "A device that this machine has not, or that is spelt otherwise." },
    { "device-lost", "A GPU that has fallen off the bus." },
    { "device-in-use", "A GPU that other processes hold, or that is closed to computing." },
    { "device-too-old", "A GPU for which this Torch has no code." },
    { "precision-name", "A precision that is none of fp32, tf32, fp16, bf16." },
    { "precision-device", "A precision that the device cannot train in." },
    { "backend-device", "A `distributed_backend` that the device cannot use." },
    { "tf32-switch", "A switch of TF32 that Earwright does not read: it is a precision of its own." },
    { "version-driver", "The NVIDIA driver is too old for the CUDA that is loaded." },
    { "version-cuda", "Torch was built with another CUDA than the one that is loaded." },
    { "version-nccl", "An older NCCL is loaded than Torch was built with." },
    // check/ and train/: the sizes that layers hand to each other
    // check/: what is moved, trained and kept
    { "coverage-not-in-modules", "An object with parameters is not reachable from `modules`." },
    { "unused-module", "A layer in `modules` that the task does not run." },
    { "coverage-not-checkpointed", "A trained object is in no checkpoint." },
    { "coverage-evaluation-only", "An object outside `modules` that the recipe says is not trained." },
    { "coverage-decoder-copy", "A searcher decodes with copies of the trained layers." },
    { "evaluation-only-name", "`evaluation_only` names a key that the recipe has not." },
    // check/ and data/: manifests and what they list, the tokenizer's file
    { "manifest-missing-file", "A manifest does not exist." },
    { "manifest-missing-column", "A manifest lacks a column that is read." },
    { "tokenizer-file", "The tokenizer's file cannot be read." },
    { "label-index", "An index of a special label that the tokenizer contradicts." },
    { "label-count", "The output has fewer labels than the tokenizer." },
    { "data-manifest", "A manifest cannot be read." },
    { "data-duplicate-id", "Two utterances of a manifest have the same id." },
    { "data-missing-file", "An utterance has no audio file." },
    { "data-bad-audio", "An audio file that cannot be read or holds no sample." },
    { "data-duration", "A manifest's duration is a tenth off the file's." },
    { "data-no-text", "An utterance has no transcript." },
    { "data-white-space", "A transcript has white space other than single blanks between words." },
    { "data-other-letters", "Most words of a manifest have letters that no label has." },
    { "data-unknown-character", "A transcript has a character outside the tokenizer." },
    { "data-long-text", "A transcript has more tokens than the decoder has places for." },
    { "data-labels", "A label of an utterance is none of the tokens, or no row has any." },
    { "data-too-short", "A transcript is too long for the frames that reach the CTC loss." },
    { "data-same-utterance", "Audio, IDs or sentences of the training set are in the validation or test set too." },
    { "set-up", "What a training refuses before its first step, by its sets, labels and layers together." },
    { "data-same-speaker", "A speaker of the training set is in the test set too." },
};
// clang-format on

} // namespace

std::span<const RuleInfo> ruleTable()
{
    return kRuleTable;
}

void dropDisabledRules(std::vector<recipe::Diagnostic>& diagnostics)
{
    std::erase_if(diagnostics,
        [](const recipe::Diagnostic& diagnostic) { return isDisabled(diagnostic.rule); });
}

const RuleInfo* findRule(std::string_view id)
{
    const auto rule = std::find_if(std::begin(kRuleTable), std::end(kRuleTable),
        [&](const RuleInfo& info) { return id == info.id; });
    return rule == std::end(kRuleTable) ? nullptr : &*rule;
}

} // namespace earwright::check
