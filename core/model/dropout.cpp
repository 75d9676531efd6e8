#include "core/model/dropout.h"

namespace kymo::model {

torch::Tensor Dropout::forward(torch::Tensor input, torch::Tensor)
{
    if (!is_training() || m_rate == 0)
        return input;
    return torch::dropout(input, m_rate, true);
}

torch::Tensor Dropout2d::forward(torch::Tensor input, torch::Tensor)
{
    if (!is_training() || m_rate == 0)
        return input;
    TORCH_CHECK(input.dim() == 4, "Dropout2d takes [batch, time, features, channels]");
    torch::Tensor mask = torch::empty({ input.size(0), 1, input.size(2), 1 }, input.options());
    mask.bernoulli_(1 - m_rate);
    return input * (m_rate < 1 ? mask.div_(1 - m_rate) : mask);
}

} // namespace kymo::model
