#pragma once

#include "core/catalog/configs/conv_encoder.h"
#include "core/model/container.h"

namespace earwright::model {

/// earwright.models.ConvEncoder: an encoder for small tasks that trains fast on a CPU. [batch,
/// time, features] -> [batch, ceil(time / subsampling), channels]. The front is one strided
/// convolution per factor of two of `subsampling`, each with normalisation and GELU; a block is x +
/// dropout(pointwise(gelu(conv(norm(x))))), where `pointwise` asks for that one, without which a
/// block hardly takes anything away; layernorm ends the encoder too. With `normalize_ends: False`
/// the blocks alone normalise, by which a model leaves the plateau where CTC predicts blanks alone
/// several times sooner, and ends a little worse on a small set that leaves it at once.
/// Convolutions see zeros past a row's end, as past the batch's, unless `mask_padding: False` lets
/// them see the padding. Children front.N.{conv,norm},
/// blocks.N.{norm,conv,pointwise}, norm.
class ConvEncoder final : public Layer {
public:
    explicit ConvEncoder(const catalog::ConvEncoderConfig& config);
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;
    bool hidesPadding() const override { return m_isMasked; }

private:
    bool m_isMasked;
    std::shared_ptr<Sequential> m_front;
    std::shared_ptr<Sequential> m_blocks;
    std::shared_ptr<Layer> m_norm; ///< null = none
};

} // namespace earwright::model
