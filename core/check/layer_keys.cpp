#include "core/check/layer_keys.h"

#include <map>

namespace kymo::check {

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

} // namespace kymo::check
