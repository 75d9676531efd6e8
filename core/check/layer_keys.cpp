#include "core/check/layer_keys.h"

#include <map>

namespace kymo::check {

namespace {

bool isBeside(const catalog::ClassInfo& info)
{
    return info.name.starts_with("speechbrain.augment.")
        || (info.role == catalog::Role::Decoder && info.name.ends_with("Searcher"));
}

} // namespace

const std::vector<std::string>& layerKeys(std::string_view task)
{
    using Names = std::vector<std::string>;
    static const Names kParaformer { "frontend", "normalize", "normalizer", "mean_var_norm",
        "specaug", "encoder", "predictor", "decoder", "ctc", "bias_encoder", "lstm_proj",
        "seaco_decoder", "hotword_output_layer" };
    static const std::map<std::string_view, Names> kKeys = {
        { "ctc",
            { "compute_features", "normalize", "normalizer", "mean_var_norm", "CNN", "cnn", "enc",
                "model", "ctc_lin", "output", "log_softmax" } },
        { "ctc_attention",
            { "compute_features", "normalize", "normalizer", "mean_var_norm", "CNN", "cnn",
                "Transformer", "ctc_lin", "seq_lin", "log_softmax" } },
        { "paraformer", kParaformer },
        { "seaco_paraformer", kParaformer },
    };
    static const Names kNone;
    const auto found = kKeys.find(task);
    return found == kKeys.end() ? kNone : found->second;
}

std::vector<std::string> layerKeys(std::string_view task, const recipe::Node& recipe)
{
    std::vector<std::string> keys = layerKeys(task);
    const recipe::NodePtr model = recipe::find(recipe, "model");
    if (recipe::find(recipe, "enc") || (model && isLayerList(*model)))
        std::erase(keys, "model");
    return keys;
}

bool isLayerList(const recipe::Node& object)
{
    const catalog::ClassInfo* info = catalog::findClass(recipe::newClass(object));
    return info && info->name == "torch.nn.ModuleList";
}

bool isLayer(const catalog::ClassInfo& info)
{
    using catalog::Role;
    switch (info.role) {
    case Role::Module:
    case Role::Features:
    case Role::Activation:
    case Role::Container:
        return true;
    case Role::Augmentation: // FunASR's are layers
        return !isBeside(info);
    default:
        return false;
    }
}

bool isBesideLayers(const recipe::Node& object)
{
    const catalog::ClassInfo* info = catalog::findClass(recipe::newClass(object));
    return info && isBeside(*info);
}

} // namespace kymo::check
