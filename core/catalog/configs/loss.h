#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

/// What a recipe may fix of speechbrain.nnet.losses.ctc_loss; the tensors come from the training
/// loop.
struct CtcLossConfig {
    int64_t blankIndex = 0;
    std::string reduction = "mean";

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("blank_index", blankIndex, { .min = 0, .required = true });
        field("reduction", reduction,
            { .choices = { "mean", "sum", "none", "batch", "batchmean" },
                .help = "mean = over target tokens" });
    }
};

/// What a recipe may fix of speechbrain.integrations.k2_fsa.losses.ctc_k2, in whose place
/// LibTorch's CTC is computed: of the blank 0, over all paths.
struct CtcK2LossConfig {
    std::string reduction = "mean";
    int64_t beamSize = 10;
    bool useDoubleScores = true;
    bool isTraining = true;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("reduction", reduction,
            { .choices = { "mean", "sum" }, .help = "mean = over target tokens" });
        field("beam_size", beamSize,
            { .min = 1, .help = "not read: k2 leaves paths out that are so far behind the best" });
        field("use_double_scores", useDoubleScores, { .help = "not read: k2 adds up in float64" });
        field("is_training", isTraining, { .help = "not read" });
    }
};

/// What a recipe may fix of speechbrain.nnet.losses.nll_loss.
struct NllLossConfig {
    double labelSmoothing = 0.0;
    int64_t allowedLenDiff = 3;
    recipe::NodePtr weight;
    std::string reduction = "mean";

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("label_smoothing", labelSmoothing, { .min = 0, .max = 1 });
        field("allowed_len_diff", allowedLenDiff, { .unit = "frames", .min = 0 });
        field("weight", weight, { .help = "Earwright has null alone: all tokens count alike" });
        field("reduction", reduction,
            { .choices = { "mean", "batch", "batchmean", "sum", "none" },
                .help = "mean = over tokens" });
    }

    std::vector<Misfit> misfits() const
    {
        return !weight || recipe::isNull(*weight)
            ? std::vector<Misfit> {}
            : std::vector<Misfit> { { "weight", "null: in Earwright all tokens count alike",
                "null" } };
    }
};

/// What a recipe may fix of speechbrain.nnet.losses.kldiv_loss.
struct KldivLossConfig {
    double labelSmoothing = 0.0;
    int64_t allowedLenDiff = 3;
    int64_t padIdx = 0;
    std::string reduction = "mean";

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("label_smoothing", labelSmoothing, { .min = 0, .max = 1 });
        field("allowed_len_diff", allowedLenDiff, { .unit = "frames", .min = 0 });
        field("pad_idx", padIdx, { .help = "targets of this value do not count" });
        field("reduction", reduction,
            { .choices = { "mean", "batch", "batchmean", "sum", "none" },
                .help = "mean = the sum" });
    }
};

} // namespace earwright::catalog
