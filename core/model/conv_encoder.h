#pragma once

#include "core/catalog/configs/conv_encoder.h"
#include "core/model/container.h"

namespace kymo::model {

/// kymo.models.ConvEncoder: an encoder for small tasks that trains fast on a CPU. [batch, time,
/// features] -> [batch, ceil(time / subsampling), channels]. The front is one strided convolution
/// per factor of two of `subsampling`, each with normalisation and GELU; a block is x +
/// dropout(pointwise(gelu(conv(norm(x))))), where `pointwise` asks for that one, without which a
/// block hardly takes anything away. `normalization` is of front and blocks; layernorm ends the
/// encoder too. With batchnorm, and nothing at the end, a model of many characters leaves the
/// plateau where it predicts blanks alone several times sooner. Convolutions pad with zeros.
/// Children front.{conv_N,norm_N}, blocks.N.{norm,conv,pointwise}, norm.
class ConvEncoder final : public Layer {
public:
    explicit ConvEncoder(const catalog::ConvEncoderConfig& config);
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;

private:
    void appendFront(const catalog::ConvEncoderConfig& config);

    std::shared_ptr<Sequential> m_front;
    std::shared_ptr<Sequential> m_blocks;
    std::shared_ptr<Layer> m_norm; ///< null = none
};

} // namespace kymo::model
