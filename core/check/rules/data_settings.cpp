#include "core/settings/data_settings.h"
#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/check/options.h"
#include "core/check/rules/rules.h"
#include "core/settings/layer_keys.h"
#include "core/settings/references.h"
#include "core/settings/text_fix.h"
#include "core/settings/tree.h"

#include <algorithm>
#include <array>
#include <span>

namespace earwright::check::rules {

using recipe::Node;
using recipe::NodePtr;
using recipe::Severity;

namespace {

enum class Type { Int, Number, Numbers, Bool, Ordering, TokenType };

/// A setting that the data side reads by itself: where it cannot, it takes its default, and the
/// user would not know.
struct Setting {
    const char* path;
    Type type;
    double min = 0;
};

// clang-format off
constexpr Setting kSettings[] = {
    { "sample_rate", Type::Int, 1000 }, { "batch_size", Type::Int, 1 },
    { "num_workers", Type::Int, 0 }, { "blank_index", Type::Int, 0 },
    { "dynamic_batching", Type::Bool }, { "add_unk", Type::Bool }, { "skip_prep", Type::Bool },
    { "token_type", Type::TokenType },
    { "avoid_if_longer_than", Type::Number, 0.001 }, { "avoid_if_shorter_than", Type::Number, 0 },
    { "avoid_if_smaller_than", Type::Number, 0 },
    { "avoid_if_longer_than_val_test", Type::Number, 0.001 }, { "do_speed_perturb", Type::Bool },
    { "augment_warmup", Type::Int, 0 }, { "valid_search_interval", Type::Int, 1 },
    { "stage_one_epochs", Type::Int, 0 },
};

constexpr Setting kOfSampler[] = {
    { "max_batch_length", Type::Number, 0.001 }, { "max_batch_len", Type::Number, 0.001 },
    { "num_buckets", Type::Int, 1 }, { "bucket_boundaries", Type::Numbers },
    { "max_batch_ex", Type::Int, 0 }, { "sort_size", Type::Int, -1 }, { "shuffle", Type::Bool }, { "shuffle_ex", Type::Bool },
    { "drop_last", Type::Bool }, { "batch_ordering", Type::Ordering }, { "seed", Type::Int, 0 },
};

constexpr Setting kOfLoader[] = {
    { "batch_size", Type::Int, 1 }, { "num_workers", Type::Int, 0 }, { "shuffle", Type::Bool },
    { "drop_last", Type::Bool }, { "prefetch_factor", Type::Int, 1 },
};

constexpr const char* kSamplers[] = { "dynamic_batch_sampler", "dynamic_batch_sampler_train",
    "dynamic_batch_sampler_valid", "dynamic_batch_sampler_val" };
constexpr const char* kLoaders[] = { "train_dataloader_opts", "valid_dataloader_opts",
    "test_dataloader_opts", "dataloader_options", "test_dataloader_options", "train_loader_kwargs",
    "valid_loader_kwargs", "test_loader_kwargs" };
// clang-format on

const std::vector<std::string> kOrderings { "random", "ascending", "descending" };
const std::vector<std::string> kTokenTypes { "char", "word", "unigram", "bpe" };

const std::vector<std::string>& choicesOf(Type type)
{
    return type == Type::TokenType ? kTokenTypes : kOrderings;
}

/// Seconds, one at least, each more than the one before.
bool areBoundaries(const Node& node)
{
    double last = 0;
    for (const NodePtr& item : node.items) {
        const auto number = recipe::asDouble(*item);
        if (!number || *number <= last)
            return false;
        last = *number;
    }
    return !node.items.empty();
}

bool isOfType(const Node& node, Type type)
{
    if (type == Type::Numbers)
        return areBoundaries(node);
    if (node.kind != recipe::Kind::Scalar || !node.tag.empty())
        return false;
    switch (type) {
    case Type::Int:
        return recipe::asInt(node).has_value();
    case Type::Number:
        return recipe::asDouble(node).has_value();
    case Type::Bool:
        return recipe::asBool(node).has_value();
    case Type::Numbers:
    case Type::Ordering:
    case Type::TokenType:
        break;
    }
    const std::vector<std::string>& choices = choicesOf(type);
    return std::find(choices.begin(), choices.end(), node.text) != choices.end();
}

std::string expected(Type type)
{
    switch (type) {
    case Type::Int:
        return "a whole number";
    case Type::Number:
        return "a number";
    case Type::Bool:
        return "True or False";
    case Type::Numbers:
        return "a list of seconds, each more than the one before";
    case Type::Ordering:
    case Type::TokenType:
        break;
    }
    return "one of " + join(choicesOf(type), ", ");
}

void look(const Context& context, const std::string& path, const Setting& setting, const Node& node,
    Diagnostics& found)
{
    const std::string name = "'" + path + "' must be ";
    const bool isShort = node.kind == recipe::Kind::Scalar || !catalog::classOf(node).empty();
    const std::string given = isShort ? catalog::describe(node) : "this";
    if (!isOfType(node, setting.type)) {
        auto& diagnostic = report(found, Severity::Error, "option-type",
            name + expected(setting.type) + ", not " + given, node.span);
        const bool isChoice = setting.type == Type::Ordering || setting.type == Type::TokenType;
        const std::string near
            = isChoice ? nearestName(toLower(node.text), choicesOf(setting.type)) : "";
        if (!near.empty())
            diagnostic.fix = settings::replaceScalar(node, context.request.fileName, near);
        return;
    }
    const bool isNumber = setting.type == Type::Int || setting.type == Type::Number;
    if (isNumber && *recipe::asDouble(node) < setting.min)
        report(found, Severity::Error, "option-range",
            name
                + (setting.min > 0 && setting.min < 1
                        ? "more than 0"
                        : "at least " + std::to_string(static_cast<int>(setting.min)))
                + ", not " + given,
            node.span);
}

/// Audio is read at `sample_rate`, whatever the features take it for.
void featureRate(const Context& context, Diagnostics& found)
{
    constexpr int64_t kUsual = 16000; // of both classes below
    const NodePtr audio = recipe::find(context.root, "sample_rate");
    const int64_t read = context.settings.features.sampleRateHz;
    for (const auto& [object, key, ending] :
        { std::array { "compute_features", "sample_rate", ".Fbank" },
            std::array { "frontend", "fs", ".WavFrontend" } }) {
        const NodePtr features = settings::findLayer(context.root, object);
        if (!features || !recipe::newClass(*features).ends_with(ending))
            continue;
        const NodePtr own = recipe::find(*features, key);
        const int64_t taken = own ? recipe::asInt(*own).value_or(read) : kUsual;
        if (taken != read)
            report(found, Severity::Error, "option-conflict",
                inQuotes(std::string(object) + "." + key) + " is " + std::to_string(taken)
                    + (own ? "" : " where it is not given")
                    + ", but 'sample_rate', at which audio is read, is " + std::to_string(read)
                    + (audio ? "" : " where it is not given") + ": set both to one rate",
                own ? own->span : features->span);
    }
}

/// SpeechBrain's old recipes for LibriSpeech bound batches in frames.
void batchesInFrames(const Context& context, const std::string& section, Diagnostics& found)
{
    const NodePtr hop = recipe::findPath(context.root, section + ".feats_hop_size");
    if (hop)
        report(found, Severity::Error, "option-conflict",
            "'feats_hop_size' bounds batches in frames, and here they are bounded in seconds: "
            "leave it out and set 'max_batch_length' to the frames times "
                + hop->text,
            hop->span);
}

void withoutEffect(
    const Context& context, const std::string& path, const std::string& why, Diagnostics& found)
{
    const NodePtr node = recipe::findPath(context.root, path);
    if (node && !recipe::isNull(*node) && isAsked(context.request, path))
        report(found, Severity::Warning, "no-effect", inQuotes(path) + " has no effect: " + why,
            node->span);
}

bool isReferredTo(const Context& context, const char* key)
{
    return context.written && settings::isReferred(settings::referenceUses(*context.written), key);
}

/// Recipes of upstream keep such keys beside what is read in their place: only an override is told.
void batchSizes(const Context& context, Diagnostics& found)
{
    const settings::DataSettings& data = context.settings.data;
    bool isRead = isReferredTo(context, "batch_size");
    for (const std::string split : { "train", "valid", "test" }) {
        const std::string loader = data.of(split).loader + ".";
        const std::string& sampler = data.of(split).sampler;
        if (sampler.empty()) {
            const NodePtr own = recipe::findPath(context.root, loader + "batch_size");
            isRead = isRead || !own || !recipe::asInt(*own);
            continue;
        }
        for (const char* const key : { "batch_size", "drop_last" })
            withoutEffect(context, loader + key, inQuotes(sampler) + " makes these batches", found);
    }
    if (!isRead)
        withoutEffect(
            context, "batch_size", "every split has a sampler or a 'batch_size' of its own", found);
}

/// A SentencePiece object has an argument of that name.
void characterCoverage(const Context& context, Diagnostics& found)
{
    const std::string type = settings::plainText(recipe::find(context.root, "token_type"));
    const NodePtr object = recipe::find(context.root, "tokenizer");
    const bool isRead = (type == "char" || type == "unigram" || type == "bpe")
        && !recipe::find(context.root, "label_encoder") && (!object || recipe::isNull(*object));
    if (!isRead && !isReferredTo(context, "character_coverage"))
        withoutEffect(context, "character_coverage",
            "it is of a tokenizer that 'token_type' (char, unigram or bpe) asks for, without "
            "'label_encoder' and 'tokenizer'",
            found);
}

} // namespace

void dataSettings(const Context& context, Diagnostics& found)
{
    const auto lookAt = [&](const std::string& section, std::span<const Setting> settings) {
        for (const Setting& setting : settings) {
            const std::string path = section + setting.path;
            const NodePtr node = recipe::findPath(context.root, path);
            if (node && !recipe::isNull(*node) && !settings::isOpen(*node))
                look(context, path, setting, *node, found);
        }
    };
    lookAt("", kSettings);
    for (const std::string section : kSamplers) {
        lookAt(section + ".", kOfSampler);
        if (!context.options.task.empty())
            batchesInFrames(context, section, found);
    }
    for (const std::string section : kLoaders)
        lookAt(section + ".", kOfLoader);
    if (context.options.task.empty())
        return;
    featureRate(context, found);
    batchSizes(context, found);
    characterCoverage(context, found);
}

} // namespace earwright::check::rules
