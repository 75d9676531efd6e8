#include "core/check/inferred_task.h"

#include "core/check/rules/other_procedure.h"
#include "core/settings/manifest_keys.h"
#include "core/settings/tree.h"
#include "core/tasks/spec.h"

#include <algorithm>

namespace earwright::check {

using recipe::NodePtr;

namespace {

/// MEDIA's recipes say by it what the corpus is prepared for.
bool isOfCorpus(const recipe::Node& root, const recipe::Node& task)
{
    return settings::isOfMedia(root) && task.text == "asr";
}

} // namespace

void inferTask(recipe::Node& root)
{
    const NodePtr given = recipe::find(root, "task");
    if ((given && !recipe::isNull(*given) && !isOfCorpus(root, *given))
        || !rules::otherProcedure(root).empty())
        return;
    const std::vector<tasks::Likely> likely = tasks::likely(root);
    if (likely.size() != 1)
        return;
    const NodePtr task = recipe::makeScalar(likely.front().task->name, recipe::Origin::Default);
    task->originText = "the recipe has " + likely.front().signs;
    std::erase_if(root.entries, [](const recipe::Entry& entry) {
        return entry.key->text == "task"; // null, or the corpus's
    });
    const NodePtr key = recipe::makeScalar("task", recipe::Origin::Default);
    key->originText = task->originText;
    root.entries.push_back({ key, task });
}

std::string inferenceReason(const recipe::Node& root)
{
    const NodePtr task = recipe::find(root, "task");
    return task && task->origin == recipe::Origin::Default ? task->originText : "";
}

} // namespace earwright::check
