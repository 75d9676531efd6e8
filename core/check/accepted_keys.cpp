#include "core/check/accepted_keys.h"

#include "core/base/names.h"
#include "core/base/text.h"
#include "core/catalog/catalog.h"
#include "core/catalog/run_options.h"
#include "core/check/known_keys.h"
#include "core/settings/tree.h"

namespace earwright::check {

namespace {

/// Of torch.utils.data.DataLoader and SpeechBrain's make_dataloader.
const Names kDataLoader { "batch_size", "shuffle", "sampler", "batch_sampler", "num_workers",
    "collate_fn", "pin_memory", "drop_last", "timeout", "worker_init_fn", "multiprocessing_context",
    "generator", "prefetch_factor", "persistent_workers", "pin_memory_device", "in_order",
    "looped_nominal_epoch" };

/// Of speechbrain.dataio.sampler.DynamicBatchSampler, and FunASR's sort_size.
const Names kDynamicBatchSampler { "max_batch_length", "num_buckets", "length_func", "shuffle",
    "batch_ordering", "max_batch_ex", "bucket_boundaries", "lengths_list", "seed", "epoch",
    "drop_last", "verbose", "sort_size" };

Names runOptionKeys()
{
    Names keys;
    catalog::RunOptions().visit(
        [&keys](const char* key, const auto&, const char*) { keys.emplace_back(key); });
    return keys;
}

/// Besides the run options.
Names keysReadAtTop()
{
    Names keys;
    for (const settings::KnownKey& key : knownKeys())
        if (key.reader.isOurs())
            keys.emplace_back(key.name);
    return keys;
}

std::optional<Names> argumentsOf(std::string_view className)
{
    const catalog::ClassInfo* const info = catalog::findClass(className);
    if (!info || info->acceptsAnyArgument)
        return std::nullopt;
    Names names;
    for (const catalog::Field& field : info->fields)
        names.push_back(field.name);
    return names;
}

std::optional<Names> keysOfSection(const std::string& section)
{
    if (section == "modules")
        return std::nullopt;
    if (section == "train_conf")
        return runOptionKeys();
    return argumentNames(section);
}

} // namespace

const Names& argumentNames(std::string_view section)
{
    static const Names kNone;
    static const Names kBeamSearch
        = argumentsOf("speechbrain.decoders.ctc.CTCBeamSearcher").value_or(kNone);
    if (section == "test_beam_search")
        return kBeamSearch;
    if (section.find("dataloader") != std::string_view::npos || section.ends_with("loader_kwargs"))
        return kDataLoader;
    return section.starts_with("dynamic_batch_sampler") ? kDynamicBatchSampler : kNone;
}

std::optional<Names> acceptedKeys(
    const std::vector<std::string>& path, const recipe::Node& mapping, const std::string& name)
{
    if (path.empty())
        return keysReadAtTop();
    if (const auto given = catalog::classOf(mapping); !given.empty())
        return argumentsOf(given);
    const bool isOpen = mapping.entries.empty() && path != Names { "train_conf" };
    if (!mapping.tag.empty() || isOpen)
        return std::nullopt;
    if (path.size() == 1)
        return keysOfSection(path.front());
    Names keys;
    for (const recipe::Entry& entry : mapping.entries)
        keys.push_back(entry.key->text);
    return nearestName(name, keys).empty() ? std::nullopt : std::optional(Names {});
}

recipe::ResolveOptions resolveOptions()
{
    recipe::ResolveOptions options;
    options.addableKeys = runOptionKeys();
    options.addableKeys.push_back("train_conf"); // where FunASR's users put them
    options.addableKeys.push_back("optim_param_groups"); // beside freeze_param, which is an option
    options.acceptedKeys = acceptedKeys;
    return options;
}

} // namespace earwright::check
