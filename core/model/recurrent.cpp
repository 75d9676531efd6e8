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
        .dropout = config.dropout,
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

/// Consecutive layers that one call of ATen computes.
struct RecurrentWeights::Part {
    std::vector<torch::Tensor> weights;
    int64_t inputSize;
    int64_t layers;
};

RecurrentWeights::Part RecurrentWeights::part(int64_t layer, int64_t count)
{
    const int64_t directions = m_options.bidirectional ? 2 : 1;
    const int64_t each = directions * (m_options.bias ? 4 : 2);
    const auto begin = m_flat.begin() + layer * each;
    return { .weights = { begin, begin + count * each },
        .inputSize = layer == 0 ? m_options.inputSize : m_options.hiddenSize * directions,
        .layers = count };
}

/// cuDNN wants the weights of a call in one block.
void RecurrentWeights::flattenForCudnn(const Part& part) const
{
    const torch::Tensor& first = part.weights.front();
    if (!first.is_cuda() || first.is_alias_of(part.weights.back())
        || !at::cudnn_is_acceptable(first))
        return;
    const torch::NoGradGuard noGrad;
    at::_cudnn_rnn_flatten_weight(part.weights, m_options.bias ? 4 : 2, part.inputSize,
        cudnnMode(m_options.cell), m_options.hiddenSize, 0, part.layers, true,
        m_options.bidirectional);
}

struct RecurrentWeights::Input {
    torch::Tensor data;
    torch::Tensor batchSizes; ///< undefined: `data` is not packed
    int64_t rows;
    bool isTraining;
    torch::Tensor hidden {}; ///< to go on from; undefined: zeros
    torch::Tensor cell {};
};

RecurrentOutput RecurrentWeights::run(
    const torch::Tensor& input_BTF, bool isTraining, const RecurrentOutput& state)
{
    return runAll({ input_BTF, {}, input_BTF.size(0), isTraining, state.hidden, state.cell });
}

RecurrentOutput RecurrentWeights::run(
    const torch::Tensor& data, const torch::Tensor& batchSizes, bool isTraining)
{
    return runAll({ data, batchSizes, batchSizes[0].item().toLong(), isTraining });
}

/// cuDNN's dropout between layers draws from a state of its own, which no checkpoint holds: there
/// each layer is a call, and what is between them draws from the generator of the run.
RecurrentOutput RecurrentWeights::runAll(const Input& input)
{
    if (m_options.dropout == 0)
        return runPart(part(0, m_options.numLayers), input);
    Input next = input;
    const int64_t directions = m_options.bidirectional ? 2 : 1;
    const auto ofLayer = [&](const torch::Tensor& state, int64_t layer) {
        return state.defined() ? state.narrow(0, layer * directions, directions) : state;
    };
    std::vector<torch::Tensor> hidden;
    std::vector<torch::Tensor> cells;
    for (int64_t layer = 0; layer < m_options.numLayers; ++layer) {
        if (layer > 0)
            next.data = torch::dropout(next.data, m_options.dropout, input.isTraining);
        next.hidden = ofLayer(input.hidden, layer);
        next.cell = ofLayer(input.cell, layer);
        const RecurrentOutput of = runPart(part(layer, 1), next);
        next.data = of.output;
        hidden.push_back(of.hidden);
        cells.push_back(of.cell);
    }
    return { .output = next.data,
        .hidden = torch::cat(hidden),
        .cell = m_options.cell == Cell::Lstm ? torch::cat(cells) : torch::Tensor() };
}

RecurrentOutput RecurrentWeights::runPart(const Part& part, const Input& input) const
{
    flattenForCudnn(part);
    const int64_t states = part.layers * (m_options.bidirectional ? 2 : 1);
    const torch::Tensor zeros
        = torch::zeros({ states, input.rows, m_options.hiddenSize }, input.data.options());
    const auto from = [&](const torch::Tensor& state) {
        return state.defined() ? state.to(input.data.scalar_type()) : zeros;
    };
    const auto call = [&](auto function, const auto& state) {
        return input.batchSizes.defined()
            ? function(input.data, input.batchSizes, state, part.weights, m_options.bias,
                part.layers, 0.0, input.isTraining, m_options.bidirectional)
            : function(input.data, state, part.weights, m_options.bias, part.layers, 0.0,
                input.isTraining, m_options.bidirectional, true);
    };
    if (m_options.cell == Cell::Lstm) {
        const auto [output, hidden, cell]
            = call([](auto&&... with) { return torch::lstm(with...); },
                std::vector { from(input.hidden), from(input.cell) });
        return { output, hidden, cell };
    }
    const auto [output, hidden] = m_options.cell == Cell::Gru
        ? call([](auto&&... with) { return torch::gru(with...); }, from(input.hidden))
        : m_options.cell == Cell::RnnRelu
        ? call([](auto&&... with) { return torch::rnn_relu(with...); }, from(input.hidden))
        : call([](auto&&... with) { return torch::rnn_tanh(with...); }, from(input.hidden));
    return { output, hidden, {} };
}

Recurrent::Recurrent(const catalog::RnnConfig& config, Cell cell)
    : m_cell(cell)
    , m_weights(register_module("rnn", std::make_shared<RecurrentWeights>(weightsOf(config, cell))))
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

torch::Tensor Recurrent::prepared(torch::Tensor input) const
{
    if (input.dim() == 4)
        input = input.flatten(2);
    if (m_cell == Cell::Lstm && input.is_cpu()
        && at::autocast::is_autocast_enabled(at::kCPU)) // oneDNN's LSTM wants one type for all
        input = input.to(at::autocast::get_autocast_dtype(at::kCPU));
    return input;
}

RecurrentOutput Recurrent::goOn(torch::Tensor input, const RecurrentOutput& state)
{
    return m_weights->run(prepared(std::move(input)), is_training(), state);
}

RecurrentOutput Recurrent::forwardWithState(torch::Tensor input, torch::Tensor lengths_B)
{
    input = prepared(std::move(input));
    return lengths_B.defined() ? runPacked(input, lengths_B) : m_weights->run(input, is_training());
}

RecurrentOutput Recurrent::runPacked(const torch::Tensor& input, const torch::Tensor& lengths_B)
{
    const torch::Tensor frames = (lengths_B.cpu() * input.size(1)).to(at::kLong);
    const auto packed = torch::nn::utils::rnn::pack_padded_sequence(input, frames, true, false);
    RecurrentOutput result = m_weights->run(packed.data(), packed.batch_sizes(), is_training());
    if (result.cell.defined())
        result.cell = result.cell.index_select(1, packed.unsorted_indices());
    result.hidden = result.hidden.index_select(1, packed.unsorted_indices());
    const torch::nn::utils::rnn::PackedSequence output(
        result.output, packed.batch_sizes(), packed.sorted_indices(), packed.unsorted_indices());
    result.output = std::get<0>(torch::nn::utils::rnn::pad_packed_sequence(output, true));
    return result;
}

} // namespace earwright::model
