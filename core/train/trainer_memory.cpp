#include "core/base/text.h"
#include "core/train/memory/smaller_batches.h"
#include "core/train/trainer.h"

#include <cmath>

namespace earwright::train {

namespace {

/// "batch_size: 4 (ctc.yaml:12)", where the recipe sets it.
std::string edit(const plan::Plan& plan, const Setting& setting)
{
    const auto& [path, value] = setting;
    const auto place = plan.places.find(path.substr(0, path.find('.')));
    return path + ": " + value + (place == plan.places.end() ? "" : " (" + place->second + ")");
}

} // namespace

void Trainer::reportNotFitting(const NotFitting& found)
{
    const data::Batch& batch = found.batch;
    const auto samples
        = batch.wavLens_B.max().item<double>() * static_cast<double>(batch.wavs_BT.size(1));
    run::BatchSplit split { .step = m_progress.step,
        .utterances = batch.ids,
        .seconds = samples / m_train.loader.sampleRateHz,
        .parts = found.parts,
        .cause = found.during + ": " + found.cause,
        .recipe = m_in.plan.recipeFile,
        .overrides = {} };
    std::vector<std::string> edits;
    for (const Setting& setting : smallerBatches(m_in.plan, m_train.batching, found.parts)) {
        split.overrides.push_back(setting.first + "=" + setting.second);
        edits.push_back(edit(m_in.plan, setting));
    }
    const std::string text = "after step " + std::to_string(split.step) + ": "
        + std::to_string(batch.ids.size()) + " utterances of up to "
        + formatDouble(std::round(split.seconds * 100) / 100) + " s (" + named(batch.ids)
        + ") do not fit into memory in the " + found.during + ": " + found.cause
        + " They are computed in " + std::to_string(found.parts)
        + " parts, which makes the same step but for dropout's masks"
        + (m_pass->hasBatchNorm() ? " and the statistics of BatchNorm, which are each part's own"
                                  : "")
        + "; so will be all that are as many and as long. To ask for smaller batches in the "
          "recipe: "
        + join(edits, " and ") + ", or once: --" + join(split.overrides, " --");
    m_in.events.write({ .payload = run::Message { "warning", text } });
    m_in.events.write({ .payload = std::move(split) });
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

} // namespace earwright::train
