#pragma once

#include "core/base/names.h"
#include "core/model/pretrained/encoder_config.h"

#include <map>
#include <torch/nn/module.h>

namespace earwright::model {

/// An encoder's weights under the names of its own parameters.
struct HubWeights {
    std::map<std::string, torch::Tensor> tensors;
    Names leftOver; ///< what the checkpoint holds beside the encoder: lm_head, a quantizer
    bool areInCheckpoint = false; ///< of the run that keeps the folder: none are here
};

/// Of a checkpoint of `transformers`, whichever class saved it. Where names begin with the family's
/// prefix ("wav2vec2." of Wav2Vec2ForCTC), those are the encoder. The older spelling of weight norm
/// (weight_g, weight_v) becomes today's.
HubWeights encoderWeights(const std::map<std::string, torch::Tensor>& stored, EncoderFamily family);

/// Copies them into `encoder`, whatever their type is. What is told: weights that the encoder has
/// no use for, and a vector for masked frames that was not stored and stays as it was drawn. Errors
/// name parameters that are missing or of other sizes.
Result<Names> loadHubWeights(torch::nn::Module& encoder, const HubWeights& weights);

} // namespace earwright::model
