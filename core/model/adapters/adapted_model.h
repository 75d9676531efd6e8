#pragma once

#include "core/base/names.h"
#include "core/catalog/configs/adapters.h"
#include "core/model/layer_set.h"

namespace earwright::model {

/// speechbrain.nnet.adapters.AdaptedModel: a layer of the recipe with adapters in the place of some
/// of its linear layers; child `adapted_model`. All else of it is frozen but for unfrozen_layers.
/// Names below it are upstream's: `….pretrained_module.weight`, `….adapter_down_proj.weight`. As
/// upstream, the output projection of torch's own multi-head attention is given none.
///
/// Changes the layer itself, so that who holds the layer runs it with its adapters. A layer asks
/// its parameters whether they are trained, not its config: adapters may lie in a frozen part.
class AdaptedModel final : public Layer {
public:
    /// Throws c10::Error where target_layers name a layer that takes no adapter, where a name
    /// matches nothing, and where nothing is left to train.
    AdaptedModel(const catalog::AdaptedModelConfig& config, LayerSet& layers);
    AdaptedModel(const catalog::AdaptedModelConfig& config, std::shared_ptr<Layer> model);

    /// What the adapted layer takes and gives.
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;
    bool hidesPadding() const override { return m_model && m_model->hidesPadding(); }

    const std::shared_ptr<Layer>& adapted() const { return m_model; }
    /// What has adapters and what is trained, a sentence each.
    const Names& told() const { return m_told; }

private:
    std::shared_ptr<Layer> m_model; ///< null where it cannot be built, which is reported
    Names m_told;
};

/// The layer that an AdaptedModel adapts, through several of them; any other layer is itself. Who
/// needs more of a layer than forward() asks this one for its class.
std::shared_ptr<Layer> unwrapped(const std::shared_ptr<Layer>& layer);

/// What a weight or buffer was called before its model was adapted: "enc.w.weight" of
/// "enc.adapted_model.w.pretrained_module.weight". Other names stay.
std::string nameBeforeAdapting(const std::string& name);

/// Whether a weight belongs to an adapter, not to the model: "enc.w.adapter_up_proj.weight".
bool isOfAdapter(const std::string& name);

} // namespace earwright::model
