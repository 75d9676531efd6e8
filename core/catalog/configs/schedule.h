#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

// Learning-rate schedules beyond those of scheduler.h.

/// speechbrain.nnet.schedulers.NoamIntervalScheduler
struct NoamIntervalSchedulerConfig {
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

    std::vector<Misfit> misfits() const
    {
        if (annealSteps.size() == annealRates.size())
            return {};
        return { { "anneal_rates",
            "a list of " + std::to_string(annealSteps.size())
                + " rates, one for each of anneal_steps" } };
    }
};

/// speechbrain.nnet.schedulers.LinearNoamScheduler
struct LinearNoamSchedulerConfig {
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

/// speechbrain.nnet.schedulers.LinearWarmupScheduler
struct LinearWarmupSchedulerConfig {
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

/// speechbrain.nnet.schedulers.WarmAndExpDecayLRSchedule
struct WarmAndExpDecayLrScheduleConfig {
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

/// speechbrain.nnet.schedulers.WarmCoolDecayLRSchedule
struct WarmCoolDecayLrScheduleConfig {
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

/// speechbrain.nnet.schedulers.TriStageLRSchedule
struct TriStageLrScheduleConfig {
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

/// speechbrain.nnet.schedulers.InverseSquareRootScheduler
struct InverseSquareRootSchedulerConfig {
    int64_t warmupSteps = 0;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("warmup_steps", warmupSteps, { .unit = "steps", .min = 1, .required = true });
    }
};

/// speechbrain.nnet.schedulers.CyclicCosineScheduler
struct CyclicCosineSchedulerConfig {
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

/// speechbrain.nnet.schedulers.CyclicLRScheduler
struct CyclicLrSchedulerConfig {
    double baseLr = 0.001;
    double maxLr = 0.006;
    double stepSize = 2000.0;
    std::string mode = "triangular";
    double gamma = 1.0;
    recipe::NodePtr scaleFn;
    std::string scaleMode = "cycle";

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("base_lr", baseLr, { .min = 0 });
        field("max_lr", maxLr, { .min = 0 });
        field("step_size", stepSize, { .unit = "steps", .min = 1 });
        field("mode", mode, { .choices = { "triangular", "triangular2", "exp_range" } });
        field("gamma", gamma, { .min = 0 });
        field("scale_fn", scaleFn);
        field("scale_mode", scaleMode,
            { .choices = { "cycle", "iterations" }, .help = "read with a scale_fn alone" });
    }

    std::vector<Misfit> misfits() const
    {
        if (!scaleFn || recipe::isNull(*scaleFn))
            return {};
        return { { "scale_fn", "null: a function of Python's cannot be run; choose a mode" } };
    }
};

/// speechbrain.nnet.schedulers.IntervalScheduler
struct IntervalSchedulerConfig {
    struct Interval {
        int64_t steps = 0; ///< from this step on
        double lr = 0;
    };

    recipe::NodePtr intervals; ///< list of {steps, lr}

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("intervals", intervals,
            { .help = "list of {steps, lr}: from that step on this rate", .required = true });
    }

    /// Null where it is written otherwise.
    static std::optional<Interval> read(const recipe::Node& node)
    {
        const recipe::NodePtr steps = recipe::find(node, "steps");
        const recipe::NodePtr lr = recipe::find(node, "lr");
        if (!steps || !lr || !recipe::asInt(*steps) || !recipe::asDouble(*lr))
            return {};
        return Interval { *recipe::asInt(*steps), *recipe::asDouble(*lr) };
    }

    std::vector<Misfit> misfits() const
    {
        if (!intervals)
            return {};
        bool areRead = intervals->kind == recipe::Kind::Sequence;
        for (const recipe::NodePtr& item : intervals->items)
            areRead = areRead && read(*item).has_value();
        if (areRead)
            return {};
        return { { "intervals", "a list of mappings such as {steps: 1000, lr: 0.001}" } };
    }
};

/// speechbrain.nnet.schedulers.LinearScheduler
struct LinearSchedulerConfig {
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

/// speechbrain.nnet.schedulers.StepScheduler
struct StepSchedulerConfig {
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

/// speechbrain.nnet.schedulers.ReduceLROnPlateau
struct ReduceLrOnPlateauConfig {
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

} // namespace earwright::catalog
