#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <torch/types.h>
#include <vector>

namespace earwright {
class JsonReader;
}

namespace earwright::model {

/// Of which of `transformers`' classes an encoder is.
enum class EncoderFamily { Wav2Vec2, Hubert, WavLm, Data2VecAudio, Wav2Vec2Bert };

/// "gelu" (exact), "relu" or "silu" ("swish").
enum class EncoderActivation { Gelu, Relu, Silu };
torch::Tensor activated(const torch::Tensor& x, EncoderActivation activation);

/// Spans that training masks along an axis of the features (wav2vec 2.0's SpecAugment).
struct SpanMasking {
    double share = 0; ///< of the axis, did spans not overlap; 0 = none
    int64_t length = 10; ///< of a span
    int64_t least = 0; ///< spans a row
};

/// How w2v-BERT 2.0 tells attention where a frame is.
enum class BertPositions { None, Rotary, Relative, RelativeKey };

/// Layers behind w2v-BERT's last that shorten its output (add_adapter).
struct BertAdapterSize {
    int64_t layers = 1; ///< num_adapter_layers
    int64_t kernel = 3;
    int64_t stride = 2;
    int64_t width = 0; ///< output_hidden_size
    EncoderActivation activation = EncoderActivation::Relu; ///< adapter_act
};

/// What config.json of a folder of the Hub says of a speech encoder. A member that it does not
/// hold has the value of the family's configuration class in `transformers` 5.17.
struct EncoderConfig {
    EncoderFamily family = EncoderFamily::Wav2Vec2;
    int64_t width = 768; ///< hidden_size
    int64_t layers = 12; ///< num_hidden_layers
    int64_t heads = 12; ///< num_attention_heads
    int64_t innerWidth = 3072; ///< intermediate_size
    EncoderActivation activation = EncoderActivation::Gelu; ///< hidden_act
    double normEps = 1e-5;
    double layerdrop = 0.1;

    double hiddenDropout = 0.1;
    double activationDropout = 0.1;
    double attentionDropout = 0.1;
    double projectionDropout = 0; ///< feat_proj_dropout

    bool applySpecAugment = true;
    SpanMasking timeMasking { 0.05, 10, 2 };
    SpanMasking featureMasking;

    // Of the convolutions over the wave; not w2v-BERT's.
    std::vector<int64_t> convWidths = std::vector<int64_t>(7, 512); ///< conv_dim
    std::vector<int64_t> convKernels { 10, 3, 3, 3, 3, 2, 2 };
    std::vector<int64_t> convStrides { 5, 2, 2, 2, 2, 2, 2 };
    bool convBias = false;
    bool normEveryConv = false; ///< feat_extract_norm "layer"; "group" norms the first alone
    EncoderActivation convActivation = EncoderActivation::Gelu;
    bool projectionNorm = true; ///< feat_proj_layer_norm
    bool normFirst = false; ///< do_stable_layer_norm
    std::optional<int64_t> adapterWidth; ///< adapter_attn_dim, of MMS

    // Of the convolution that tells positions.
    int64_t positionKernel = 128;
    int64_t positionGroups = 16;
    int64_t positionLayers = 1; ///< more in data2vec alone
    bool positionBatchNorm = false; ///< conv_pos_batch_norm

    // WavLM's.
    int64_t distanceBuckets = 320;
    int64_t farthestDistance = 800;

    // w2v-BERT 2.0's.
    int64_t inputWidth = 160; ///< feature_projection_input_dim
    BertPositions positions = BertPositions::RelativeKey;
    int64_t leftPositions = 64;
    int64_t rightPositions = 8;
    double rotaryBase = 10000;
    int64_t depthwiseKernel = 31;
    double convolutionDropout = 0.1; ///< conformer_conv_dropout
    bool networkBehind = false; ///< use_intermediate_ffn_before_adapter
    std::optional<BertAdapterSize> adapter;

    bool hasMaskVector() const { return timeMasking.share > 0 || featureMasking.share > 0; }
};

/// Members that several families have: an activation by its name, and SpecAugment's masks.
void readActivation(JsonReader& json, const char* name, EncoderActivation& activation);
void readMasking(JsonReader& json, SpanMasking& ofTime, SpanMasking& ofFeatures);

/// Of the text of a config.json. Errors name the member and what it must be, or what of it
/// Earwright does not compute: another model_type, an unknown activation, add_adapter but
/// w2v-BERT's.
Result<EncoderConfig> parseEncoderConfig(const std::string& json);

/// What comes before the encoder's names in a checkpoint that holds more: "wav2vec2.".
const char* checkpointPrefix(EncoderFamily family);

} // namespace earwright::model
