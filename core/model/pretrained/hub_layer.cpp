#include "core/model/pretrained/hub_layer.h"

#include <torch/utils.h>

namespace earwright::model {

void HubLayer::takeWeights(
    torch::nn::Module& model, const HubWeights& weights, const std::string& source)
{
    m_lacksWeights = weights.areInCheckpoint;
    if (m_lacksWeights)
        return;
    const Result<Names> told = loadHubWeights(model, weights);
    TORCH_CHECK(told, "source '", source, "': ", told.error().message);
    m_told.insert(m_told.end(), told->begin(), told->end());
}

} // namespace earwright::model
