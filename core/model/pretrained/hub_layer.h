#pragma once

#include "core/base/names.h"
#include "core/model/layer.h"
#include "core/model/pretrained/hub_weights.h"

namespace earwright::model {

/// A layer whose weights a folder of the Hub holds.
class HubLayer : public Layer {
public:
    /// What the user should know of the weights and of what is frozen, a sentence each.
    const Names& told() const { return m_told; }
    /// Whether training leaves layers of it out now and then, which then have no gradients.
    virtual bool dropsLayers() const = 0;
    /// Its folder is what a run kept of it (settings::kKeptSource): a checkpoint must give them.
    bool lacksWeights() const { return m_lacksWeights; }

protected:
    void tell(std::string sentence) { m_told.push_back(std::move(sentence)); }
    /// Copies a folder's weights into `model`. Throws c10::Error, which names the source.
    void takeWeights(
        torch::nn::Module& model, const HubWeights& weights, const std::string& source);

private:
    Names m_told;
    bool m_lacksWeights = false;
};

} // namespace earwright::model
