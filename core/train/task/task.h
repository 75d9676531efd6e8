#pragma once

#include "core/base/result.h"
#include "core/data/loader.h"
#include "core/recipe/node.h"
#include "core/train/module_set.h"
#include "core/train/task/batch_parts.h"
#include "core/train/task/unmatched.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <torch/types.h>
#include <vector>

namespace earwright::train {

enum class Stage { Train, Valid, Test };

/// How many labels a decoder gives right, told what was spoken before each: upstream's ACC.
/// Source: speechbrain.utils.Accuracy.
struct LabelHits {
    int64_t right = 0;
    int64_t all = 0; ///< 0 = the task counts none

    LabelHits& operator+=(const LabelHits& other)
    {
        right += other.right;
        all += other.all;
        return *this;
    }
};

/// What one batch gives: its loss, and for Valid and Test the texts recognised.
struct TaskOutput {
    torch::Tensor loss; ///< 0-d float32 on the device, over this rank's rows by the recipe's
                        ///< reduction and loss_weighting; several parts add up by lossUnit()
    std::vector<std::string> hypotheses; ///< one a row; empty in training, and in a validation
                                         ///< without a search (valid_search_interval)
    LabelHits hits {}; ///< of Valid and Test
};

/// A batch as it is trained on: see Note [Rows of an augmented batch].
struct TrainingInput {
    data::Batch batch; ///< of the features' rows
    torch::Tensor features; ///< with a gradient where a layer before them learns
};

/// Sees what a batch passes: the recipe's key of each layer with the layer's input, before it runs;
/// "" with what the last layer of a chain gave.
using Observer = std::function<void(const std::string& key, const torch::Tensor& input)>;

/// A training procedure that a recipe names by `task`. Called under the caller's autocast.
class Task {
public:
    virtual ~Task() = default;
    /// What the layers that learn are given of a batch, row by row: normalised, and in training
    /// augmented. `batch` is on the CPU, here and below; its tensors are moved. Never called with
    /// zero rows.
    virtual torch::Tensor features(const data::Batch& batch, Stage stage) = 0;
    /// The features of training, with the rows that they are of.
    virtual TrainingInput trainingInput(const data::Batch& batch)
    {
        return { batch, features(batch, Stage::Train) };
    }
    /// The rest, of these features.
    virtual TaskOutput run(const data::Batch& batch, const torch::Tensor& features, Stage stage)
        = 0;
    TaskOutput run(const data::Batch& batch, Stage stage)
    {
        if (stage != Stage::Train)
            return run(batch, features(batch, stage), stage);
        const TrainingInput input = trainingInput(batch);
        return run(input.batch, input.features, stage);
    }
    /// The texts of a batch, one a row, as validation and test have them; what the batch says of
    /// its own texts is not looked at.
    virtual std::vector<std::string> recognise(
        const data::Batch& batch, const torch::Tensor& features, Stage stage)
        = 0;
    /// Loads what a stage needs besides the layers, once. The error says why it cannot be run: a
    /// test may lack what a training does not need.
    virtual Status readyFor(Stage) { return Done {}; }
    virtual LossUnit lossUnit() const = 0;
    virtual ModuleSet& modules() = 0;
    virtual void observe(Observer observer) = 0; ///< for inspection; {} = nobody
    virtual void startEpoch(int64_t epoch) = 0;
    /// Called before the batches of an optimizer step. Never called: the task acts as late in a
    /// training.
    virtual void startStep(int64_t stepsDone) { (void)stepsDone; }
    /// State that is no parameter and no buffer (InputNormalization's running statistics), to save
    /// and restore.
    virtual std::vector<std::pair<std::string, torch::Tensor>> extraState() const = 0;
    virtual void restoreExtraState(const std::map<std::string, torch::Tensor>& state) = 0;
    /// What of it is not there or of another shape: restoreExtraState() can do with it only where
    /// that is nothing.
    virtual Unmatched unmatchedExtraState(
        const std::map<std::string, torch::Tensor>& state) const = 0;
};

/// How a task is made of a resolved recipe. Errors: a layer that cannot be built.
struct TaskMaker {
    std::string name; ///< tasks::Spec's
    Result<std::unique_ptr<Task>> (*make)(const recipe::Node& recipe,
        std::shared_ptr<const data::TextEncoder> encoder, c10::Device device,
        const std::string& lossWeighting);
};
/// Those of core/tasks/tasks.inc first. One more is added only before main().
std::deque<TaskMaker>& taskMakers();

/// The task that the resolved recipe names; `lossWeighting` is the run option. Errors: unknown
/// task, a layer that cannot be built.
Result<std::unique_ptr<Task>> makeTask(const recipe::Node& recipe,
    std::shared_ptr<const data::TextEncoder> encoder, c10::Device device,
    const std::string& lossWeighting);

} // namespace earwright::train
