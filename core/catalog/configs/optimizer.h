#pragma once

// The parameters come from the training loop, so positional arguments are not used with these.

#include "core/catalog/field.h"

namespace earwright::catalog {

/// torch.optim.AdamW
struct AdamWConfig {
    double lr = 1e-3;
    std::vector<double> betas = { 0.9, 0.999 };
    double eps = 1e-8;
    double weightDecay = 1e-2;
    bool amsgrad = false;
    bool maximize = false;
    std::optional<bool> foreach;
    bool capturable = false;
    bool differentiable = false;
    std::optional<bool> fused;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("lr", lr, { .min = 0, .help = "learning rate" });
        field("betas", betas, { .min = 0, .max = 1 });
        field("eps", eps, { .min = 0 });
        field("weight_decay", weightDecay, { .min = 0 });
        field("amsgrad", amsgrad);
        field("maximize", maximize);
        field("foreach", foreach);
        field("capturable", capturable);
        field("differentiable", differentiable);
        field("fused", fused);
    }
};

/// torch.optim.Adam
struct AdamConfig {
    double lr = 1e-3;
    std::vector<double> betas = { 0.9, 0.999 };
    double eps = 1e-8;
    double weightDecay = 0;
    bool amsgrad = false;
    std::optional<bool> foreach;
    bool maximize = false;
    bool capturable = false;
    bool differentiable = false;
    std::optional<bool> fused;
    bool decoupledWeightDecay = false;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("lr", lr, { .min = 0, .help = "learning rate" });
        field("betas", betas, { .min = 0, .max = 1 });
        field("eps", eps, { .min = 0 });
        field("weight_decay", weightDecay, { .min = 0 });
        field("amsgrad", amsgrad);
        field("foreach", foreach);
        field("maximize", maximize);
        field("capturable", capturable);
        field("differentiable", differentiable);
        field("fused", fused);
        field("decoupled_weight_decay", decoupledWeightDecay);
    }
};

/// torch.optim.Adadelta
struct AdadeltaConfig {
    double lr = 1.0;
    double rho = 0.9;
    double eps = 1e-6;
    double weightDecay = 0;
    std::optional<bool> foreach;
    bool capturable = false;
    bool maximize = false;
    bool differentiable = false;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("lr", lr, { .min = 0, .help = "factor of the adapted step" });
        field("rho", rho, { .min = 0, .max = 1 });
        field("eps", eps, { .min = 0 });
        field("weight_decay", weightDecay, { .min = 0 });
        field("foreach", foreach);
        field("capturable", capturable);
        field("maximize", maximize);
        field("differentiable", differentiable);
    }
};

/// torch.optim.SGD
struct SgdConfig {
    double lr = 1e-3;
    double momentum = 0;
    double dampening = 0;
    double weightDecay = 0;
    bool nesterov = false;
    bool maximize = false;
    std::optional<bool> foreach;
    bool differentiable = false;
    std::optional<bool> fused;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("lr", lr, { .min = 0, .help = "learning rate" });
        field("momentum", momentum, { .min = 0 });
        field("dampening", dampening);
        field("weight_decay", weightDecay, { .min = 0 });
        field("nesterov", nesterov, { .help = "needs momentum > 0 and dampening 0" });
        field("maximize", maximize);
        field("foreach", foreach);
        field("differentiable", differentiable);
        field("fused", fused);
    }
};

} // namespace earwright::catalog
