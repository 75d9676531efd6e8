#include "core/model/whisper/whisper_config.h"

#include "core/base/json_fields.h"

namespace earwright::model {

namespace {

constexpr int64_t kMostWhisperSize = 1'000'000;
constexpr JsonRange kWhisperSize { 1, double(kMostWhisperSize) };
constexpr JsonRange kWhisperShare { 0, 1 };

/// The names of the members of an encoder or a decoder.
struct StackMembers {
    const char* positions;
    const char* layers;
    const char* heads;
    const char* innerWidth;
    const char* layerdrop;
};

constexpr StackMembers kEncoderMembers { "max_source_positions", "encoder_layers",
    "encoder_attention_heads", "encoder_ffn_dim", "encoder_layerdrop" };
constexpr StackMembers kDecoderMembers { "max_target_positions", "decoder_layers",
    "decoder_attention_heads", "decoder_ffn_dim", "decoder_layerdrop" };

void readStack(
    JsonReader& json, const StackMembers& members, int64_t width, WhisperStackSize& stack)
{
    json(members.positions, stack.positions, kWhisperSize);
    json(members.layers, stack.layers, kWhisperSize);
    json(members.heads, stack.heads, kWhisperSize);
    json(members.innerWidth, stack.innerWidth, kWhisperSize);
    json(members.layerdrop, stack.layerdrop, kWhisperShare);
    if (width % stack.heads != 0)
        json.refuse("d_model", std::string("a multiple of ") + members.heads);
}

/// A number or null, which is none.
void readOptional(
    JsonReader& json, const char* name, std::optional<int64_t>& value, JsonRange range)
{
    if (!json.has(name))
        return;
    int64_t read = 0;
    if (!json.isNull(name))
        json(name, read, range);
    value = json.isNull(name) ? std::nullopt : std::optional(read);
}

void readTokens(JsonReader& json, WhisperSizes& sizes)
{
    const JsonRange token { 0, double(sizes.vocabulary - 1) };
    readOptional(json, "pad_token_id", sizes.padToken, token);
    if (sizes.padToken && *sizes.padToken >= sizes.vocabulary)
        json.refuse("pad_token_id", "less than vocab_size, or null");
}

/// What would make another model of it.
void refuseOthers(JsonReader& json)
{
    bool tied = true;
    json("tie_word_embeddings", tied);
    if (!tied)
        json.refuse("tie_word_embeddings",
            "true: Earwright computes outputs by the vectors of the tokens alone");
    if (json.has("quantization_config") && !json.isNull("quantization_config"))
        json.refuse("quantization_config",
            "left out: Earwright reads no quantised weights, save the model without");
}

} // namespace

Result<WhisperSizes> parseWhisperConfig(const std::string& text)
{
    Result<JsonReader> json = JsonReader::parse(text);
    if (!json)
        return json.error();
    std::string modelType;
    json->require("model_type", modelType);
    if (modelType != "whisper" && json->status())
        json->refuse("model_type", "whisper, not '" + modelType + "'");
    WhisperSizes sizes;
    (*json)("d_model", sizes.width, kWhisperSize);
    (*json)("num_mel_bins", sizes.mels, kWhisperSize);
    (*json)("vocab_size", sizes.vocabulary, kWhisperSize);
    readStack(*json, kEncoderMembers, sizes.width, sizes.encoder);
    readStack(*json, kDecoderMembers, sizes.width, sizes.decoder);
    readActivation(*json, "activation_function", sizes.activation);
    (*json)("dropout", sizes.dropout, kWhisperShare);
    (*json)("attention_dropout", sizes.attentionDropout, kWhisperShare);
    (*json)("activation_dropout", sizes.activationDropout, kWhisperShare);
    (*json)("apply_spec_augment", sizes.applySpecAugment);
    readMasking(*json, sizes.timeMasking, sizes.melMasking);
    readTokens(*json, sizes);
    refuseOthers(*json);
    if (const Status read = json->status(); !read)
        return read.error();
    return sizes;
}

} // namespace earwright::model
