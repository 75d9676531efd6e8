#include "core/model/transformer/latent_encoder.h"

#include "core/model/adapters/adapted_model.h"
#include "core/model/dropout.h"
#include "core/model/pretrained/wave_normalization.h"
#include "core/settings/own_encoder.h"

#include <torch/utils.h>

namespace earwright::model {

namespace {

constexpr int64_t kUsualFramesASecond = 50; ///< of upstream's strides at 16 kHz

recipe::NodePtr classNamed(const char* className)
{
    recipe::NodePtr node = recipe::makeScalar("");
    node->tag = std::string("!name:") + className;
    return node;
}

catalog::ConvolutionFrontEndConfig frontEndOf(const catalog::W2VLatentExtractorConfig& config)
{
    const size_t blocks = config.outChannels.size();
    catalog::ConvolutionFrontEndConfig frontEnd;
    frontEnd.inputShape = { std::nullopt, std::nullopt, 1 };
    frontEnd.numBlocks = static_cast<int64_t>(blocks);
    frontEnd.numLayersPerBlock = 1;
    frontEnd.outChannels = config.outChannels;
    frontEnd.kernelSizes = config.kernelSizes;
    frontEnd.strides = config.strides;
    frontEnd.dilations.assign(blocks, 1);
    frontEnd.residuals.assign(blocks, false);
    frontEnd.convModule = classNamed("speechbrain.nnet.CNN.Conv1d");
    frontEnd.activation = classNamed("torch.nn.GELU");
    frontEnd.norm = classNamed("speechbrain.nnet.normalization.LayerNorm");
    frontEnd.dropout = config.dropout;
    frontEnd.convBias = false;
    frontEnd.padding = "valid";
    frontEnd.convInit = config.convInit;
    return frontEnd;
}

} // namespace

W2VLatentExtractor::W2VLatentExtractor(const catalog::W2VLatentExtractorConfig& config)
    : m_extractor(
        register_module("extractor", std::make_shared<ConvolutionFrontEnd>(frontEndOf(config))))
    , m_norm(register_module(
          "norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({ config.outChannels.back() }))))
{
}

torch::Tensor W2VLatentExtractor::forward(torch::Tensor wav_BN, torch::Tensor)
{
    return m_norm(m_extractor->forward(normalizedWithPadding(wav_BN).unsqueeze(2)));
}

LatentEncoder::LatentEncoder(const catalog::LatentEncoderConfig& config, LayerSet& layers)
    : m_input(register_module("input_projector", Projection(config.inDim, config.embeddingDim)))
    , m_dropout(config.dropoutEncoderInput)
{
    TORCH_CHECK(config.latentEncoder, "EncoderWrapper needs a latent_encoder");
    m_encoder = std::dynamic_pointer_cast<Encoder>(unwrapped(layers.get(*config.latentEncoder)));
    TORCH_CHECK(m_encoder,
        "the latent_encoder of EncoderWrapper is not a TransformerEncoder that Earwright can "
        "build");
    const int64_t width = m_encoder->width();
    TORCH_CHECK(width == config.embeddingDim, "embedding_dim is ", config.embeddingDim,
        ", but d_model of latent_encoder is ", width, ": both are the width of a frame");
    register_module("latent_encoder", m_encoder);
    m_positions = register_module("positional_encoding",
        std::make_shared<PositionalEncoding>(config.embeddingDim, settings::kLatentPositions));
    register_parameter("mask_emb", torch::rand({ config.embeddingDim }), false);
}

torch::Tensor LatentEncoder::forward(torch::Tensor latents_BTC, torch::Tensor lengths_B)
{
    const int64_t frames = latents_BTC.size(1);
    constexpr int64_t kMost = settings::kLatentPositions;
    TORCH_CHECK(frames <= kMost, "an utterance has ", frames,
        " frames, and 'encoder_wrapper' has positions for ", kMost, ", which with the usual ",
        kUsualFramesASecond, " frames a second are ", kMost / kUsualFramesASecond,
        " s: leave longer ones out by avoid_if_longer_than (of validation and test "
        "avoid_if_longer_than_val_test)");
    const torch::Tensor x_BTD = dropped(m_input(latents_BTC), m_dropout, is_training());
    return m_encoder->forward(
        x_BTD + m_positions->forward(frames), { keyPadding(lengths_B, frames), {} }, {});
}

std::shared_ptr<Encoder> makeTransformerEncoder(const catalog::TransformerEncoderConfig& config)
{
    TORCH_CHECK(config.dModel, "d_model of TransformerEncoder must be given");
    catalog::TransformerAsrConfig sizes;
    sizes.dModel = *config.dModel;
    sizes.nhead = config.nhead;
    sizes.numEncoderLayers = config.numLayers;
    sizes.dFfn = config.dFfn;
    sizes.dropout = config.dropout;
    sizes.activation = config.activation;
    sizes.normalizeBefore = config.normalizeBefore;
    sizes.layerdropProb = config.layerdropProb;
    return makeEncoder(sizes);
}

} // namespace earwright::model
