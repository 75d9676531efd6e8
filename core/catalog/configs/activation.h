#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

/// torch.nn.ReLU and torch.nn.SiLU
struct ReluConfig {
    bool inplace = false;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("inplace", inplace, { .help = "overwrite the input" });
    }
};

/// torch.nn.LeakyReLU
struct LeakyReluConfig {
    double negativeSlope = 0.01;
    bool inplace = false;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("negative_slope", negativeSlope);
        field("inplace", inplace);
    }
};

/// torch.nn.GELU
struct GeluConfig {
    std::string approximate = "none";

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("approximate", approximate, { .choices = { "none", "tanh" } });
    }
};

/// speechbrain.nnet.activations.Swish
struct SwishConfig {
    double beta = 1.0;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("beta", beta);
    }
};

/// torch.nn.Tanh and torch.nn.Sigmoid
struct NoArgumentsConfig {
    template <class Visitor>
    void visit(Visitor&&)
    {
    }
};

/// torch.nn.Identity takes anything and ignores it.
struct IdentityConfig {
    static constexpr bool kAcceptsAnyArgument = true;

    template <class Visitor>
    void visit(Visitor&&)
    {
    }
};

} // namespace earwright::catalog
