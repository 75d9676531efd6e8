#pragma once

#include "core/catalog/configs/scheduler.h"

namespace kymo::train {

using catalog::WarmupHoldDecayConfig;

// Arguments of the schedules beyond NewBob and Noam, in the order of upstream's signatures
// (speechbrain.nnet.schedulers).

struct NoamIntervalConfig {
    double lrInitial = 0;
    int64_t nWarmupSteps = 0;
    std::vector<int64_t> annealSteps;
    std::vector<double> annealRates;
    std::optional<int64_t> modelSize;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("lr_initial", lrInitial, { .min = 0, .required = true });
        field("n_warmup_steps", nWarmupSteps, { .unit = "steps", .min = 1, .required = true });
        field("anneal_steps", annealSteps, { .unit = "steps", .required = true });
        field("anneal_rates", annealRates, { .required = true });
        field("model_size", modelSize, { .min = 1 });
    }
};

struct LinearNoamConfig {
    double lrInitial = 0;
    int64_t nWarmupSteps = 0;
    int64_t nKeepSteps = 0;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("lr_initial", lrInitial, { .min = 0, .required = true });
        field("n_warmup_steps", nWarmupSteps, { .unit = "steps", .min = 1, .required = true });
        field("n_keep_steps", nKeepSteps, { .unit = "steps", .min = 0, .required = true });
    }
};

struct LinearWarmupConfig {
    double initialValue = 0;
    int64_t numWarmupSteps = 0;
    int64_t numTrainingSteps = 0;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("initial_value", initialValue, { .min = 0, .required = true });
        field("num_warmup_steps", numWarmupSteps, { .unit = "steps", .min = 0, .required = true });
        field("num_training_steps", numTrainingSteps,
            { .unit = "steps", .min = 0, .required = true });
    }
};

struct WarmAndExpDecayConfig {
    double lr = 0;
    int64_t nWarmupSteps = 0;
    int64_t totalSteps = 0;
    double decayFactor = 0.1;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("lr", lr, { .min = 0, .required = true });
        field("n_warmup_steps", nWarmupSteps, { .unit = "steps", .min = 0, .required = true });
        field("total_steps", totalSteps, { .unit = "steps", .min = 1, .required = true });
        field("decay_factor", decayFactor, { .min = 0 });
    }
};

struct WarmCoolDecayConfig {
    double lr = 0;
    int64_t warmup = 0;
    int64_t cooldown = 0;
    int64_t totalSteps = 0;
    double decayFactor = 0.75;
    int64_t decayEvery = 100000;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("lr", lr, { .min = 0, .required = true });
        field("warmup", warmup, { .unit = "steps", .min = 0, .required = true });
        field("cooldown", cooldown, { .unit = "steps", .min = 1, .required = true });
        field("total_steps", totalSteps, { .unit = "steps", .min = 1, .required = true });
        field("decay_factor", decayFactor, { .min = 0 });
        field("decay_every", decayEvery, { .unit = "steps", .min = 1 });
    }
};

struct TriStageConfig {
    double lr = 0;
    int64_t warmupSteps = 0;
    int64_t holdSteps = 0;
    int64_t decaySteps = 0;
    int64_t totalSteps = 0;
    double initLrScale = 0.01;
    double finalLrScale = 0.05;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("lr", lr, { .min = 0, .required = true });
        field("warmup_steps", warmupSteps, { .unit = "steps", .min = 1, .required = true });
        field("hold_steps", holdSteps, { .unit = "steps", .min = 0, .required = true });
        field("decay_steps", decaySteps, { .unit = "steps", .min = 1, .required = true });
        field("total_steps", totalSteps, { .unit = "steps", .min = 1, .required = true });
        field("init_lr_scale", initLrScale, { .min = 0 });
        field("final_lr_scale", finalLrScale, { .min = 0 });
    }
};

struct InverseSquareRootConfig {
    int64_t warmupSteps = 0;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("warmup_steps", warmupSteps, { .unit = "steps", .min = 1, .required = true });
    }
};

struct CyclicCosineConfig {
    int64_t nWarmupSteps = 0;
    std::optional<double> lrInitial;
    int64_t totalSteps = 100000;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("n_warmup_steps", nWarmupSteps, { .unit = "steps", .min = 1, .required = true });
        field("lr_initial", lrInitial,
            { .min = 0, .help = "without it the rate compounds from step to step" });
        field("total_steps", totalSteps, { .unit = "steps", .min = 1 });
    }
};

struct CyclicLrConfig {
    double baseLr = 0.001;
    double maxLr = 0.006;
    double stepSize = 2000.0;
    std::string mode = "triangular";
    double gamma = 1.0;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("base_lr", baseLr, { .min = 0 });
        field("max_lr", maxLr, { .min = 0 });
        field("step_size", stepSize, { .unit = "steps", .min = 1 });
        field("mode", mode, { .choices = { "triangular", "triangular2", "exp_range" } });
        field("gamma", gamma, { .min = 0 });
    }
};

struct IntervalConfig {
    recipe::NodePtr intervals; ///< list of {steps, lr}

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("intervals", intervals,
            { .help = "list of {steps, lr}: from that step on this rate", .required = true });
    }
};

struct LinearScheduleConfig {
    double initialValue = 0;
    double finalValue = 0;
    int64_t epochCount = 1;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("initial_value", initialValue, { .min = 0, .required = true });
        field("final_value", finalValue, { .min = 0, .required = true });
        field("epoch_count", epochCount, { .unit = "epochs", .min = 1, .required = true });
    }
};

struct StepScheduleConfig {
    double initialValue = 0;
    std::optional<double> decayFactor;
    std::optional<double> decayDrop;
    std::optional<double> halfLife;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("initial_value", initialValue, { .min = 0, .required = true });
        field("decay_factor", decayFactor, { .min = 0 });
        field("decay_drop", decayDrop, { .unit = "epochs", .min = 1 });
        field("half_life", halfLife,
            { .unit = "epochs", .min = 0, .help = "instead of the other two" });
    }
};

struct ReduceOnPlateauConfig {
    double lrMin = 1e-8;
    double factor = 0.5;
    int64_t patience = 2;
    int64_t dontHalveUntilEpoch = 65;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("lr_min", lrMin, { .min = 0 });
        field("factor", factor, { .min = 0, .max = 1 });
        field("patience", patience, { .unit = "epochs", .min = 0 });
        field("dont_halve_until_epoch", dontHalveUntilEpoch, { .unit = "epochs", .min = 0 });
    }
};

} // namespace kymo::train
