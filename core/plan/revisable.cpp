#include "core/plan/revisable.h"

#include "core/base/text.h"
#include "core/settings/optimizer_settings.h"

#include <algorithm>
#include <iterator>

namespace earwright::plan {
namespace {

constexpr std::string_view kSection = "train_conf.";

/// In the order in which a message names them; what is behind them is another place of one.
constexpr std::string_view kChangeable[] = { "number_of_epochs", "optimizer_step_limit",
    "ckpt_interval_minutes", "ckpt_interval_steps", "num_workers", "heartbeat_timeout",
    "max_restarts", "min_nproc_per_node", "test_search", "test_beam_search", "epoch_counter.limit",
    "train_dataloader_opts.num_workers", "train_dataloader_opts.prefetch_factor",
    "valid_dataloader_opts.num_workers", "valid_dataloader_opts.prefetch_factor",
    "test_dataloader_opts.num_workers", "test_dataloader_opts.prefetch_factor",
    "train_loader_kwargs.num_workers", "train_loader_kwargs.prefetch_factor",
    "valid_loader_kwargs.num_workers", "valid_loader_kwargs.prefetch_factor",
    "test_loader_kwargs.num_workers", "test_loader_kwargs.prefetch_factor" };
constexpr size_t kNamed = 10;
constexpr std::string_view kOfTestSearch[] = { "test_search", "test_beam_search" };

std::string_view withoutSection(std::string_view path)
{
    return path.starts_with(kSection) ? path.substr(kSection.size()) : path;
}

bool isAtOrBelow(std::string_view path, std::string_view above)
{
    return path.starts_with(above) && (path.size() == above.size() || path[above.size()] == '.');
}

} // namespace

bool mayChange(std::string_view path)
{
    return std::any_of(std::begin(kChangeable), std::end(kChangeable),
        [&](std::string_view one) { return isAtOrBelow(withoutSection(path), one); });
}

bool leadsToChangeable(std::string_view path)
{
    return path == kSection.substr(0, kSection.size() - 1)
        || std::any_of(std::begin(kChangeable), std::end(kChangeable),
            [&](std::string_view one) { return isAtOrBelow(one, path); });
}

std::string changeableSettings()
{
    return join({ std::begin(kChangeable), std::begin(kChangeable) + kNamed }, ", ");
}

bool isOfTestSearch(std::string_view path)
{
    return std::any_of(std::begin(kOfTestSearch), std::end(kOfTestSearch),
        [&](std::string_view one) { return isAtOrBelow(withoutSection(path), one); });
}

bool mayFollow(std::string_view path)
{
    const Names& schedules = settings::scheduleKeys();
    return isAtOrBelow(path, "checkpointer")
        || std::any_of(schedules.begin(), schedules.end(),
            [&](std::string_view one) { return isAtOrBelow(path, one); });
}

std::string optionOf(const std::string& path)
{
    const std::string_view option = withoutSection(path);
    return std::string(option == "epoch_counter.limit" ? kChangeable[0] : option);
}

} // namespace earwright::plan
