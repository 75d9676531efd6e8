#pragma once

#include "core/catalog/configs/convolution.h"
#include "core/model/container.h"

namespace earwright::model {

/// One block of a ConvolutionFrontEnd: children `convs` and, with a residual branch, `reduce_conv`.
class ConvBlock final : public Layer {
public:
    ConvBlock(std::shared_ptr<Sequential> convolutions, std::shared_ptr<Sequential> reduction,
        double dropout);
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;

private:
    std::shared_ptr<Sequential> m_convolutions;
    std::shared_ptr<Sequential> m_reduction; ///< null without a residual branch
    std::shared_ptr<Layer> m_dropout;
};

/// speechbrain.lobes.models.convolution.ConvolutionFrontEnd: [batch, time, features] -> [batch,
/// time', features', channels], or [batch, time', channels] with conv_module Conv1d. Children
/// convblock_0, convblock_1, …
class ConvolutionFrontEnd final : public Sequential {
public:
    explicit ConvolutionFrontEnd(const catalog::ConvolutionFrontEndConfig& config);
};

} // namespace earwright::model
