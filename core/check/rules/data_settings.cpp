#include "core/base/text.h"
#include "core/check/rules/rules.h"
#include "core/check/text_fix.h"
#include "core/check/tree.h"

#include <algorithm>
#include <limits>

namespace kymo::check::rules {

using recipe::Node;
using recipe::NodePtr;
using recipe::Severity;

namespace {

enum class Type { Int, Number, Bool, Ordering, TokenType };

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
    { "dynamic_batching", Type::Bool }, { "add_unk", Type::Bool },
    { "hotword_min_length", Type::Int, 1 }, { "hotword_max_length", Type::Int, 1 },
    { "token_type", Type::TokenType },
    { "dynamic_batch_sampler.max_batch_length", Type::Number, 0.001 },
    { "dynamic_batch_sampler.max_batch_len", Type::Number, 0.001 },
    { "dynamic_batch_sampler.num_buckets", Type::Int, 1 },
    { "dynamic_batch_sampler.max_batch_ex", Type::Int, 0 },
    { "dynamic_batch_sampler.shuffle", Type::Bool },
    { "dynamic_batch_sampler.drop_last", Type::Bool },
    { "dynamic_batch_sampler.batch_ordering", Type::Ordering },
    { "train_dataloader_opts.batch_size", Type::Int, 1 },
    { "train_dataloader_opts.num_workers", Type::Int, 0 },
    { "valid_dataloader_opts.batch_size", Type::Int, 1 },
    { "valid_dataloader_opts.num_workers", Type::Int, 0 },
    { "test_dataloader_opts.batch_size", Type::Int, 1 },
    { "test_dataloader_opts.num_workers", Type::Int, 0 },
};
// clang-format on

const std::vector<std::string> kOrderings { "random", "ascending", "descending" };
const std::vector<std::string> kTokenTypes { "char", "word", "unigram", "bpe" };

const std::vector<std::string>& choicesOf(Type type)
{
    return type == Type::TokenType ? kTokenTypes : kOrderings;
}

bool isOfType(const Node& node, Type type)
{
    if (node.kind != recipe::Kind::Scalar || !node.tag.empty())
        return false;
    switch (type) {
    case Type::Int:
        return recipe::asInt(node).has_value();
    case Type::Number:
        return recipe::asDouble(node).has_value();
    case Type::Bool:
        return recipe::asBool(node).has_value();
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
    case Type::Ordering:
    case Type::TokenType:
        break;
    }
    return "one of " + join(choicesOf(type), ", ");
}

void look(const Context& context, const Setting& setting, const Node& node, Diagnostics& found)
{
    const std::string name = std::string("'") + setting.path + "' must be ";
    const std::string given = node.kind == recipe::Kind::Scalar ? node.text : "this";
    if (!isOfType(node, setting.type)) {
        auto& diagnostic = report(found, Severity::Error, "option-type",
            name + expected(setting.type) + ", not " + given, node.span);
        const bool isChoice = setting.type == Type::Ordering || setting.type == Type::TokenType;
        const std::string near
            = isChoice ? nearestName(toLower(node.text), choicesOf(setting.type)) : "";
        if (!near.empty())
            diagnostic.fix = replaceScalar(node, context.request.fileName, near);
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

} // namespace

void dataSettings(const Context& context, Diagnostics& found)
{
    for (const Setting& setting : kSettings) {
        const NodePtr node = recipe::findPath(context.root, setting.path);
        if (node && !recipe::isNull(*node) && !isOpen(*node))
            look(context, setting, *node, found);
    }
}

} // namespace kymo::check::rules
