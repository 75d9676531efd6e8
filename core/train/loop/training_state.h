#pragma once

#include "core/decode/hotword_rate.h"
#include "core/distributed/gradient_sync.h"
#include "core/precision/precision.h"
#include "core/train/dataset.h"
#include "core/train/loop/optimization.h"
#include "core/train/memory/fitting_pass.h"
#include "core/train/task/task.h"
#include "core/train/weights/checkpoint.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace earwright::train {

/// What a run trains, validates and tests on. DataSetup fills it.
struct TrainingData {
    Split train;
    Split valid; ///< its utterances are null where the recipe names none
    std::vector<Split> tests;
    std::shared_ptr<const data::TextEncoder> encoder;
    std::optional<decode::HotwordCounter> hotwords; ///< nothing counted; none without a list
};

/// What is trained, and what takes a batch through it. ModelSetup fills it. Its members refer to
/// one another, so it stays where it is.
struct TrainingModel {
    TrainingModel() = default;
    TrainingModel(const TrainingModel&) = delete;
    TrainingModel& operator=(const TrainingModel&) = delete;

    std::unique_ptr<Task> task;
    std::vector<std::pair<std::string, torch::Tensor>> parameters; ///< that learn, by their names
    std::unique_ptr<Optimization> optimization;
    std::unique_ptr<precision::Precision> precision;
    std::unique_ptr<distributed::GradientSync> sync;
    std::unique_ptr<FittingPass> pass;
    /// Every rank computes the same rows of the micro-batch under way: see Note [Parts of a batch].
    bool isRepeated = false;
};

/// What the parts of a trainer share. Trainer owns it; each part says what it changes.
struct TrainingState {
    TrainingData data;
    TrainingModel model;
    Progress progress;
};

} // namespace earwright::train
