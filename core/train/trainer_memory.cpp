#include "core/base/text.h"
#include "core/train/trainer.h"

#include <cmath>

namespace kymo::train {

namespace {

constexpr size_t kNamed = 3; ///< utterances of a batch that a line of the log names

std::string named(const std::vector<std::string>& ids)
{
    std::vector<std::string> first(
        ids.begin(), ids.begin() + static_cast<ptrdiff_t>(std::min(kNamed, ids.size())));
    for (std::string& id : first)
        id = inQuotes(id);
    const size_t more = ids.size() - first.size();
    return join(first, ", ") + (more > 0 ? " and " + std::to_string(more) + " more" : "");
}

/// "batch_size: 4 (ctc.yaml:12)", where the recipe sets it.
std::string edit(const plan::Plan& plan, const std::string& path, const std::string& value)
{
    const auto place = plan.places.find(path.substr(0, path.find('.')));
    return path + ": " + value + (place == plan.places.end() ? "" : " (" + place->second + ")");
}

} // namespace

/// The edit of the recipe with which no batch is larger than a part was.
std::string Trainer::smallerBatches(int64_t parts) const
{
    const data::Batching& batching = m_train.batching;
    const std::string steps = std::to_string(m_in.plan.options.gradAccumulationFactor * parts);
    const bool hasOwnSize
        = recipe::findPath(*m_in.plan.recipe, "train_dataloader_opts.batch_size") != nullptr;
    const std::string path = batching.dynamic ? "dynamic_batch_sampler.max_batch_length"
        : hasOwnSize                          ? "train_dataloader_opts.batch_size"
                                              : "batch_size";
    const std::string value = batching.dynamic
        ? formatDouble(batching.maxBatchLengthSeconds / static_cast<double>(parts))
        : std::to_string(std::max<int64_t>(1, batching.batchSize / parts));
    return edit(m_in.plan, path, value) + " and "
        + edit(m_in.plan, "grad_accumulation_factor", steps) + ", or once: --" + path + "=" + value
        + " --grad_accumulation_factor=" + steps;
}

void Trainer::reportNotFitting(const NotFitting& found)
{
    const data::Batch& batch = found.batch;
    const double seconds = static_cast<double>(batch.wavs_BT.size(1)) / m_train.loader.sampleRateHz;
    const std::string text = "step " + std::to_string(m_progress.step + 1) + ": "
        + std::to_string(batch.ids.size()) + " utterances of up to "
        + formatDouble(std::round(seconds * 100) / 100) + " s (" + named(batch.ids)
        + ") do not fit into memory in the " + found.during + ": " + found.cause
        + " They are computed in " + std::to_string(found.parts)
        + " parts, which makes the same step; so will be all that are as many and as long. To ask "
          "for smaller batches in the recipe: "
        + smallerBatches(found.parts);
    m_in.events.write({ .payload = run::Message { "warning", text } });
}

/// All ranks call it together.
void Trainer::gatherMemoryPlans()
{
    m_progress.memoryPlans = m_in.group.gatherText(m_pass->plan.text());
}

/// A rank that was not there before takes what rank 0 knows: the sizes are those of a rank's part.
Status Trainer::restoreMemoryPlan()
{
    const std::vector<std::string>& plans = m_progress.memoryPlans;
    if (plans.empty())
        return Done {};
    const auto rank = static_cast<size_t>(m_in.group.rank());
    Result<MemoryPlan> plan = MemoryPlan::from(plans[rank < plans.size() ? rank : 0]);
    if (!plan)
        return plan.error();
    m_pass->plan = std::move(*plan);
    return Done {};
}

} // namespace kymo::train
