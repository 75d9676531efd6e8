#include "core/model/torch_layers.h"

#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/utils/rnn.h>

namespace earwright::model {

TorchLinear::TorchLinear(const catalog::TorchLinearConfig& config)
    : m_weights(torch::nn::LinearOptions(config.inFeatures, config.outFeatures).bias(config.bias))
{
    for (const auto& parameter : m_weights->named_parameters())
        register_parameter(parameter.key(), parameter.value());
}

torch::Tensor TorchLinear::forward(torch::Tensor input, torch::Tensor)
{
    return m_weights->forward(input);
}

void TorchLinear::adapt(const MakeAdapter& make)
{
    m_weights->adapt(make);
    parameters_.clear();
    for (const auto& part : m_weights->named_children())
        register_module(part.key(), part.value());
}

TorchEmbedding::TorchEmbedding(const catalog::TorchEmbeddingConfig& config)
    : m_weight(register_parameter("weight",
        torch::nn::Embedding(torch::nn::EmbeddingOptions(config.numEmbeddings, config.embeddingDim))
            ->weight))
{
}

torch::Tensor TorchEmbedding::forward(torch::Tensor input, torch::Tensor)
{
    return torch::embedding(m_weight, input);
}

TorchLstm::TorchLstm(const catalog::TorchLstmConfig& config)
    : m_config(config)
    , m_weights(std::make_shared<RecurrentWeights>(RecurrentWeights::Options { .cell = Cell::Lstm,
          .inputSize = config.inputSize,
          .hiddenSize = config.hiddenSize,
          .numLayers = config.numLayers,
          .bias = config.bias,
          .bidirectional = config.bidirectional,
          .dropout = config.dropout,
          .orthogonal = false }))
{
    TORCH_CHECK(config.batchFirst, "Earwright builds an LSTM with batch_first: True");
    for (const auto& parameter : m_weights->named_parameters())
        register_parameter(parameter.key(), parameter.value());
}

/// pack_padded_sequence() would sort by itself and wait for a GPU with each of its indices.
torch::Tensor TorchLstm::run(const torch::Tensor& x_BTF, const torch::Tensor& counts_B)
{
    const auto [sorted_B, order_B] = counts_B.sort(-1, /*descending=*/true);
    const auto onDevice = [&](const torch::Tensor& places_B) {
        return places_B.to(x_BTF.device(), /*non_blocking=*/true);
    };
    const auto packed = torch::nn::utils::rnn::pack_padded_sequence(
        x_BTF.index_select(0, onDevice(order_B)), sorted_B, /*batch_first=*/true);
    const torch::nn::utils::rnn::PackedSequence output(
        m_weights->run(packed.data(), packed.batch_sizes(), is_training()).output,
        packed.batch_sizes());
    const torch::Tensor y_BTH
        = std::get<0>(torch::nn::utils::rnn::pad_packed_sequence(output, /*batch_first=*/true));
    return y_BTH.index_select(0, onDevice(order_B.argsort()));
}

torch::Tensor TorchLstm::forward(torch::Tensor input, torch::Tensor lengths_B)
{
    const int64_t frames = input.size(1);
    const torch::Tensor counts_B = lengths_B.defined()
        ? (lengths_B.cpu() * frames).round().to(torch::kLong).clamp_min(1)
        : torch::full({ input.size(0) }, frames, torch::kLong);
    const torch::Tensor y = run(input, counts_B);
    return torch::constant_pad_nd(y, { 0, 0, 0, frames - y.size(1) });
}

} // namespace earwright::model
