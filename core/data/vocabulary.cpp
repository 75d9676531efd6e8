#include "core/data/vocabulary.h"

#include "core/base/text.h"
#include "core/data/text_encoder.h"

#include <algorithm>

namespace earwright::data {
namespace {

using Kind = Vocabulary::Kind;

/// One of the special labels: what the recipe says, and what the tokenizer does.
struct WantedLabel {
    std::string key;
    std::optional<int64_t> index;
    std::optional<int64_t> own; ///< the tokenizer's label of that kind
    std::optional<int64_t> instead; ///< what may serve
    const char* settings; ///< of SentencePiece's trainer, which put such a label at an index
    bool isBlank = false;
};

const char* ownerOf(Kind kind)
{
    return kind == Kind::Labels ? "the label encoder"
        : kind == Kind::Tokens  ? "the token list"
                                : "the tokenizer";
}

const char* unitOf(Kind kind)
{
    return kind == Kind::Pieces ? "piece" : kind == Kind::Labels ? "label" : "token";
}

/// "the tokenizer's piece 'the'"
std::string labelText(const Vocabulary& vocabulary, int64_t index)
{
    return std::string(ownerOf(vocabulary.kind)) + "'s " + unitOf(vocabulary.kind) + " "
        + inQuotes(vocabulary.labels[static_cast<size_t>(index)]);
}

bool isOutside(const Vocabulary& vocabulary, int64_t index)
{
    return index < 0 || index >= vocabulary.size();
}

/// What other tokenizer would do.
std::string otherwiseOf(Kind kind, const WantedLabel& wanted)
{
    switch (kind) {
    case Kind::Pieces:
        return std::string("train the tokenizer with that index as its ") + wanted.settings;
    case Kind::Labels:
        return "make the label encoder anew";
    case Kind::Tokens:
    case Kind::BytePairs:
    case Kind::WordPieces:
        break;
    }
    return "take the list that the model was trained with";
}

std::string adviceOf(const Vocabulary& vocabulary, const WantedLabel& wanted)
{
    if (!wanted.instead)
        return "; " + otherwiseOf(vocabulary.kind, wanted);
    const std::string advice = "; set it to " + std::to_string(*wanted.instead) + ", "
        + labelText(vocabulary, *wanted.instead);
    return isOutside(vocabulary, *wanted.index)
        ? advice
        : advice + ", or " + otherwiseOf(vocabulary.kind, wanted);
}

/// bos where the tokenizer's eos is, or the other way round; both may be the same one.
bool isMixedUp(
    const Vocabulary& vocabulary, const settings::SpecialLabels& special, const WantedLabel& wanted)
{
    const bool isEnd = wanted.index == vocabulary.bos || wanted.index == vocabulary.eos;
    return isEnd && special.bos != special.eos;
}

std::optional<LabelConflict> conflictOf(const Vocabulary& vocabulary,
    const settings::SpecialLabels& special, const WantedLabel& wanted, int64_t classes)
{
    if (!wanted.index)
        return std::nullopt;
    const int64_t index = *wanted.index;
    LabelConflict conflict { .key = wanted.key,
        .message = wanted.key + " is " + std::to_string(index),
        .instead = wanted.instead };
    const std::string advice = adviceOf(vocabulary, wanted);
    if (isOutside(vocabulary, index)) {
        // A decoder needs an output for it, no label.
        const bool mayBeOutside = !wanted.isBlank && vocabulary.kind != Kind::Pieces;
        if (mayBeOutside && index >= 0 && index < classes)
            return std::nullopt;
        conflict.message += ", but " + sizeText(vocabulary) + advice;
        return conflict;
    }
    conflict.message += ", which is " + labelText(vocabulary, index) + advice;
    if (!vocabulary.special.contains(index)) {
        // Recipes of upstream's are so (Loquacious), and the CTC loss can be computed.
        if (wanted.isBlank && vocabulary.kind == Kind::Pieces) {
            conflict.message += "; as it is, the CTC output never writes that piece";
            conflict.isUnusable = false;
            conflict.severity = recipe::Severity::Warning;
        }
        return conflict;
    }
    if (!wanted.own || wanted.own == index)
        return std::nullopt;
    // The CTC loss would take another label for the blank than the texts do.
    conflict.isUnusable = wanted.isBlank;
    if (!wanted.isBlank && !isMixedUp(vocabulary, special, wanted))
        conflict.severity = recipe::Severity::Warning;
    return conflict;
}

/// A decoder would not see the tokens of a text that are the padding's; one beyond the last label
/// hides nothing.
std::optional<LabelConflict> conflictOfPad(const Vocabulary& vocabulary,
    const settings::SpecialLabels& special, std::optional<int64_t> instead)
{
    if (!special.pad || *special.pad < 0 || *special.pad >= vocabulary.size())
        return std::nullopt;
    std::optional<LabelConflict> conflict = conflictOf(
        vocabulary, special, { "pad_index", special.pad, std::nullopt, instead, "pad_id" }, 0);
    if (conflict)
        conflict->isUnusable = false;
    return conflict;
}

} // namespace

std::set<int64_t> specialAmong(const std::vector<std::string>& labels)
{
    std::set<int64_t> special;
    for (size_t i = 0; i < labels.size(); ++i)
        if (labels[i].size() > 2 && labels[i].front() == '<' && labels[i].back() == '>')
            special.insert(static_cast<int64_t>(i));
    return special;
}

std::string sizeText(const Vocabulary& vocabulary)
{
    return std::string(ownerOf(vocabulary.kind)) + " has " + std::to_string(vocabulary.size()) + " "
        + unitOf(vocabulary.kind) + "s";
}

std::vector<LabelConflict> labelConflicts(
    const Vocabulary& vocabulary, const settings::SpecialLabels& special, int64_t classes)
{
    if (vocabulary.kind == Kind::BytePairs)
        return {};
    const auto either
        = [](const auto& first, const auto& second) { return first ? first : second; };
    const std::optional<int64_t> blank
        = either(vocabulary.blank, either(vocabulary.pad, vocabulary.unknown));
    const WantedLabel all[] = {
        { special.blankKey, special.blank, vocabulary.blank, blank, "unk_id or pad_id", true },
        { special.bosKey, special.bos, vocabulary.bos, vocabulary.bos, "bos_id" },
        { special.eosKey, special.eos, vocabulary.eos, vocabulary.eos, "eos_id" },
    };
    std::vector<LabelConflict> conflicts;
    for (const WantedLabel& wanted : all)
        if (auto conflict = conflictOf(vocabulary, special, wanted, classes))
            conflicts.push_back(std::move(*conflict));
    if (auto conflict = conflictOfPad(vocabulary, special, blank))
        conflicts.push_back(std::move(*conflict));
    return conflicts;
}

} // namespace earwright::data
