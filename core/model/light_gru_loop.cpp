#include "core/model/light_gru.h"

#include "core/model/autocast_off.h"

#include <torch/autograd.h>

namespace earwright::model {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

void activate(torch::Tensor& a, Nonlinearity act)
{
    switch (act) {
    case Nonlinearity::Relu:
        a.relu_();
        break;
    case Nonlinearity::LeakyRelu:
        torch::leaky_relu_(a);
        break;
    case Nonlinearity::Tanh:
        a.tanh_();
        break;
    case Nonlinearity::Sin:
        a.sin_();
        break;
    }
}

/// Derivative of the activation, from its value where that is enough, else from its argument.
torch::Tensor derivative(
    const torch::Tensor& value, const torch::Tensor& argument, Nonlinearity act)
{
    switch (act) {
    case Nonlinearity::Relu:
        return (value > 0).to(value.scalar_type());
    case Nonlinearity::LeakyRelu:
        return torch::where(value > 0, 1.0, 0.01).to(value.scalar_type());
    case Nonlinearity::Tanh:
        return 1 - value.square();
    case Nonlinearity::Sin:
        return argument.cos();
    }
    return {};
}

/// sum += factor · weight, the product in the weight's type.
void addProduct(torch::Tensor sum, const torch::Tensor& factor, const torch::Tensor& weight)
{
    if (weight.scalar_type() == sum.scalar_type())
        sum.addmm_(factor, weight);
    else
        sum.add_(factor.to(weight.scalar_type()).mm(weight));
}

class Loop final : public torch::autograd::Function<Loop> {
public:
    static torch::Tensor forward(AutogradContext* context, const torch::Tensor& gates_TBG,
        const torch::Tensor& u_GH, const std::optional<torch::Tensor>& mask, int64_t act)
    {
        const torch::Tensor mask_BH = mask.value_or(torch::Tensor());
        const auto nonlinearity = static_cast<Nonlinearity>(act);
        const int64_t hidden = u_GH.size(1);
        torch::Tensor gates = gates_TBG.to(fullType(gates_TBG), false, true);
        torch::Tensor arguments = nonlinearity == Nonlinearity::Sin
            ? torch::empty_like(gates.narrow(2, 0, hidden))
            : torch::Tensor();
        // Row 0 is the initial state, so that row t is what frame t starts from.
        torch::Tensor states
            = torch::empty({ gates.size(0) + 1, gates.size(1), hidden }, gates.options());
        states[0].zero_();
        const torch::Tensor recurrent = u_GH.t();
        for (int64_t frame = 0; frame < gates.size(0); ++frame) {
            const torch::Tensor before = states[frame];
            const torch::Tensor gate = gates[frame];
            addProduct(gate, before, recurrent);
            torch::Tensor a = gate.narrow(1, 0, hidden);
            torch::Tensor z = gate.narrow(1, hidden, hidden).sigmoid_();
            if (arguments.defined())
                arguments[frame].copy_(a);
            activate(a, nonlinearity);
            torch::Tensor after = states[frame + 1];
            at::lerp_out(after, mask_BH.defined() ? a * mask_BH : a, before, z);
        }
        context->save_for_backward({ gates, states, u_GH, mask_BH, arguments });
        context->saved_data["act"] = act;
        return states.narrow(0, 1, gates.size(0));
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients)
    {
        const variable_list saved = context->get_saved_variables();
        const torch::Tensor &gates = saved[0], &states = saved[1], &u_GH = saved[2],
                            &mask_BH = saved[3];
        const int64_t frames = gates.size(0);
        const int64_t hidden = u_GH.size(1);
        const torch::Tensor value = gates.narrow(2, 0, hidden);
        const torch::Tensor z = gates.narrow(2, hidden, hidden).contiguous();
        const torch::Tensor before = states.narrow(0, 0, frames);
        torch::Tensor candidate = mask_BH.defined() ? value * mask_BH : value;

        // What a gradient of h[t] is multiplied by to become one of a[t] and z[t]: known for all
        // frames at once.
        torch::Tensor factors = torch::empty({ frames, gates.size(1), 2, hidden }, gates.options());
        torch::Tensor slope = derivative(
            value, saved[4], static_cast<Nonlinearity>(context->saved_data["act"].toInt()));
        slope = mask_BH.defined() ? slope * mask_BH : slope;
        factors.select(2, 0).copy_((1 - z) * slope);
        factors.select(2, 1).copy_((before - candidate) * z * (1 - z));

        const torch::Tensor outer = gradients[0].contiguous();
        torch::Tensor gradient = torch::zeros_like(states[0]);
        for (int64_t frame = frames - 1; frame >= 0; --frame) {
            gradient.add_(outer[frame]);
            torch::Tensor gate = factors[frame].mul_(gradient.unsqueeze(1));
            addProduct(gradient.mul_(z[frame]), gate.view({ -1, 2 * hidden }), u_GH);
        }
        const at::ScalarType reduced = u_GH.scalar_type();
        const torch::Tensor gatesGradient = factors.view({ frames, -1, 2 * hidden }).to(reduced);
        const torch::Tensor uGradient
            = gatesGradient.flatten(0, 1).t().mm(before.flatten(0, 1).to(reduced));
        return { gatesGradient, uGradient, {}, {} };
    }
};

} // namespace

torch::Tensor lightGru(const torch::Tensor& gates_TBG, const torch::Tensor& u_GH,
    const torch::Tensor& mask_BH, Nonlinearity act)
{
    // An undefined tensor may not be an argument.
    const auto mask = mask_BH.defined() ? std::optional(mask_BH) : std::nullopt;
    return Loop::apply(
        gates_TBG, u_GH.to(gates_TBG.scalar_type()), mask, static_cast<int64_t>(act));
}

} // namespace earwright::model
