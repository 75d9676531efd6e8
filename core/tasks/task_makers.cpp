#include "core/tasks/spec.h"
#include "core/train/task/task.h"

namespace earwright::tasks {

#define EARWRIGHT_TASK(task)                                                                       \
    namespace task {                                                                               \
    Spec spec();                                                                                   \
    Result<std::unique_ptr<train::Task>> make(const recipe::Node& recipe,                          \
        std::shared_ptr<const data::TextEncoder> encoder, c10::Device device,                      \
        const std::string& lossWeighting);                                                         \
    }
#include "core/tasks/tasks.inc"
#undef EARWRIGHT_TASK

} // namespace earwright::tasks

namespace earwright::train {

std::deque<TaskMaker>& taskMakers()
{
    static std::deque<TaskMaker> makers {
#define EARWRIGHT_TASK(task) { tasks::task::spec().name, tasks::task::make },
#include "core/tasks/tasks.inc"
#undef EARWRIGHT_TASK
    };
    return makers;
}

} // namespace earwright::train
