#include "core/train/loop/reporter.h"

#include "core/base/text.h"
#include "core/train/memory/smaller_batches.h"

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

void reportNotFitting(
    const TrainerContext& context, const TrainingState& state, const NotFitting& found)
{
    const data::Batch& batch = found.batch;
    const auto samples
        = batch.wavLens_B.max().item<double>() * static_cast<double>(batch.wavs_BT.size(1));
    run::BatchSplit split { .step = state.progress.step,
        .utterances = batch.ids,
        .seconds = samples / state.data.train.loader.sampleRateHz,
        .parts = found.parts,
        .cause = found.during + ": " + found.cause,
        .recipe = context.plan.recipeFile,
        .overrides = {} };
    std::vector<std::string> edits;
    for (const Setting& setting :
        smallerBatches(context.plan, state.data.train.batching, found.parts)) {
        split.overrides.push_back(setting.first + "=" + setting.second);
        edits.push_back(edit(context.plan, setting));
    }
    const std::string text = "after step " + std::to_string(split.step) + ": "
        + std::to_string(batch.ids.size()) + " utterances of up to "
        + formatDouble(std::round(split.seconds * 100) / 100) + " s (" + named(batch.ids)
        + ") do not fit into memory in the " + found.during + ": " + found.cause
        + " They are computed in " + std::to_string(found.parts)
        + " parts, which makes the same step but for dropout's masks"
        + (state.model.pass->hasBatchNorm()
                ? " and the statistics of BatchNorm, which are each part's own"
                : "")
        + "; so will be all that are as many and as long. To ask for smaller batches in the "
          "recipe: "
        + join(edits, " and ") + ", or once: --" + join(split.overrides, " --");
    context.events.write({ .payload = run::Message { "warning", text } });
    context.events.write({ .payload = std::move(split) });
}

} // namespace earwright::train
