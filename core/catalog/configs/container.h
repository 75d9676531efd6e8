#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

/// torch.nn.ModuleList: one argument, a list of objects.
struct ModuleListConfig {
    recipe::NodePtr modules;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("modules", modules, { .help = "list of modules" });
    }
};

/// speechbrain.nnet.containers.Sequential, LengthsCapableSequential and ModuleList: layers by
/// position or name, which the builder takes from the node itself; `input_shape` is the one name
/// that is not a layer.
struct SequentialConfig {
    static constexpr bool kAcceptsAnyArgument = true;

    template <class Visitor>
    void visit(Visitor&&)
    {
    }
};

} // namespace earwright::catalog
