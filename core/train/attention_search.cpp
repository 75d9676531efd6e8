#include "core/train/attention_search.h"

#include "core/catalog/configs/search.h"
#include "core/catalog/read.h"
#include "core/decode/transformer_decoder.h"
#include "core/model/autocast_off.h"
#include "core/model/layer_table.h"

namespace kymo::train {

namespace {

const std::string kDecoders = "speechbrain.decoders.";

Error at(const recipe::Node& node, const std::string& words)
{
    return Error { node.span.file + ":" + std::to_string(node.span.begin.line) + ": " + words };
}

template <class Config>
Result<Config> read(const recipe::Node& node)
{
    std::vector<recipe::Diagnostic> diagnostics;
    Config config = catalog::readConfig<Config>(node, diagnostics);
    for (const recipe::Diagnostic& diagnostic : diagnostics) {
        if (diagnostic.severity == recipe::Severity::Error)
            return at(node, diagnostic.message);
    }
    return config;
}

template <class Config>
void takeLimits(const Config& config, decode::S2SOptions& options)
{
    options.bosIndex = config.bosIndex;
    options.eosIndex = config.eosIndex;
    options.minDecodeRatio = config.minDecodeRatio;
    options.maxDecodeRatio = config.maxDecodeRatio;
}

double weightOf(const recipe::NodePtr& weights, const char* scorer)
{
    const recipe::NodePtr weight = weights ? recipe::find(*weights, scorer) : nullptr;
    return weight ? recipe::asDouble(*weight).value_or(0) : 0;
}

} // namespace

Result<AttentionSearch> AttentionSearch::from(const recipe::Node& node, SearchedLayers layers)
{
    AttentionSearch search;
    search.m_layers = std::move(layers);
    const std::string name = model::canonicalClass(recipe::newClass(node));
    search.m_isGreedy = name == kDecoders + "seq2seq.S2STransformerGreedySearcher";
    Status known = search.m_isGreedy ? search.readGreedy(node)
        : name == kDecoders + "seq2seq.S2STransformerBeamSearcher"
        ? search.readBeams(node)
        : Status(at(node,
            "a search must be a !new: of " + kDecoders
                + "S2STransformerBeamSearcher or S2STransformerGreedySearcher"));
    if (!known)
        return known.error();
    return search;
}

Status AttentionSearch::readGreedy(const recipe::Node& node)
{
    const auto config = read<catalog::GreedySearcherConfig>(node);
    if (!config)
        return config.error();
    takeLimits(*config, m_options);
    return Done {};
}

Status AttentionSearch::readBeams(const recipe::Node& node)
{
    const auto config = read<catalog::BeamSearcherConfig>(node);
    if (!config)
        return config.error();
    takeLimits(*config, m_options);
    m_options.beamSize = config->beamSize;
    m_options.topk = config->topk;
    m_options.usingEosThreshold = config->usingEosThreshold;
    m_options.eosThreshold = config->eosThreshold;
    m_options.lengthNormalization = config->lengthNormalization;
    m_options.temperature = config->temperature;
    return config->scorer && !recipe::isNull(*config->scorer) ? readScorers(*config->scorer)
                                                              : Status(Done {});
}

Status AttentionSearch::readScorers(const recipe::Node& node)
{
    const auto config = read<catalog::ScorerBuilderConfig>(node);
    if (!config)
        return config.error();
    for (const auto& [scorers, isPartial] :
        { std::pair { config->fullScorers, false }, { config->partialScorers, true } }) {
        for (size_t i = 0; scorers && i < scorers->items.size(); ++i) {
            const recipe::Node& scorer = *scorers->items[i];
            const std::string name = model::canonicalClass(recipe::newClass(scorer));
            if (name == kDecoders + "scorer.LengthScorer" && !isPartial) {
                m_options.lengthWeight = weightOf(config->weights, "length");
                continue;
            }
            if (name != kDecoders + "scorer.CTCScorer")
                return at(scorer,
                    "searches score by CTCScorer, and by LengthScorer among full_scorers; '" + name
                        + "' is not known to them");
            const auto ctc = read<catalog::CtcScorerConfig>(scorer);
            if (!ctc)
                return ctc.error();
            m_options.blankIndex = ctc->blankIndex;
            m_options.ctcWeight = weightOf(config->weights, "ctc");
            m_options.ctcBeamScale = isPartial ? config->scorerBeamScale : 0;
        }
    }
    const std::string wrong = decode::whatDoesNotFit(m_options);
    return wrong.empty() ? Status(Done {}) : at(node, wrong);
}

void AttentionSearch::keep(int64_t topk, std::optional<int64_t> beamSize)
{
    m_options.topk = topk;
    m_options.beamSize = beamSize.value_or(std::max(m_options.beamSize, topk));
}

decode::S2SHypotheses AttentionSearch::search(
    const torch::Tensor& encoder_BTD, const torch::Tensor& lengths_B) const
{
    decode::TransformerDecoder decoder(m_layers.transformer, m_layers.seqLin);
    if (m_isGreedy)
        return decode::greedyS2S(decoder, m_options, encoder_BTD, lengths_B);
    const auto ctc = [this](const torch::Tensor& encoder) {
        const torch::Tensor logits = m_layers.ctcLin->forward(encoder);
        return logits.to(model::fullType(logits)).log_softmax(-1);
    };
    return decode::beamS2S(decoder, m_options, encoder_BTD, lengths_B, ctc);
}

} // namespace kymo::train
