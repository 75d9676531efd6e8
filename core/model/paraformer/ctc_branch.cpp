#include "core/model/paraformer/ctc_branch.h"

#include "core/model/dropout.h"

namespace earwright::model {

CtcBranch::CtcBranch(const catalog::FunasrCtcConfig& config)
    : m_dropout(config.dropoutRate)
{
    TORCH_CHECK(config.extraLinear, "CTC needs extra_linear: True");
    TORCH_CHECK(config.ctcType == "builtin", "CTC needs ctc_type: builtin");
    m_linear = register_module("ctc_lo", Projection(config.encoderOutputSize, config.odim));
}

torch::Tensor CtcBranch::forward(torch::Tensor input, torch::Tensor)
{
    return m_linear(dropped(input, m_dropout, is_training()));
}

} // namespace earwright::model
