#pragma once

#include "core/settings/optimizer_settings.h"
#include "core/train/optim/encoder_learning.h"
#include "core/train/optim/optimizer.h"
#include "core/train/optim/scaled_schedule.h"
#include "core/train/trainer_context.h"
#include "core/train/weights/checkpoint.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace earwright::train {

/// How the weights learn: the optimizer with its schedule, a second stage's in its place, and a
/// pretrained encoder's own beside it.
class Optimization final {
public:
    /// Of the recipe, over the modules' parameters, which outlive it. Errors: no optimizer, a class
    /// or an argument that does not fit, of the second stage too.
    static Result<std::unique_ptr<Optimization>> make(
        const TrainerContext& context, const ModuleSet& modules);

    /// How many steps the schedules are laid out over.
    void setTotalSteps(int64_t steps);
    /// Sets the first rates, of a run that begins here.
    void start(Progress& progress);
    /// Enters the second stage where the epoch is past the first one. Upstream makes its optimizer
    /// before the first batch of the epoch, and calls the schedule after each step as before.
    void beginStep(const Progress& progress);
    /// Those that take the step after so many steps.
    std::vector<torch::optim::Optimizer*> dueOptimizers(int64_t stepsDone);
    void afterStep();
    /// `isCut`: by the steps' limit. The encoder's rate from before is kept then.
    void afterEpoch(double metric, bool isCut);
    /// Sets it now, a pretrained encoder's in proportion, and scales what the schedule will say
    /// from now on. Before the first step it takes the place of the optimizer's own: a warm-up then
    /// leads to it, and not from it to many times as much.
    void changeRate(double rate, int64_t stepsDone);

    double rate() const { return learningRate(*m_optimizer); }
    std::optional<double> encoderRate() const; ///< none without an optimizer of its own
    std::string scheduleState() const { return m_schedule->state(); } ///< Progress::schedule

    /// Copies on the CPU, as Checkpoint::training has them.
    Tensors state() const;
    /// The optimizer's, in the stage it was saved in. Throws c10::Error where it does not fit.
    void restoreOptimizer(const Tensors& training);
    /// Errors: a tensor that is missing, a damaged one.
    Status restoreEncoder(const Checkpoint& checkpoint);
    /// Sets `progress` to where the run stands: that of the checkpoint, or within an epoch that the
    /// steps' limit of before had cut, if there is more to come now. `rate` is the checkpoint's.
    /// Errors: a damaged state.
    Status restoreSchedule(const Progress& saved, double rate, Progress& progress);

private:
    struct LaidOut {
        double before = 0;
        std::optional<double> now; ///< none where it cannot be told
        bool isAnother = false; ///< a schedule has other arguments than the checkpoint's
    };

    Optimization(const TrainerContext& context, const ModuleSet& modules)
        : m_in(context)
        , m_modules(modules)
    {
    }
    Status build();
    Status buildEncoder();
    Result<std::unique_ptr<torch::optim::Optimizer>> makeOptimizerOf(
        const recipe::Node& optClass) const;
    void enterSecondStage();
    void layOutAnew(const Progress& progress);
    void tellLaidOut(const std::string& what, const LaidOut& rate);

    const TrainerContext& m_in;
    const ModuleSet& m_modules;
    std::unique_ptr<torch::optim::Optimizer> m_optimizer;
    std::unique_ptr<ScaledSchedule> m_schedule;
    std::optional<settings::SecondStage> m_secondStage; ///< of the recipe
    bool m_isInSecondStage = false; ///< m_optimizer is that stage's
    std::unique_ptr<EncoderLearning> m_encoder; ///< null: m_optimizer has all parameters
    double m_recipeRate = 0; ///< the optimizer's own, which the schedule begins with
    std::string m_scheduleOf; ///< Progress::scheduleOf of this run
    int64_t m_totalSteps = 0; ///< Progress::totalSteps of this run
};

} // namespace earwright::train
