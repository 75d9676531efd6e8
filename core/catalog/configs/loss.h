#pragma once

#include "core/catalog/field.h"

namespace kymo::catalog {

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

} // namespace kymo::catalog
