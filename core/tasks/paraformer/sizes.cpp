#include "core/tasks/paraformer/sizes.h"

#include "core/base/text.h"
#include "core/catalog/catalog.h"
#include "core/catalog/configs/paraformer.h"
#include "core/catalog/configs/torch_layers.h"
#include "core/catalog/read.h"
#include "core/settings/adapted_object.h"
#include "core/settings/layer_keys.h"
#include "core/settings/tree.h"

#include <optional>

namespace earwright::tasks::paraformer {

namespace {

template <class Config>
struct ReadLayer {
    std::string key;
    recipe::NodePtr node;
    Config config;
};

template <class Config>
std::optional<ReadLayer<Config>> layerAt(
    const recipe::Node& root, const std::string& key, std::string_view wanted)
{
    const recipe::NodePtr node = settings::adaptedObject(settings::findLayer(root, key));
    const catalog::ClassInfo* info = node ? catalog::findClass(catalog::classOf(*node)) : nullptr;
    if (!info || info->name != wanted)
        return std::nullopt;
    std::vector<recipe::Diagnostic> diagnostics;
    ReadLayer<Config> layer { key, node, catalog::readConfig<Config>(*node, diagnostics) };
    return recipe::hasErrors(diagnostics) ? std::nullopt : std::optional(std::move(layer));
}

using Decoder = std::optional<ReadLayer<catalog::ParaformerDecoderConfig>>;
using Encoder = std::optional<ReadLayer<catalog::SanmEncoderConfig>>;
using Ctc = std::optional<ReadLayer<catalog::FunasrCtcConfig>>;
using Linear = std::optional<ReadLayer<catalog::TorchLinearConfig>>;
using Lstm = std::optional<ReadLayer<catalog::TorchLstmConfig>>;

Decoder decoderAt(const recipe::Node& root, const char* key)
{
    return layerAt<catalog::ParaformerDecoderConfig>(
        root, key, "funasr.models.paraformer.decoder.ParaformerSANMDecoder");
}

Linear linearAt(const recipe::Node& root, const char* key)
{
    return layerAt<catalog::TorchLinearConfig>(root, key, "torch.nn.Linear");
}

class Sizes final {
public:
    explicit Sizes(const recipe::Node& root)
        : m_encoder(layerAt<catalog::SanmEncoderConfig>(
            root, "encoder", "funasr.models.sanm.encoder.SANMEncoder"))
        , m_decoder(decoderAt(root, "decoder"))
        , m_ctc(layerAt<catalog::FunasrCtcConfig>(root, "ctc", "funasr.models.ctc.ctc.CTC"))
        , m_seacoDecoder(decoderAt(root, "seaco_decoder"))
        , m_biasEncoder(layerAt<catalog::TorchLstmConfig>(root, "bias_encoder", "torch.nn.LSTM"))
        , m_projection(linearAt(root, "lstm_proj"))
        , m_output(linearAt(root, "hotword_output_layer"))
        , m_hasProjection(settings::findLayer(root, "lstm_proj") != nullptr)
    {
    }

    std::vector<SizeMisfit> ofRecogniser(bool hasCtcLoss)
    {
        if (m_encoder && m_decoder)
            expectWidth(*m_decoder);
        if (m_encoder && m_ctc && hasCtcLoss)
            expectWidth(*m_ctc);
        if (m_decoder && m_ctc && hasCtcLoss)
            expect(*m_ctc, "odim", m_ctc->config.odim, m_decoder->config.vocabSize,
                hasTokens(m_decoder->config.vocabSize));
        return std::move(m_misfits);
    }

    std::vector<SizeMisfit> ofSeaco()
    {
        if (!m_decoder)
            return {};
        const int64_t width = m_decoder->config.encoderOutputSize;
        const std::string embeds = "'decoder' embeds tokens in " + std::to_string(width);
        if (m_biasEncoder)
            expect(*m_biasEncoder, "input_size", m_biasEncoder->config.inputSize, width, embeds);
        checkVectors(width, embeds);
        if (m_seacoDecoder)
            expect(*m_seacoDecoder, "encoder_output_size", m_seacoDecoder->config.encoderOutputSize,
                width, embeds);
        if (m_output)
            checkOutput(*m_output, width, embeds);
        return std::move(m_misfits);
    }

private:
    static std::string hasTokens(int64_t tokens)
    {
        return "'decoder' has " + std::to_string(tokens) + " tokens (vocab_size)";
    }

    /// What reads the encoder's output is as wide.
    template <class Config>
    void expectWidth(const ReadLayer<Config>& layer)
    {
        const int64_t width = m_encoder->config.outputSize;
        expect(layer, "encoder_output_size", layer.config.encoderOutputSize, width,
            "'encoder' gives " + std::to_string(width) + " features (output_size)");
    }

    /// Through lstm_proj or, without one, as the bias encoder gives them.
    void checkVectors(int64_t width, const std::string& embeds)
    {
        const int64_t directions = m_biasEncoder && m_biasEncoder->config.bidirectional ? 2 : 1;
        const int64_t given = m_biasEncoder ? directions * m_biasEncoder->config.hiddenSize : 0;
        if (m_projection && m_biasEncoder)
            expect(*m_projection, "in_features", m_projection->config.inFeatures, given,
                "'bias_encoder' gives " + std::to_string(given));
        if (m_projection)
            expect(*m_projection, "out_features", m_projection->config.outFeatures, width, embeds);
        if (!m_hasProjection && m_biasEncoder && given != width)
            m_misfits.push_back({ m_biasEncoder->node, "hidden_size",
                "'bias_encoder' gives " + std::to_string(given) + " features (hidden_size"
                    + (directions == 2 ? ", in both directions" : "") + "), but " + embeds
                    + "; another size needs 'lstm_proj', a torch.nn.Linear from "
                    + std::to_string(given) + " features to " + std::to_string(width),
                width % directions == 0 ? width / directions : 0 });
    }

    /// Its scores are mixed with the decoder's, token by token.
    void checkOutput(const ReadLayer<catalog::TorchLinearConfig>& output, int64_t width,
        const std::string& embeds)
    {
        const int64_t tokens = m_decoder->config.vocabSize;
        expect(output, "in_features", output.config.inFeatures, width, embeds);
        expect(output, "out_features", output.config.outFeatures, tokens, hasTokens(tokens));
    }

    template <class Config>
    void expect(const ReadLayer<Config>& layer, const char* argument, int64_t size, int64_t fitting,
        const std::string& others)
    {
        if (size != fitting)
            m_misfits.push_back({ layer.node, argument,
                inQuotes(argument) + " of " + inQuotes(layer.key) + " is " + std::to_string(size)
                    + ", but " + others,
                fitting });
    }

    Encoder m_encoder;
    Decoder m_decoder;
    Ctc m_ctc;
    Decoder m_seacoDecoder;
    Lstm m_biasEncoder;
    Linear m_projection;
    Linear m_output;
    bool m_hasProjection;
    std::vector<SizeMisfit> m_misfits;
};

} // namespace

std::vector<SizeMisfit> recogniserSizeMisfits(const recipe::Node& root)
{
    const recipe::NodePtr weight = recipe::find(root, "ctc_weight");
    const bool hasCtcLoss = weight && recipe::asDouble(*weight).value_or(0) > 0;
    return Sizes(root).ofRecogniser(hasCtcLoss);
}

std::vector<SizeMisfit> seacoSizeMisfits(const recipe::Node& root)
{
    return Sizes(root).ofSeaco();
}

} // namespace earwright::tasks::paraformer
