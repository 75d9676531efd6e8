#include "core/model/pretrained/encoder_config.h"

#include "core/base/json_fields.h"

#include <array>
#include <string_view>

namespace earwright::model {

namespace {

struct FamilyRow {
    const char* modelType;
    const char* prefix;
    EncoderFamily family;
};

constexpr std::array kFamilies = {
    FamilyRow { "wav2vec2", "wav2vec2.", EncoderFamily::Wav2Vec2 },
    FamilyRow { "hubert", "hubert.", EncoderFamily::Hubert },
    FamilyRow { "wavlm", "wavlm.", EncoderFamily::WavLm },
    FamilyRow { "data2vec-audio", "data2vec_audio.", EncoderFamily::Data2VecAudio },
    FamilyRow { "wav2vec2-bert", "wav2vec2_bert.", EncoderFamily::Wav2Vec2Bert },
};

constexpr int64_t kMostSize = 1'000'000;
constexpr JsonRange kEncoderSize { 1, double(kMostSize) };
constexpr JsonRange kEncoderShare { 0, 1 };

/// What a family's configuration class has where it differs from wav2vec 2.0's.
EncoderConfig defaultsOf(EncoderFamily family)
{
    EncoderConfig config;
    config.family = family;
    if (family == EncoderFamily::Data2VecAudio) {
        config.normEveryConv = true;
        config.positionKernel = 19;
        config.positionLayers = 5;
    }
    if (family == EncoderFamily::Wav2Vec2Bert) {
        config.width = 1024;
        config.layers = 24;
        config.heads = 16;
        config.innerWidth = 4096;
        config.activation = EncoderActivation::Silu;
        config.hiddenDropout = 0;
        config.activationDropout = 0;
        config.attentionDropout = 0;
    }
    return config;
}

void readSizes(JsonReader& json, EncoderConfig& config)
{
    json("hidden_size", config.width, kEncoderSize);
    json("num_hidden_layers", config.layers, kEncoderSize);
    json("num_attention_heads", config.heads, kEncoderSize);
    json("intermediate_size", config.innerWidth, kEncoderSize);
    json("layer_norm_eps", config.normEps, kEncoderShare);
    readActivation(json, "hidden_act", config.activation);
    if (config.width % config.heads != 0)
        json.refuse("hidden_size", "a multiple of num_attention_heads");
}

void readTraining(JsonReader& json, EncoderConfig& config)
{
    json("layerdrop", config.layerdrop, kEncoderShare);
    json("hidden_dropout", config.hiddenDropout, kEncoderShare);
    json("activation_dropout", config.activationDropout, kEncoderShare);
    json("attention_dropout", config.attentionDropout, kEncoderShare);
    json("feat_proj_dropout", config.projectionDropout, kEncoderShare);
    json("apply_spec_augment", config.applySpecAugment);
    readMasking(json, config.timeMasking, config.featureMasking);
}

bool areConvolutions(const EncoderConfig& config)
{
    const auto isSize = [](int64_t size) { return size >= 1 && size <= kMostSize; };
    const size_t count = config.convWidths.size();
    if (count == 0 || config.convKernels.size() != count || config.convStrides.size() != count)
        return false;
    for (size_t i = 0; i < count; ++i)
        if (!isSize(config.convWidths[i]) || !isSize(config.convKernels[i])
            || !isSize(config.convStrides[i]))
            return false;
    return true;
}

void readConvolutions(JsonReader& json, EncoderConfig& config)
{
    json("conv_dim", config.convWidths);
    json("conv_kernel", config.convKernels);
    json("conv_stride", config.convStrides);
    json("conv_bias", config.convBias);
    readActivation(json, "feat_extract_activation", config.convActivation);
    if (!areConvolutions(config))
        json.refuse("conv_dim", "as many sizes of 1 or more as conv_kernel and conv_stride have");
    if (config.family == EncoderFamily::Data2VecAudio)
        return;
    std::string norm = "group";
    json("feat_extract_norm", norm);
    if (norm != "group" && norm != "layer")
        json.refuse("feat_extract_norm", "group or layer");
    config.normEveryConv = norm == "layer";
    json("do_stable_layer_norm", config.normFirst);
}

void readPositions(JsonReader& json, EncoderConfig& config)
{
    const bool isStack = config.family == EncoderFamily::Data2VecAudio;
    if (isStack)
        json("conv_pos_kernel_size", config.positionKernel, kEncoderSize);
    json("num_conv_pos_embeddings", isStack ? config.positionLayers : config.positionKernel,
        kEncoderSize);
    json("num_conv_pos_embedding_groups", config.positionGroups, kEncoderSize);
    if (config.width % config.positionGroups != 0)
        json.refuse("hidden_size", "a multiple of num_conv_pos_embedding_groups");
}

/// What one family alone has.
void readOfFamily(JsonReader& json, EncoderConfig& config)
{
    if (config.family == EncoderFamily::Hubert) {
        json("feat_proj_layer_norm", config.projectionNorm);
        json("conv_pos_batch_norm", config.positionBatchNorm);
    }
    if (config.family == EncoderFamily::WavLm) {
        json("num_buckets", config.distanceBuckets, JsonRange { 4, double(kMostSize) });
        json("max_bucket_distance", config.farthestDistance, kEncoderSize);
        if (config.farthestDistance <= config.distanceBuckets / 4)
            json.refuse("max_bucket_distance", "more than a quarter of num_buckets");
    }
    if (config.family == EncoderFamily::Wav2Vec2 && json.has("adapter_attn_dim")
        && !json.isNull("adapter_attn_dim")) {
        config.adapterWidth = 0;
        json("adapter_attn_dim", *config.adapterWidth, kEncoderSize);
    }
}

void readBertPositions(JsonReader& json, EncoderConfig& config)
{
    if (json.isNull("position_embeddings_type")) {
        config.positions = BertPositions::None;
        return;
    }
    std::string type = "relative_key";
    json("position_embeddings_type", type);
    if (type == "relative_key")
        config.positions = BertPositions::RelativeKey;
    else if (type == "relative")
        config.positions = BertPositions::Relative;
    else if (type == "rotary")
        config.positions = BertPositions::Rotary;
    else
        json.refuse("position_embeddings_type", "relative_key, relative, rotary or null");
}

void readBert(JsonReader& json, EncoderConfig& config)
{
    json("feature_projection_input_dim", config.inputWidth, kEncoderSize);
    readBertPositions(json, config);
    json("left_max_position_embeddings", config.leftPositions, kJsonCount);
    json("right_max_position_embeddings", config.rightPositions, kJsonCount);
    json("rotary_embedding_base", config.rotaryBase, kEncoderSize);
    json("conv_depthwise_kernel_size", config.depthwiseKernel, kEncoderSize);
    json("conformer_conv_dropout", config.convolutionDropout, kEncoderShare);
    if (config.depthwiseKernel % 2 == 0)
        json.refuse("conv_depthwise_kernel_size", "odd");
}

const FamilyRow* findFamily(std::string_view modelType)
{
    for (const FamilyRow& row : kFamilies)
        if (modelType == row.modelType)
            return &row;
    return nullptr;
}

/// wav2vec 2.0 and its like may have one too, of another kind.
void refuseAdapter(JsonReader& json)
{
    bool addAdapter = false;
    json("add_adapter", addAdapter);
    if (addAdapter)
        json.refuse("add_adapter",
            "false: Earwright computes the adapter behind the last layer of w2v-BERT alone");
}

void readBertAdapter(JsonReader& json, EncoderConfig& config)
{
    json("use_intermediate_ffn_before_adapter", config.networkBehind);
    bool addAdapter = false;
    json("add_adapter", addAdapter);
    if (!addAdapter)
        return;
    BertAdapterSize adapter { .width = config.width };
    json("num_adapter_layers", adapter.layers, kEncoderSize);
    json("adapter_kernel_size", adapter.kernel, kEncoderSize);
    json("adapter_stride", adapter.stride, kEncoderSize);
    if (!json.isNull("output_hidden_size"))
        json("output_hidden_size", adapter.width, kEncoderSize);
    readActivation(json, "adapter_act", adapter.activation);
    if (adapter.width % config.heads != 0)
        json.refuse("output_hidden_size", "a multiple of num_attention_heads");
    config.adapter = adapter;
}

} // namespace

torch::Tensor activated(const torch::Tensor& x, EncoderActivation activation)
{
    switch (activation) {
    case EncoderActivation::Relu:
        return at::relu(x);
    case EncoderActivation::Silu:
        return at::silu(x);
    case EncoderActivation::Gelu:
        break;
    }
    return at::gelu(x);
}

void readActivation(JsonReader& json, const char* name, EncoderActivation& activation)
{
    std::string text;
    json(name, text);
    if (text == "gelu")
        activation = EncoderActivation::Gelu;
    else if (text == "relu")
        activation = EncoderActivation::Relu;
    else if (text == "silu" || text == "swish")
        activation = EncoderActivation::Silu;
    else if (!text.empty())
        json.refuse(
            name, "gelu, relu, silu or swish, not '" + text + "': Earwright computes no other");
}

void readMasking(JsonReader& json, SpanMasking& ofTime, SpanMasking& ofFeatures)
{
    json("mask_time_prob", ofTime.share, kEncoderShare);
    json("mask_time_length", ofTime.length, kEncoderSize);
    json("mask_time_min_masks", ofTime.least, kJsonCount);
    json("mask_feature_prob", ofFeatures.share, kEncoderShare);
    json("mask_feature_length", ofFeatures.length, kEncoderSize);
    json("mask_feature_min_masks", ofFeatures.least, kJsonCount);
}

Result<EncoderConfig> parseEncoderConfig(const std::string& text)
{
    Result<JsonReader> json = JsonReader::parse(text);
    if (!json)
        return json.error();
    std::string modelType;
    json->require("model_type", modelType);
    const FamilyRow* row = findFamily(modelType);
    if (row == nullptr && json->status())
        json->refuse("model_type",
            "wav2vec2, hubert, wavlm, data2vec-audio or wav2vec2-bert, not '" + modelType + "'");
    EncoderConfig config = defaultsOf(row ? row->family : EncoderFamily::Wav2Vec2);
    readSizes(*json, config);
    readTraining(*json, config);
    if (config.family == EncoderFamily::Wav2Vec2Bert) {
        readBert(*json, config);
        readBertAdapter(*json, config);
    } else {
        refuseAdapter(*json);
        readConvolutions(*json, config);
        readPositions(*json, config);
        readOfFamily(*json, config);
    }
    if (const Status read = json->status(); !read)
        return read.error();
    return config;
}

const char* checkpointPrefix(EncoderFamily family)
{
    for (const FamilyRow& row : kFamilies)
        if (row.family == family)
            return row.prefix;
    return "";
}

} // namespace earwright::model
