#include "core/tasks/read_settings.h"

#include "core/settings/hub_source.h"
#include "core/tasks/spec.h"
#include "core/tasks/speech.h"

namespace earwright::tasks {

namespace {

settings::TaskSettings taskSettings(const recipe::Node& recipe, const std::string& name)
{
    settings::TaskSettings task { .classes = outputClasses(recipe),
        .trainsOnPhones = settings::trainsOnPhones(recipe) };
    const Spec* const spec = find(name);
    if (spec)
        task.utteranceLabels = spec->utteranceLabels;
    if (spec && spec->hotwordSampling)
        task.hotwords = spec->hotwordSampling(recipe);
    return task;
}

} // namespace

settings::Settings readSettings(const recipe::Node& recipe, const catalog::RunOptions& options)
{
    settings::Settings read { .data = settings::dataSettings(recipe, options.sorting),
        .optimizer = settings::optimizerSettings(recipe),
        .task = taskSettings(recipe, options.task) };
    read.features = { .sampleRateHz = read.data.sampleRateHz,
        .heardSeconds = settings::heardSeconds(recipe),
        .encodableSeconds = encodableSeconds(recipe, read.data.sampleRateHz) };
    return read;
}

} // namespace earwright::tasks
