#include "core/model/transformer/encoder.h"

#include "core/model/dropout.h"
#include "core/model/transformer/layer_drop.h"

#include <algorithm>

namespace earwright::model {

namespace {

using MakeLayer = std::shared_ptr<EncoderLayer> (*)(const catalog::TransformerAsrConfig&);

MakeLayer layerMaker(const catalog::TransformerAsrConfig& config)
{
    if (config.encoderModule == "transformer")
        return makeTransformerLayer;
    if (config.encoderModule == "conformer")
        return makeConformerLayer;
    TORCH_CHECK(config.encoderModule == "branchformer", "encoder_module '", config.encoderModule,
        "' cannot be built: use transformer, conformer or branchformer");
    return makeBranchformerLayer;
}

class TransformerLayer final : public EncoderLayer {
public:
    explicit TransformerLayer(const catalog::TransformerAsrConfig& config)
        : m_attention(register_module(
            "self_att", makeSelfAttention(config.attentionType, attentionSize(config))))
        , m_feedForward(register_module("pos_ffn",
              std::make_shared<FeedForward>(config.dModel, config.dFfn,
                  ActivationChoice { config.activation, "torch.nn.ReLU" }, config.dropout)))
        , m_norm1(register_module("norm1", std::make_shared<Norm>(config.dModel, 1e-6)))
        , m_norm2(register_module("norm2", std::make_shared<Norm>(config.dModel, 1e-6)))
        , m_dropout(config.dropout)
        , m_normFirst(config.normalizeBefore)
    {
    }

    torch::Tensor forward(const torch::Tensor& x_BTD, const AttentionMask& mask,
        const torch::Tensor& distances_TD) override
    {
        const auto drop
            = [this](const torch::Tensor& x) { return dropped(x, m_dropout, is_training()); };
        if (m_normFirst) {
            const torch::Tensor x
                = x_BTD + drop(m_attention->forward(m_norm1->forward(x_BTD), mask, distances_TD));
            return x + drop(m_feedForward->forward(m_norm2->forward(x)));
        }
        const torch::Tensor x
            = m_norm1->forward(x_BTD + drop(m_attention->forward(x_BTD, mask, distances_TD)));
        return m_norm2->forward(x + drop(m_feedForward->forward(x)));
    }

private:
    std::shared_ptr<SelfAttention> m_attention;
    std::shared_ptr<FeedForward> m_feedForward;
    std::shared_ptr<Norm> m_norm1;
    std::shared_ptr<Norm> m_norm2;
    double m_dropout;
    bool m_normFirst;
};

} // namespace

AttentionSize attentionSize(const catalog::TransformerAsrConfig& config)
{
    return { config.dModel, config.nhead, config.dropout, config.mixingSize() };
}

bool isCausal(const catalog::TransformerAsrConfig& config)
{
    return config.causal.value_or(true);
}

std::shared_ptr<EncoderLayer> makeTransformerLayer(const catalog::TransformerAsrConfig& config)
{
    return std::make_shared<TransformerLayer>(config);
}

Encoder::Encoder(std::vector<std::shared_ptr<EncoderLayer>> layers, int64_t width, double layerDrop)
    : m_layers(std::move(layers))
    , m_norm(register_module("norm", std::make_shared<Norm>(width, 1e-6)))
    , m_width(width)
    , m_layerDrop(layerDrop)
{
    const auto list = register_module("layers", std::make_shared<torch::nn::Module>());
    for (size_t i = 0; i < m_layers.size(); ++i)
        list->register_module(std::to_string(i), m_layers[i]);
}

torch::Tensor Encoder::forward(
    torch::Tensor x_BTD, const AttentionMask& mask, const torch::Tensor& distances_TD)
{
    const std::vector<bool> isDropped
        = droppedLayers(std::ssize(m_layers), is_training() ? m_layerDrop : 0);
    for (size_t i = 0; i < m_layers.size(); ++i)
        if (!isDropped[i])
            x_BTD = m_layers[i]->forward(x_BTD, mask, distances_TD);
    return m_norm->forward(x_BTD);
}

torch::Tensor Encoder::forward(torch::Tensor x_BTD, torch::Tensor lengths_B)
{
    return forward(x_BTD, { keyPadding(lengths_B, x_BTD.size(1)), {} }, {});
}

bool dropsLayers(const torch::nn::Module& module)
{
    const auto parts = module.modules();
    return std::any_of(parts.begin(), parts.end(), [](const auto& part) {
        const auto* encoder = dynamic_cast<const Encoder*>(part.get());
        return encoder && encoder->layerDrop() > 0;
    });
}

std::shared_ptr<Encoder> makeEncoder(const catalog::TransformerAsrConfig& config)
{
    const MakeLayer make = layerMaker(config);
    std::vector<std::shared_ptr<EncoderLayer>> layers;
    for (int64_t i = 0; i < config.numEncoderLayers; ++i)
        layers.push_back(make(config));
    return std::make_shared<Encoder>(std::move(layers), config.dModel, config.layerdropProb);
}

} // namespace earwright::model
