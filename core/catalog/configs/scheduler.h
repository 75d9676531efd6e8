#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

/// speechbrain.nnet.schedulers.NewBobScheduler: after an epoch whose relative gain is below the
/// threshold the rate is multiplied.
struct NewBobSchedulerConfig {
    double initialValue = 0;
    double annealingFactor = 0.5;
    double improvementThreshold = 0.0025;
    int64_t patient = 0;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("initial_value", initialValue,
            { .min = 0, .help = "first learning rate", .required = true });
        field("annealing_factor", annealingFactor, { .min = 0, .max = 1 });
        field("improvement_threshold", improvementThreshold, { .help = "relative" });
        field("patient", patient,
            { .unit = "epochs", .min = 0, .help = "weak epochs let pass first" });
    }
};

/// speechbrain.nnet.schedulers.NoamScheduler: linear warm-up, then the inverse square root of the
/// step.
struct NoamSchedulerConfig {
    double lrInitial = 0;
    int64_t nWarmupSteps = 0;
    std::optional<int64_t> modelSize;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("lr_initial", lrInitial,
            { .min = 0, .help = "the peak rate where model_size is not given", .required = true });
        field("n_warmup_steps", nWarmupSteps, { .unit = "steps", .min = 1, .required = true });
        field("model_size", modelSize,
            { .min = 1, .help = "multiplies the rate by its inverse square root" });
    }
};

/// funasr.schedulers.warmup_lr.WarmupLR: Noam's curve with the optimizer's rate as its peak.
struct WarmupLrConfig {
    double warmupSteps = 25000;
    int64_t lastEpoch = -1;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("warmup_steps", warmupSteps,
            { .unit = "steps", .min = 1, .help = "until the rate is the optimizer's" });
        field("last_epoch", lastEpoch, { .help = "not read: a checkpoint knows" });
    }
};

/// speechbrain.utils.epoch_loop.EpochCounter
struct EpochCounterConfig {
    int64_t limit = 0;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("limit", limit, { .unit = "epochs", .min = 0, .required = true });
    }
};

/// speechbrain.utils.epoch_loop.EpochCounterWithStopper: Earwright counts by it and does not stop.
struct EpochCounterWithStopperConfig {
    int64_t limit = 0;
    int64_t limitToStop = 0;
    int64_t limitWarmup = 0;
    std::string direction;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("limit", limit, { .unit = "epochs", .min = 0, .required = true });
        field("limit_to_stop", limitToStop,
            { .unit = "epochs",
                .min = 0,
                .help = "without improvement; Earwright does not stop by it",
                .required = true });
        field("limit_warmup", limitWarmup,
            { .unit = "epochs",
                .min = 0,
                .help = "not counted; Earwright does not stop by it",
                .required = true });
        field("direction", direction,
            { .choices = { "min", "max" },
                .help = "of improvement; Earwright does not stop by it",
                .required = true });
    }
};

/// earwright.schedulers.WarmupHoldDecay: to the optimizer's rate, hold, and down again, in shares
/// of the run's steps.
struct WarmupHoldDecayConfig {
    double warmup = 0.05;
    double decay = 0.4;
    double final = 0.01;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("warmup", warmup,
            { .min = 0, .max = 1, .help = "share of all steps that rise to the optimizer's rate" });
        field("decay", decay,
            { .min = 0, .max = 1, .help = "share of all steps, the last ones, that fall" });
        field("final", final,
            { .min = 0, .max = 1, .help = "last rate as a share of the optimizer's" });
    }
};

} // namespace earwright::catalog
