#pragma once

#include "core/catalog/configs/paraformer.h"
#include "core/model/projection.h"

#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/normalization.h>

// Shapes: B rows, T frames, U tokens, I features that come in, D width, H heads.

namespace earwright::model {

struct SanmSize {
    int64_t inputs = 256; ///< features that come in
    int64_t width = 256;
    int64_t heads = 4;
    int64_t kernelSize = 11; ///< frames of the memory
    int64_t shift = 0; ///< frames that the memory looks further back
    double dropout = 0;
};

/// FSMN's memory (Zhang et al. 2018): each channel plus a weighted sum of its neighbours in time.
/// funasr.models.sanm.attention.MultiHeadedAttentionSANMDecoder; child fsmn_block.
class FsmnMemory : public torch::nn::Module {
public:
    explicit FsmnMemory(const SanmSize& size);
    /// valid_BT: bool. Frames that are not valid neither enter nor come out: they are 0.
    torch::Tensor remember(const torch::Tensor& x_BTD, const torch::Tensor& valid_BT);

private:
    SanmSize m_size;
    torch::nn::Conv1d m_memory = nullptr;
};

/// Self-attention plus the memory of its values (Gao et al. 2020, "San-m").
/// funasr.models.sanm.attention.MultiHeadedAttentionSANM; children linear_q_k_v, linear_out.
class SanmAttention final : public FsmnMemory {
public:
    /// Throws c10::Error where heads do not divide the width.
    explicit SanmAttention(const SanmSize& size);
    /// x: [batch, time, inputs] -> [batch, time, width].
    torch::Tensor forward(const torch::Tensor& x_BTI, const torch::Tensor& valid_BT);

private:
    SanmSize m_size;
    Projection m_out = nullptr;
    Projection m_queryKeyValue = nullptr;
};

struct Attended {
    torch::Tensor y_BUD;
    torch::Tensor weights_BHUT; ///< what was looked at; rows add up to 1
};

/// Attention of tokens to the encoder: funasr.models.sanm.attention.MultiHeadedAttentionCrossAtt;
/// children linear_q, linear_k_v (keys first), linear_out.
class CrossAttention final : public torch::nn::Module {
public:
    explicit CrossAttention(const SanmSize& size);
    Attended forward(
        const torch::Tensor& x_BUD, const torch::Tensor& memory_BTD, const torch::Tensor& valid_BT);

private:
    SanmSize m_size;
    Projection m_query = nullptr;
    Projection m_keyValue = nullptr;
    Projection m_out = nullptr;
};

/// Whether low-rank adaptation is asked for.
inline bool hasLora(const catalog::LoraConfig& config)
{
    return config.list && !recipe::isNull(*config.list);
}

inline constexpr double kSanmNormEps = 1e-12; ///< of FunASR's LayerNorm; torch's is 1e-5
torch::nn::LayerNorm sanmNorm(int64_t width, double eps = kSanmNormEps);

} // namespace earwright::model
