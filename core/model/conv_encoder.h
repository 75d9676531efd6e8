#pragma once

#include "core/catalog/configs/conv_encoder.h"
#include "core/model/container.h"

namespace kymo::model {

/// kymo.models.ConvEncoder: an encoder for small tasks that trains fast on a CPU. [batch, time,
/// features] -> [batch, ceil(time / subsampling), channels]. The front is one strided convolution
/// per factor of two of `subsampling`, each with GELU; a block is x +
/// dropout(pointwise(gelu(conv(norm(x))))), where `pointwise` asks for that one, without which a
/// block hardly takes anything away. There is no other normalisation: one behind the blocks holds a
/// CTC model for long on the plateau where it predicts blanks alone. Convolutions see zeros past a
/// row's end, as past the batch's. Children front.N.conv, blocks.N.{norm,conv,pointwise}.
class ConvEncoder final : public Layer {
public:
    explicit ConvEncoder(const catalog::ConvEncoderConfig& config);
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;

private:
    std::shared_ptr<Sequential> m_front;
    std::shared_ptr<Sequential> m_blocks;
};

} // namespace kymo::model
