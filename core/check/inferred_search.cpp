#include "core/check/inferred_search.h"

#include "core/settings/tree.h"

#include <utility>

namespace earwright::check {

using recipe::Node;
using recipe::NodePtr;

namespace {

constexpr const char* kSearcher = "test_searcher";
constexpr const char* kSearch = "test_beam_search";
/// Source: recipes/AISHELL-1/ASR/CTC/train_with_wav2vec.py.
constexpr const char* kSearchArguments[] = { "alpha", "beta", "beam_size", "beam_prune_logp",
    "token_prune_min_logp", "prune_history", "topk", "kenlm_model_path" };

NodePtr valueOf(const Node& root, const char* key)
{
    const NodePtr value = recipe::find(root, key);
    return value && !recipe::isNull(*value) ? value : nullptr;
}

} // namespace

void inferTestSearch(Node& root)
{
    const NodePtr searcher = valueOf(root, kSearcher);
    const bool isOfCtc = searcher
        && recipe::nameClass(*searcher).find("decoders.") != std::string_view::npos
        && recipe::nameClass(*searcher).find(".CTC") != std::string_view::npos;
    if (!isOfCtc || recipe::find(root, kSearch) || !valueOf(root, "beam_size"))
        return;
    const NodePtr search = recipe::deepCopy(*searcher);
    search->kind = recipe::Kind::Mapping;
    search->text.clear();
    search->origin = recipe::Origin::Default;
    for (const char* argument : kSearchArguments)
        if (const NodePtr value = valueOf(root, argument);
            value && !recipe::find(*search, argument))
            search->entries.push_back({ recipe::makeScalar(argument, recipe::Origin::Default),
                recipe::deepCopy(*value) });
    root.entries.push_back({ recipe::makeScalar(kSearch, recipe::Origin::Default), search });
}

Names inferredSearchKeys(const Node& root)
{
    const recipe::Entry* const search = settings::findEntry(root, kSearch);
    if (!search || search->key->origin != recipe::Origin::Default)
        return {};
    Names keys { kSearcher };
    for (const recipe::Entry& entry : search->value->entries)
        keys.push_back(entry.key->text);
    return keys;
}

} // namespace earwright::check
