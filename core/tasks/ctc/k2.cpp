#include "core/tasks/ctc/k2.h"

#include "core/base/text.h"
#include "core/recipe/value_at.h"
#include "core/settings/tree.h"
#include "core/tasks/speech.h"

#include <filesystem>

namespace earwright::tasks::ctc {

namespace {

using recipe::Severity;
using settings::givenEntry;
using settings::report;

constexpr const char* kRescoring = "whole-lattice-rescoring";

/// A lexicon that is no spelling would ask for a graph.
void ofLexicon(const recipe::Node& root, settings::Diagnostics& found)
{
    if (const recipe::Entry* entry = givenEntry(root, "sil_prob");
        entry && recipe::asDouble(*entry->value).value_or(0) != 0)
        report(found, Severity::Error, "argument-range",
            "'sil_prob' must be 0: LibTorch's CTC, which is taken in place of k2's, has no silence "
            "that a text may have or not",
            entry->value->span);
    if (const recipe::Entry* entry = givenEntry(root, "add_word_boundary");
        entry && !recipe::asBool(*entry->value).value_or(true))
        report(found, Severity::Error, "argument-range",
            "'add_word_boundary' must be True: without <eow> k2's lexicon alone tells where a word "
            "ends, and there is none here",
            entry->value->span);
    for (const char* key : { "tokenizer", "token_type", "per_stats" })
        if (const recipe::Entry* entry = givenEntry(root, key))
            report(found, Severity::Error, "option-conflict",
                inQuotes(key)
                    + " cuts texts, and the labels of k2's loss are the characters of its lexicon: "
                      "take it out",
                entry->key->span);
}

void ofLoss(const recipe::Entry& cost, settings::Diagnostics& found)
{
    report(found, Severity::Warning, "differs-from-upstream",
        "LibTorch's CTC is computed in place of k2's: over all paths, where k2 leaves out those "
        "that are more than 'beam_size' behind the best",
        cost.key->span);
}

/// A graph's n-gram scores words while it decodes.
void ofNgram(const recipe::Node& root, const recipe::Entry& asking, const char* model,
    settings::Diagnostics& found)
{
    const std::string file = recipe::textAt(root, model);
    const std::string folder = recipe::textAt(root, "lm_dir");
    const std::string path = file.empty() || folder.empty()
        ? "the file that " + inQuotes(model) + " names"
        : (std::filesystem::path(folder) / file).string();
    report(found, Severity::Warning, "differs-from-upstream",
        inQuotes(asking.key->text) + " lets " + inQuotes(model)
            + " score in SpeechBrain's test and does nothing here: write test_beam_search: with "
              "kenlm_model_path: "
            + path,
        asking.key->span);
}

void ofSearch(const recipe::Node& root, const recipe::Entry& cost, settings::Diagnostics& found)
{
    const bool hasSearch = givenEntry(root, "test_beam_search") != nullptr;
    report(found, Severity::Warning, "differs-from-upstream",
        std::string("texts are ")
            + (hasSearch ? "those of the best path, in the test of 'test_beam_search'"
                         : "those of the best path")
            + ", of whatever words, where k2 searches among the words of its lexicon",
        cost.key->span);
    const recipe::Entry* composed = givenEntry(root, "compose_HL_with_G");
    if (!hasSearch && composed && recipe::asBool(*composed->value).value_or(false))
        ofNgram(root, *composed, "G_arpa", found);
    const recipe::Entry* method = givenEntry(root, "decoding_method");
    const std::string name = method ? settings::plainText(method->value) : "1best";
    if (!hasSearch && name == kRescoring)
        ofNgram(root, *method, "G_rescoring_arpa", found);
    else if (name != "1best" && name != "onebest" && name != kRescoring)
        report(found, Severity::Error, "argument-range",
            "'decoding_method' must be 1best, onebest or whole-lattice-rescoring, not "
                + inQuotes(name),
            method->value->span);
}

/// Upstream's decoder multiplies the tensor of which the loss is computed afterwards.
void ofScale(const recipe::Node& root, settings::Diagnostics& found)
{
    const recipe::Entry* entry = givenEntry(root, "ac_scale");
    if (entry && recipe::asDouble(*entry->value).value_or(1) != 1)
        report(found, Severity::Warning, "differs-from-upstream",
            "the loss of validation and test is that of the log probabilities themselves, which "
            "SpeechBrain's decoder has multiplied by 'ac_scale' there",
            entry->key->span);
}

} // namespace

void k2Rules(const Checked& recipe, settings::Diagnostics& found)
{
    if (!hasK2Loss(recipe.root))
        return;
    const recipe::Entry* cost = givenEntry(recipe.root, "ctc_cost");
    cost = cost ? cost : givenEntry(recipe.root, "compute_cost");
    ofLexicon(recipe.root, found);
    ofLoss(*cost, found);
    ofSearch(recipe.root, *cost, found);
    ofScale(recipe.root, found);
}

} // namespace earwright::tasks::ctc
