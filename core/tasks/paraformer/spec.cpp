#include "core/tasks/paraformer/spec.h"

#include "core/recipe/value_at.h"
#include "core/settings/layer_keys.h"
#include "core/tasks/paraformer/rules.h"

namespace earwright::tasks::paraformer {

namespace {

constexpr settings::Reader kReader { "train::ParaformerTask" };

constexpr settings::KnownKey kKeys[] = {
    { "ctc_weight", kTrainReader, "a number from 0 to 1", "the share of the CTC loss" },
    { "frontend", kReader, "an object, WavFrontend", "from waveforms to features" },
    { "specaug", kReader, "an object, SpecAug or SpecAugLFR", "masks features while training" },
    { "encoder", kReader, "an object, SANMEncoder", "the encoder of a Paraformer" },
    { "predictor", kReader, "an object, such as CifPredictorV2", "where tokens are" },
    { "decoder", kReader, "an object, ParaformerSANMDecoder", "all tokens at once" },
    { "ctc", kReader, "an object, CTC", "from a Paraformer's encoder to the tokens" },
    { "sos", kReader },
    { "eos", kReader },
    { "blank_id", kReader },
    { "lsm_weight", kReader },
    { "length_normalized_loss", kReader },
    { "predictor_weight", kReader },
    { "predictor_bias", kReader },
    { "sampling_ratio", kReader },
    { "ignore_id", kReader },
    { "share_embedding", kReader },
};

settings::SpecialLabels specialLabels(const recipe::Node& recipe)
{
    return { .blank = recipe::intAt(recipe, "blank_id", 0),
        .bos = recipe::intAt(recipe, "sos", 1),
        .eos = recipe::intAt(recipe, "eos", 2),
        .bosLabel = "<s>",
        .eosLabel = "</s>",
        .blankKey = "blank_id",
        .bosKey = "sos",
        .eosKey = "eos" };
}

Names classPaths(const recipe::Node& recipe)
{
    return { "vocab_size", settings::layerPath(recipe, "decoder") + ".vocab_size" };
}

std::string signs(const recipe::Node& root)
{
    for (const char* key : { "frontend", "encoder", "predictor", "decoder" })
        if (!settings::findLayer(root, key))
            return "";
    return settings::findLayer(root, "bias_encoder") ? ""
                                                     : "'predictor' between encoder and decoder";
}

/// CIF aligns a text of any length.
std::optional<settings::FrameRate> frameRate(const recipe::Node&, int)
{
    return {};
}

} // namespace

Spec spec()
{
    return { .name = "paraformer",
        .needed = { { { "frontend" }, "the features" }, { { "encoder" }, "the encoder" },
            { { "predictor" }, "the predictor of tokens" }, { { "decoder" }, "the decoder" } },
        .built = { "frontend", "specaug", "augmentation", "fea_augment", "encoder", "predictor",
            "decoder", "ctc" },
        .layerKeys = { "frontend", "normalize", "normalizer", "mean_var_norm", "specaug", "encoder",
            "predictor", "decoder", "ctc", "bias_encoder", "lstm_proj", "seaco_decoder",
            "hotword_output_layer" },
        .flows = { { { "predictor" }, { { "encoder" } } } },
        .keys = { std::begin(kKeys), std::end(kKeys) },
        .ownKeys = { "ctc_weight", "sos", "eos", "blank_id", "ignore_id", "share_embedding",
            "vocab_size", "specaug", "lsm_weight", "length_normalized_loss", "predictor_weight",
            "predictor_bias", "sampling_ratio" },
        .ownOverrides = { "frontend", "encoder", "predictor", "decoder", "ctc" },
        .rules = { arguments, ctcBranch, marks, decoderParts, sizes },
        .carriesRows = false,
        .foreign = { .funasrClasses = { "Paraformer", "BiCifParaformer" }, .hasFunasrCtc = true },
        .signs = signs,
        .specialLabels = specialLabels,
        .classPaths = classPaths,
        .frameRate = frameRate };
}

} // namespace earwright::tasks::paraformer
