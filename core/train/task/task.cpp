#include "core/train/task/task.h"

#include "core/data/recipe_data.h"
#include "core/train/task/ctc_attention_task.h"
#include "core/train/task/ctc_task.h"
#include "core/train/task/paraformer_task.h"

namespace earwright::train {

Result<std::unique_ptr<Task>> makeTask(const recipe::Node& recipe,
    std::shared_ptr<const data::TextEncoder> encoder, c10::Device device,
    const std::string& lossWeighting)
{
    const recipe::NodePtr name = recipe::find(recipe, "task");
    if (name && recipe::asString(*name) == "ctc")
        return CtcTask::make(recipe, std::move(encoder), device, lossWeighting);
    if (name && recipe::asString(*name) == "ctc_attention")
        return CtcAttentionTask::make(recipe, std::move(encoder), device, lossWeighting);
    if (name && data::isParaformer(recipe::asString(*name)))
        return ParaformerTask::make(recipe, std::move(encoder), device, lossWeighting);
    return Error { "unknown task '" + (name ? recipe::asString(*name) : "")
        + "': Earwright trains `task: ctc`, `ctc_attention`, `paraformer` and `seaco_paraformer`" };
}

} // namespace earwright::train
