#include "core/train/task/task.h"

#include "core/base/text.h"
#include "core/recipe/value_at.h"
#include "core/tasks/spec.h"

namespace earwright::train {

Result<std::unique_ptr<Task>> makeTask(const recipe::Node& recipe,
    std::shared_ptr<const data::TextEncoder> encoder, c10::Device device,
    const std::string& lossWeighting)
{
    const std::string name = recipe::textAt(recipe, "task");
    for (const TaskMaker& maker : taskMakers())
        if (maker.name == name)
            return maker.make(recipe, std::move(encoder), device, lossWeighting);
    return Error { "unknown task " + inQuotes(name)
        + ": Earwright trains `task: " + join(tasks::names(), "`, `") + "`" };
}

} // namespace earwright::train
