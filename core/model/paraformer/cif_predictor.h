#pragma once

#include "core/catalog/configs/paraformer.h"
#include "core/model/layer.h"
#include "core/model/paraformer/cif.h"
#include "core/model/projection.h"

#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/rnn.h>

// Shapes: B rows, T encoder frames (with a tail one more), D width, U tokens.

namespace earwright::model {

struct CifPrediction {
    torch::Tensor embeds_BUD; ///< acoustic embeddings
    torch::Tensor tokens_B; ///< how many tokens the weights say; with a tail the whole number
    torch::Tensor alphas_BT; ///< weights, scaled to the targets in training; with a tail one more
    torch::Tensor peaks_BT; ///< the integral at each frame; one that fires has 1 or more
    torch::Tensor tokens2_B; ///< of CifPredictorV3's finer frames; else undefined
};

/// Tokens that a row is known to have, in training.
struct TokenTargets {
    torch::Tensor counts_B;
    std::optional<int64_t> most; ///< the largest of them, if the host knows it: spares a read
};

/// Which of FunASR's predictors: they differ in their convolution (V1: depthwise with residual and
/// dropout) and in how they integrate (V2: from sums, cifFromSums).
enum class CifVersion { V1, V2, V3 };

/// funasr.models.paraformer.cif_predictor.CifPredictor and CifPredictorV2: a weight for each
/// encoder frame; tokens are where the weights add up to 1. In float32 under every precision.
/// Children cif_conv1d, cif_output.
class CifPredictor : public Layer {
public:
    CifPredictor(const catalog::CifPredictorConfig& config, CifVersion version);

    /// The acoustic embeddings that decoding gives; lengths_B relative.
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;

    /// hidden_BTD: idim wide. valid_BT: bool. With targets the weights are scaled to them; without,
    /// tail_threshold is added after the last frame and tokens are counted from the device.
    virtual CifPrediction predict(const torch::Tensor& hidden_BTD, const torch::Tensor& valid_BT,
        const std::optional<TokenTargets>& targets = {});

protected:
    torch::Tensor query(const torch::Tensor& hidden_BDT);
    CifPrediction predictBy(const torch::Tensor& query_BDT, const torch::Tensor& hidden_BTD,
        const torch::Tensor& valid_BT, const std::optional<TokenTargets>& targets);

private:
    CifFrames integrate(const torch::Tensor& hidden_BTD, const torch::Tensor& alphas_BT,
        std::optional<int64_t> tokens) const;
    torch::Tensor withTail(const torch::Tensor& alphas_BT, const torch::Tensor& valid_BT) const;

    catalog::CifPredictorConfig m_config;
    CifVersion m_version;
    torch::nn::Conv1d m_convolution = nullptr;
    Projection m_output = nullptr;
};

/// Weights and integrals for the times of tokens.
struct TokenTimes {
    torch::Tensor alphas_BT;
    torch::Tensor peaks_BT;
    torch::Tensor fineAlphas_BT; ///< upsample_times as many frames
    torch::Tensor finePeaks_BT;
};

/// funasr.models.bicif_paraformer.cif_predictor.CifPredictorV3: a second head counts tokens on
/// frames that are upsample_times finer, for their times. Children upsample_cnn, blstm,
/// cif_output2.
class CifPredictorV3 final : public CifPredictor {
public:
    /// Throws c10::Error for upsample_type "cnn_attn".
    explicit CifPredictorV3(const catalog::CifPredictorV3Config& config);
    CifPrediction predict(const torch::Tensor& hidden_BTD, const torch::Tensor& valid_BT,
        const std::optional<TokenTargets>& targets = {}) override;
    /// get_upsample_timestamp. tokens_B: what the fine weights are scaled to.
    TokenTimes times(const torch::Tensor& hidden_BTD, const torch::Tensor& valid_BT,
        const torch::Tensor& tokens_B);

private:
    torch::Tensor fineAlphas(const torch::Tensor& hidden_BDT, const torch::Tensor& query_BDT,
        const torch::Tensor& valid_BT);

    catalog::CifPredictorV3Config m_config;
    torch::nn::ConvTranspose1d m_upsample = nullptr;
    torch::nn::LSTM m_recurrent = nullptr;
    Projection m_output2 = nullptr;
};

} // namespace earwright::model
