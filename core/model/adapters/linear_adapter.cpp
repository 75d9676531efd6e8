#include "core/model/adapters/linear_adapter.h"

#include "core/catalog/configs/adapters.h"
#include "core/model/activation.h"
#include "core/model/autocast_off.h"
#include "core/model/projection.h"

#include <torch/nn/init.h>

namespace earwright::model {

namespace {

/// The weights of a linear map, by torch.nn.Linear's names.
class Pretrained final : public torch::nn::Module {
public:
    explicit Pretrained(const LinearWeights& given)
        : m_weight_OI(keep("weight", given.weight_OI))
        , m_bias_O(given.bias_O.defined() ? keep("bias", given.bias_O) : torch::Tensor())
    {
    }

    torch::Tensor forward(const torch::Tensor& input) const
    {
        return torch::linear(input, m_weight_OI, m_bias_O);
    }
    const torch::Tensor& weight() const { return m_weight_OI; }
    const torch::Tensor& bias() const { return m_bias_O; }

private:
    torch::Tensor keep(const char* name, const torch::Tensor& tensor)
    {
        return register_parameter(name, tensor, tensor.requires_grad());
    }

    torch::Tensor m_weight_OI;
    torch::Tensor m_bias_O;
};

class Lora final : public LinearAdapter {
public:
    Lora(const catalog::LoraAdapterConfig& config, const LinearWeights& given)
        : m_scale(config.alpha / static_cast<double>(config.rank))
        , m_pretrained(register_module("pretrained_module", std::make_shared<Pretrained>(given)))
    {
        const torch::Tensor& weight_OI = m_pretrained->weight();
        m_down = register_module("adapter_down_proj", layer(weight_OI.size(1), config.rank));
        m_up = register_module("adapter_up_proj", layer(config.rank, weight_OI.size(0)));
        torch::nn::init::zeros_(m_up->weight);
        for (torch::Tensor& parameter : m_pretrained->parameters())
            parameter.set_requires_grad(false);
    }

    torch::Tensor forward(const torch::Tensor& input) override
    {
        return torch::add(m_pretrained->forward(input), m_up(m_down(input)), m_scale);
    }

    torch::Tensor weight() const override
    {
        const torch::Tensor& weight_OI = m_pretrained->weight();
        const AutocastOff full(weight_OI.device().type());
        return torch::addmm(weight_OI, m_up->weight, m_down->weight, 1, m_scale);
    }
    torch::Tensor bias() const override { return m_pretrained->bias(); }

private:
    static Projection layer(int64_t inputs, int64_t outputs)
    {
        return Projection(torch::nn::LinearOptions(inputs, outputs).bias(false));
    }

    double m_scale;
    std::shared_ptr<Pretrained> m_pretrained;
    Projection m_down = nullptr;
    Projection m_up = nullptr;
};

class HoulsbyAdapter final : public LinearAdapter {
public:
    HoulsbyAdapter(const catalog::HoulsbyAdapterConfig& config, const LinearWeights& given)
        : m_pretrained(register_module("pretrained_linear", std::make_shared<Pretrained>(given)))
    {
        const int64_t width = m_pretrained->weight().size(0);
        const int64_t inner = config.projectionSize;
        const auto layer = [&](int64_t inputs, int64_t outputs) {
            return Projection(torch::nn::LinearOptions(inputs, outputs).bias(config.bias));
        };
        m_down = register_module("adapter_down_proj", layer(width, inner));
        m_up = register_module("adapter_up_proj", layer(inner, width));
        m_act = register_module(
            "activation", makeActivation(config.activation, "speechbrain.nnet.activations.Swish"));
        if (config.bias)
            for (const Projection& one : { m_down, m_up })
                torch::nn::init::zeros_(one->bias);
    }

    torch::Tensor forward(const torch::Tensor& input) override
    {
        const torch::Tensor y = m_pretrained->forward(input);
        return m_up(m_act->forward(m_down(y))) + y;
    }

    torch::Tensor weight() const override
    {
        TORCH_CHECK(false,
            "HoulsbyAdapterLinear is no linear map, which the recurrent weights 'u' of a LiGRU "
            "must be: name the layers to adapt in target_layers without them, or take LoRA");
    }
    torch::Tensor bias() const override { return m_pretrained->bias(); }

private:
    std::shared_ptr<Pretrained> m_pretrained;
    Projection m_down = nullptr;
    Projection m_up = nullptr;
    std::shared_ptr<Layer> m_act;
};

} // namespace

MakeAdapter loraMaker(const catalog::LoraAdapterConfig& config)
{
    return [config](const LinearWeights& given) { return std::make_shared<Lora>(config, given); };
}

MakeAdapter houlsbyMaker(const catalog::HoulsbyAdapterConfig& config)
{
    return [config](const LinearWeights& given) {
        return std::make_shared<HoulsbyAdapter>(config, given);
    };
}

} // namespace earwright::model
