#pragma once

#include "core/settings/optimizer_settings.h"
#include "core/train/module_set.h"
#include "core/train/optim/parameter_groups.h"
#include "core/train/optim/scaled_schedule.h"

#include <torch/optim/optimizer.h>

namespace earwright::train {

/// Trainable parameters, those of a pretrained encoder apart where it has an optimizer of its own.
struct DividedParameters {
    NamedParameters ofEncoder;
    NamedParameters others;
};
DividedParameters divideParameters(
    const ModuleSet& modules, const settings::OptimizerSettings& settings);

/// How a pretrained encoder learns beside the other layers: settings::EncoderOptimizer. It takes
/// its steps together with theirs. Unlike upstream, gradients of the steps before its first one are
/// not added to those of its first.
class EncoderLearning final {
public:
    using State = std::vector<std::pair<std::string, torch::Tensor>>;

    /// Errors: a class or an argument that does not fit.
    static Result<std::unique_ptr<EncoderLearning>> make(const settings::EncoderOptimizer& settings,
        const NamedParameters& parameters, bool removeVectorWeightDecay);

    torch::optim::Optimizer& optimizer() { return *m_optimizer; }
    double rate() const { return learningRate(*m_optimizer); }
    /// Whether it takes a step after so many steps of the others.
    bool isDue(int64_t stepsDone) const { return stepsDone >= m_warmupSteps; }

    // As Schedule has them:
    void setTotalSteps(int64_t steps) { m_schedule->setTotalSteps(steps); }
    void start();
    void afterStep();
    void afterEpoch(double metric);
    /// All rates from now on are `ratio` times as large.
    void scale(double ratio);
    /// Sets the rate as of a run that had this schedule from its start, where that can be told.
    std::optional<double> layOutAnew();

    /// Remembers where it stands before an epoch is counted that the steps' limit has cut.
    void keepBefore() { m_before = stateOfRate(); }
    void forgetBefore() { m_before.clear(); }

    /// Copies, to save and restore bit for bit. Errors of restore(): a tensor that is missing, a
    /// damaged one. `isBefore`: as keepBefore() has remembered the rate.
    State state() const;
    Status restore(const std::map<std::string, torch::Tensor>& state, bool isBefore);

private:
    EncoderLearning() = default;
    State stateOfRate() const;

    std::unique_ptr<torch::optim::Optimizer> m_optimizer;
    std::unique_ptr<ScaledSchedule> m_schedule;
    int64_t m_warmupSteps = 0;
    double m_firstRate = 0; ///< the optimizer's own
    State m_before;
};

} // namespace earwright::train
