#include "core/model/recurrent.h"

#include "core/model/linear.h"

#include <ATen/autocast_mode.h>
#include <ATen/ops/_cudnn_rnn_flatten_weight.h>
#include <torch/nn/init.h>
#include <torch/nn/utils/rnn.h>
#include <torch/utils.h>

namespace earwright::model {

namespace {

int64_t gatesOf(Cell cell)
{
    return cell == Cell::Lstm ? 4 : cell == Cell::Gru ? 3 : 1;
}

/// cudnnRNNMode_t
int64_t cudnnMode(Cell cell)
{
    switch (cell) {
    case Cell::RnnRelu:
        return 0;
    case Cell::RnnTanh:
        return 1;
    case Cell::Lstm:
        return 2;
    case Cell::Gru:
        return 3;
    }
    return 2;
}

catalog::RnnConfig common(const catalog::LstmConfig& config)
{
    return { .hiddenSize = config.hiddenSize,
        .inputShape = config.inputShape,
        .inputSize = config.inputSize,
        .nonlinearity = "",
        .numLayers = config.numLayers,
        .bias = config.bias,
        .dropout = config.dropout,
        .reInit = config.reInit,
        .bidirectional = config.bidirectional };
}

RecurrentWeights::Options weightsOf(const catalog::RnnConfig& config, Cell cell)
{
    return { .cell = cell,
        .inputSize = inputFeatures(config.inputSize, config.inputShape, 2),
        .hiddenSize = config.hiddenSize,
        .numLayers = config.numLayers,
        .bias = config.bias,
        .bidirectional = config.bidirectional,
        .orthogonal = config.reInit };
}

} // namespace

RecurrentWeights::RecurrentWeights(const Options& options)
    : m_options(options)
{
    for (int64_t layer = 0; layer < options.numLayers; ++layer) {
        addDirection(layer, false);
        if (options.bidirectional)
            addDirection(layer, true);
    }
    for (const auto& parameter : named_parameters(false))
        if (options.orthogonal && parameter.key().starts_with("weight_hh"))
            torch::nn::init::orthogonal_(parameter.value());
}

void RecurrentWeights::addDirection(int64_t layer, bool reverse)
{
    const int64_t rows = gatesOf(m_options.cell) * m_options.hiddenSize;
    const int64_t directions = m_options.bidirectional ? 2 : 1;
    const int64_t inputs = layer == 0 ? m_options.inputSize : m_options.hiddenSize * directions;
    const std::string suffix = "_l" + std::to_string(layer) + (reverse ? "_reverse" : "");
    const double bound = 1 / std::sqrt(static_cast<double>(m_options.hiddenSize));
    const auto add = [&](const char* name, at::IntArrayRef sizes) {
        m_flat.push_back(
            register_parameter(name + suffix, torch::empty(sizes).uniform_(-bound, bound)));
    };
    add("weight_ih", { rows, inputs });
    add("weight_hh", { rows, m_options.hiddenSize });
    if (m_options.bias) {
        add("bias_ih", { rows });
        add("bias_hh", { rows });
    }
}

const std::vector<torch::Tensor>& RecurrentWeights::flat()
{
    const bool scattered = m_flat.front().is_cuda() && !m_flat.front().is_alias_of(m_flat.back());
    if (scattered && at::cudnn_is_acceptable(m_flat.front()))
        flattenForCudnn();
    return m_flat;
}

void RecurrentWeights::flattenForCudnn()
{
    const torch::NoGradGuard noGrad;
    at::_cudnn_rnn_flatten_weight(m_flat, m_options.bias ? 4 : 2, m_options.inputSize,
        cudnnMode(m_options.cell), m_options.hiddenSize, 0, m_options.numLayers, true,
        m_options.bidirectional);
}

Recurrent::Recurrent(const catalog::RnnConfig& config, Cell cell)
    : m_options(weightsOf(config, cell))
    , m_dropout(config.dropout)
    , m_weights(register_module("rnn", std::make_shared<RecurrentWeights>(m_options)))
{
}

Recurrent::Recurrent(const catalog::LstmConfig& config)
    : Recurrent(common(config), Cell::Lstm)
{
}

Recurrent::Recurrent(const catalog::GruConfig& config)
    : Recurrent(common(config), Cell::Gru)
{
}

Recurrent::Recurrent(const catalog::RnnConfig& config)
    : Recurrent(config, config.nonlinearity == "relu" ? Cell::RnnRelu : Cell::RnnTanh)
{
}

torch::Tensor Recurrent::forward(torch::Tensor input, torch::Tensor lengths_B)
{
    const int64_t frames = input.size(1);
    const torch::Tensor output = forwardWithState(std::move(input), std::move(lengths_B)).output;
    return output.size(1) == frames
        ? output
        : torch::constant_pad_nd(output, { 0, 0, 0, frames - output.size(1) });
}

RecurrentOutput Recurrent::forwardWithState(torch::Tensor input, torch::Tensor lengths_B)
{
    if (input.dim() == 4)
        input = input.flatten(2);
    if (m_options.cell == Cell::Lstm && input.is_cpu()
        && at::autocast::is_autocast_enabled(at::kCPU)) // oneDNN's LSTM wants one type for all
        input = input.to(at::autocast::get_autocast_dtype(at::kCPU));
    const std::vector<torch::Tensor> state = zeroState(input);
    return lengths_B.defined() ? runPacked(input, lengths_B, state) : run(input, state);
}

std::vector<torch::Tensor> Recurrent::zeroState(const torch::Tensor& input) const
{
    const int64_t rows = m_options.numLayers * (m_options.bidirectional ? 2 : 1);
    const torch::Tensor zeros
        = torch::zeros({ rows, input.size(0), m_options.hiddenSize }, input.options());
    return m_options.cell == Cell::Lstm ? std::vector { zeros, zeros } : std::vector { zeros };
}

RecurrentOutput Recurrent::run(const torch::Tensor& input, const std::vector<torch::Tensor>& state)
{
    const auto& weights = m_weights->flat();
    const auto& [cell, inputs, hiddenSize, layers, bias, bidirectional, orthogonal] = m_options;
    const bool training = is_training();
    if (cell == Cell::Lstm) {
        const auto [output, hidden, last] = torch::lstm(
            input, state, weights, bias, layers, m_dropout, training, bidirectional, true);
        return { output, hidden, last };
    }
    using Function = std::tuple<torch::Tensor, torch::Tensor> (*)(const torch::Tensor&,
        const torch::Tensor&, at::TensorList, bool, int64_t, double, bool, bool, bool);
    const Function function = cell == Cell::Gru ? static_cast<Function>(torch::gru)
        : cell == Cell::RnnRelu                 ? static_cast<Function>(torch::rnn_relu)
                                                : static_cast<Function>(torch::rnn_tanh);
    const auto [output, hidden] = function(
        input, state[0], weights, bias, layers, m_dropout, training, bidirectional, true);
    return { output, hidden, {} };
}

RecurrentOutput Recurrent::runPacked(const torch::Tensor& input, const torch::Tensor& lengths_B,
    const std::vector<torch::Tensor>& state)
{
    const torch::Tensor frames = (lengths_B.cpu() * input.size(1)).to(at::kLong);
    const auto packed = torch::nn::utils::rnn::pack_padded_sequence(input, frames, true, false);
    const auto& weights = m_weights->flat();
    const auto& [cell, inputs, hiddenSize, layers, bias, bidirectional, orthogonal] = m_options;
    const bool training = is_training();
    RecurrentOutput result;
    torch::Tensor data;
    if (cell == Cell::Lstm) {
        std::tie(data, result.hidden, result.cell) = torch::lstm(packed.data(),
            packed.batch_sizes(), state, weights, bias, layers, m_dropout, training, bidirectional);
        result.cell = result.cell.index_select(1, packed.unsorted_indices());
    } else {
        using Function = std::tuple<torch::Tensor, torch::Tensor> (*)(const torch::Tensor&,
            const torch::Tensor&, const torch::Tensor&, at::TensorList, bool, int64_t, double, bool,
            bool);
        const Function function = cell == Cell::Gru ? static_cast<Function>(torch::gru)
            : cell == Cell::RnnRelu                 ? static_cast<Function>(torch::rnn_relu)
                                                    : static_cast<Function>(torch::rnn_tanh);
        std::tie(data, result.hidden) = function(packed.data(), packed.batch_sizes(), state[0],
            weights, bias, layers, m_dropout, training, bidirectional);
    }
    result.hidden = result.hidden.index_select(1, packed.unsorted_indices());
    const torch::nn::utils::rnn::PackedSequence output(
        data, packed.batch_sizes(), packed.sorted_indices(), packed.unsorted_indices());
    result.output = std::get<0>(torch::nn::utils::rnn::pad_packed_sequence(output, true));
    return result;
}

} // namespace earwright::model
