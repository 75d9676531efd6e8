#pragma once

#include "core/catalog/configs/recurrent.h"
#include "core/model/layer.h"

#include <torch/nn/module.h>

namespace earwright::model {

enum class Cell { Lstm, Gru, RnnTanh, RnnRelu };

/// What a recurrent layer returns. Undefined `cell` except for an LSTM.
struct RecurrentOutput {
    torch::Tensor output; ///< [batch, time, hidden * directions]
    torch::Tensor hidden; ///< [layers * directions, batch, hidden]
    torch::Tensor cell;
};

/// A multi-layer recurrent network under PyTorch's names (weight_ih_l0, weight_hh_l0, …, _reverse),
/// drawn as torch.nn.LSTM does.
class RecurrentWeights final : public torch::nn::Module {
public:
    struct Options {
        Cell cell = Cell::Lstm;
        int64_t inputSize = 0;
        int64_t hiddenSize = 0;
        int64_t numLayers = 1;
        bool bias = true;
        bool bidirectional = false;
        double dropout = 0; ///< between layers
        bool orthogonal = true; ///< recurrent weights
    };
    explicit RecurrentWeights(const Options& options);

    /// Over [batch, time, features], from a state of zeros or from `state`, an earlier call's.
    RecurrentOutput run(
        const torch::Tensor& input_BTF, bool isTraining, const RecurrentOutput& state = {});
    /// Over a packed sequence's data, as ATen's functions take it; `output` is packed too.
    RecurrentOutput run(
        const torch::Tensor& data, const torch::Tensor& batchSizes, bool isTraining);

private:
    struct Input;
    struct Part;

    void addDirection(int64_t layer, bool reverse);
    Part part(int64_t layer, int64_t count);
    void flattenForCudnn(const Part& part) const;
    RecurrentOutput runAll(const Input& input);
    RecurrentOutput runPart(const Part& part, const Input& input) const;

    Options m_options;
    std::vector<torch::Tensor> m_flat; ///< in ATen's order
};

/// speechbrain.nnet.RNN.LSTM, GRU and RNN over [batch, time, features] or [batch, time, features,
/// channels]; child `rnn`.
class Recurrent final : public Layer {
public:
    explicit Recurrent(const catalog::LstmConfig& config);
    explicit Recurrent(const catalog::GruConfig& config);
    explicit Recurrent(const catalog::RnnConfig& config);
    /// Of another cell, whatever `nonlinearity` says.
    Recurrent(const catalog::RnnConfig& config, Cell cell);

    /// As many frames as the input has, those beyond a row's length zero: lengths stay shares of
    /// all frames where a part of a batch lacks the longest row.
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;
    /// As upstream: with lengths the output ends with the longest row. Lengths are truncated to
    /// whole frames, not rounded.
    RecurrentOutput forwardWithState(torch::Tensor input, torch::Tensor lengths_B);
    /// From the state that an earlier call gave; from zeros where its tensors are undefined.
    RecurrentOutput goOn(torch::Tensor input, const RecurrentOutput& state);

private:
    torch::Tensor prepared(torch::Tensor input) const;
    RecurrentOutput runPacked(const torch::Tensor& input, const torch::Tensor& lengths_B);

    Cell m_cell;
    std::shared_ptr<RecurrentWeights> m_weights;
};

} // namespace earwright::model
