#include "core/adapter/toolkit.h"

#include "core/catalog/signature_table.h"

#include <algorithm>
#include <array>

namespace earwright::adapter {

using recipe::Kind;
using recipe::Node;

namespace {

/// What a section's name holds says from which table its class is: `seaco_decoder` is a decoder.
/// The first that fits counts: a `decoder_optim` is none of them.
constexpr std::array kTables { "encoder", "decoder", "predictor", "frontend", "specaug",
    "normalize", "tokenizer", "joint_network", "optim", "scheduler", "model", "adaptor" };

std::string tableOf(Toolkit toolkit, std::string_view section)
{
    if (toolkit == Toolkit::Espnet)
        return "";
    const char* const package = toolkit == Toolkit::FunAsr ? "funasr" : "wenet";
    for (const std::string_view table : kTables)
        if (section.ends_with(table))
            return std::string(package) + ".tables." + std::string(table) + "_classes.";
    return "";
}

bool isPair(const Node& root, const std::string& section)
{
    const recipe::NodePtr name = recipe::find(root, section);
    const recipe::NodePtr conf = recipe::find(root, section + "_conf");
    return name && conf && name->kind == Kind::Scalar && conf->kind == Kind::Mapping;
}

/// A recipe's objects have tags; these configurations have none.
bool hasTag(const Node& root)
{
    return std::any_of(root.entries.begin(), root.entries.end(),
        [](const recipe::Entry& entry) { return entry.value->tag.starts_with("!"); });
}

bool isWeNet(const Node& root)
{
    const recipe::NodePtr data = recipe::find(root, "dataset_conf");
    return data
        && (recipe::find(*data, "fbank_conf") || recipe::find(*data, "filter_conf")
            || recipe::find(*data, "batch_conf"));
}

} // namespace

const char* nameOf(Toolkit toolkit)
{
    constexpr const char* kNames[] = { "FunASR", "WeNet", "ESPnet" };
    return kNames[static_cast<size_t>(toolkit)];
}

std::optional<Toolkit> toolkitOf(const Node& root)
{
    if (root.kind != Kind::Mapping || hasTag(root))
        return std::nullopt;
    if (!isPair(root, "encoder") && !isPair(root, "decoder") && !isPair(root, "model"))
        return std::nullopt;
    if (isWeNet(root))
        return Toolkit::WeNet;
    return isPair(root, "model") ? Toolkit::FunAsr : Toolkit::Espnet;
}

std::string classOf(Toolkit toolkit, std::string_view section, const std::string& name)
{
    const std::string table = tableOf(toolkit, section);
    const std::string alias = table + name;
    const std::string_view found = catalog::canonicalName(alias);
    return table.empty() || found == alias ? "" : std::string(found);
}

std::vector<std::string> namesOf(Toolkit toolkit, std::string_view section)
{
    const std::string table = tableOf(toolkit, section);
    return table.empty() ? std::vector<std::string>() : catalog::aliasesBelow(table);
}

} // namespace earwright::adapter
