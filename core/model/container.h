#pragma once

#include "core/catalog/configs/container.h"
#include "core/model/layer_set.h"

#include <string>
#include <vector>

namespace earwright::model {

/// speechbrain.nnet.containers.Sequential: each layer takes the output of the one before.
class Sequential : public Layer {
public:
    /// Without a name the layer is called by its place ("0", "1", …). A name in use gets "_0",
    /// "_1", … appended, as upstream does.
    void append(std::string name, std::shared_ptr<Layer> layer);
    void append(std::shared_ptr<Layer> layer)
    {
        append(std::to_string(m_layers.size()), std::move(layer));
    }

    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;

    struct Entry {
        std::string name;
        std::shared_ptr<Layer> layer;
    };
    const std::vector<Entry>& entries() const { return m_layers; }

private:
    std::vector<Entry> m_layers;
};

/// speechbrain.nnet.containers.LengthsCapableSequential: each layer is told the lengths too.
class LengthsCapableSequential final : public Sequential {
public:
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;
    bool hidesPadding() const override { return true; }
};

/// torch.nn.ModuleList: holds layers for the optimizer and the checkpoint; it has no forward of its
/// own.
class ModuleList final : public Layer {
public:
    ModuleList(const catalog::ModuleListConfig& config, LayerSet& layers);
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;
};

/// A `!new:` Sequential of a recipe: its layers by position or by name. With an `input_shape`, each
/// `!name:` becomes a layer for the shape that the one before it gives, as upstream.
std::shared_ptr<Layer> makeSequential(const recipe::Node& node, LayerSet& layers);
std::shared_ptr<Layer> makeLengthsCapable(const recipe::Node& node, LayerSet& layers);

} // namespace earwright::model
