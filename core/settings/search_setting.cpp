#include "core/settings/search_setting.h"

#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/catalog/configs/search.h"
#include "core/catalog/given.h"
#include "core/catalog/read.h"
#include "core/recipe/resolve.h"
#include "core/settings/layer_keys.h"
#include "core/settings/tree.h"

#include <algorithm>
#include <string>

namespace earwright::settings {

namespace {

using recipe::Node;
using recipe::NodePtr;

constexpr std::string_view kGreedy = "speechbrain.decoders.seq2seq.S2STransformerGreedySearcher";
constexpr std::string_view kBeams = "speechbrain.decoders.seq2seq.S2STransformerBeamSearcher";
constexpr std::string_view kBuilder = "speechbrain.decoders.scorer.ScorerBuilder";
constexpr std::string_view kCtcScorer = "speechbrain.decoders.scorer.CTCScorer";
constexpr std::string_view kLengthScorer = "speechbrain.decoders.scorer.LengthScorer";

/// By its own name, whatever alias the recipe has.
std::string_view objectClass(const Node& node)
{
    const std::string_view name = recipe::newClass(node);
    const catalog::ClassInfo* info = catalog::findClass(name);
    return info ? std::string_view(info->name) : name;
}

/// "ctc" of CTCScorer, as upstream names it in `weights`.
std::string weightKey(const Node& scorer)
{
    const std::string name = toLower(catalog::lastPart(recipe::newClass(scorer)));
    return name.substr(0, name.find("scorer"));
}

bool holds(const Node& mapping, const NodePtr& value)
{
    return std::any_of(mapping.entries.begin(), mapping.entries.end(),
        [&](const recipe::Entry& entry) { return entry.value == value; });
}

bool isGiven(const NodePtr& node)
{
    return node && !recipe::isNull(*node) && !catalog::isUndetermined(*node);
}

class SearchReader final {
public:
    SearchReader(
        const Node& root, const recipe::Entry& search, std::vector<recipe::Diagnostic>& found)
        : m_root(root)
        , m_key(search.key->text)
        , m_search(*search.value)
        , m_found(found)
    {
    }

    SearchSetting read()
    {
        const size_t before = m_found.size();
        const std::string_view name = objectClass(m_search);
        m_setting.isGreedy = name == kGreedy;
        if (m_setting.isGreedy)
            takeLimits(catalog::readConfig<catalog::GreedySearcherConfig>(m_search, m_found));
        else if (name == kBeams)
            readBeams();
        else
            report(m_search,
                inQuotes(m_key)
                    + " must be a !new: of speechbrain.decoders.S2STransformerBeamSearcher or "
                      "S2STransformerGreedySearcher");
        if (m_found.size() == before)
            compare();
        return m_setting;
    }

private:
    void report(const Node& place, std::string message)
    {
        m_found.push_back({ recipe::Severity::Error, "search", std::move(message), place.span,
            std::nullopt, {} });
    }

    void readBeams()
    {
        const auto config = catalog::readConfig<catalog::BeamSearcherConfig>(m_search, m_found);
        takeLimits(config);
        catalog::S2SBeamOptions& options = m_setting.options;
        options.beamSize = config.beamSize;
        options.topk = config.topk;
        options.usingEosThreshold = config.usingEosThreshold;
        options.eosThreshold = config.eosThreshold;
        options.lengthNormalization = config.lengthNormalization;
        options.temperature = config.temperature;
        if (!isGiven(config.scorer))
            return;
        if (objectClass(*config.scorer) == kBuilder)
            return readScorers(*config.scorer);
        report(*config.scorer,
            "'scorer' of a search must be a !new: of " + std::string(kBuilder) + ", not "
                + catalog::describe(*config.scorer));
    }

    template <class Config>
    void takeLimits(const Config& config)
    {
        m_setting.options.bosIndex = config.bosIndex;
        m_setting.options.eosIndex = config.eosIndex;
        m_setting.options.minDecodeRatio = config.minDecodeRatio;
        m_setting.options.maxDecodeRatio = config.maxDecodeRatio;
        isToken("bos_index", config.bosIndex, m_search);
        isToken("eos_index", config.eosIndex, m_search);
        areLayers(config.modules);
    }

    /// Beyond the last, the decoder has no embedding of it.
    void isToken(const char* argument, int64_t index, const Node& object)
    {
        const NodePtr transformer = findLayer(m_root, "Transformer");
        const int64_t tokens = transformer ? catalog::Given(*transformer).integer("tgt_vocab") : 0;
        const NodePtr given = recipe::find(object, argument);
        if (tokens > 0 && index >= tokens)
            report(given ? *given : object,
                inQuotes(argument) + " of a search is " + std::to_string(index)
                    + ", none of the decoder's " + std::to_string(tokens)
                    + " tokens (tgt_vocab of Transformer)");
    }

    /// The layer or, of a search made by `!copy`, the copy of it, which is no other layer.
    bool isOf(const NodePtr& given, const NodePtr& layer) const
    {
        const NodePtr modules = recipe::find(m_root, "modules");
        const bool isOther = holds(m_root, given) || (modules && holds(*modules, given));
        return given == layer || (!isOther && recipe::emitYaml(*given) == recipe::emitYaml(*layer));
    }

    void areLayers(const NodePtr& modules)
    {
        const NodePtr trained[]
            = { findLayer(m_root, "Transformer"), findLayer(m_root, "seq_lin") };
        if (!modules || catalog::isUndetermined(*modules) || !trained[0] || !trained[1])
            return;
        const auto fits = [this](const NodePtr& layer, const NodePtr& wanted) {
            return catalog::isUndetermined(*layer) || isOf(layer, wanted);
        };
        if (!std::equal(modules->items.begin(), modules->items.end(), std::begin(trained),
                std::end(trained), fits))
            report(*modules,
                "'modules' of a search must be [!ref <Transformer>, !ref <seq_lin>], the layers "
                "that are trained");
    }

    void readScorers(const Node& builder)
    {
        const auto config = catalog::readConfig<catalog::ScorerBuilderConfig>(builder, m_found);
        if (isGiven(config.weights) && config.weights->kind != recipe::Kind::Mapping)
            report(*config.weights, "'weights' must be a mapping, such as {ctc: 0.4}");
        std::vector<std::string> keys;
        for (const NodePtr& scorer : listOf("full_scorers", config.fullScorers))
            keys.push_back(readScorer(*scorer, config, false));
        for (const NodePtr& scorer : listOf("partial_scorers", config.partialScorers))
            keys.push_back(readScorer(*scorer, config, true));
        for (auto key = keys.begin(); key != keys.end(); ++key) {
            if (std::find(keys.begin(), key, *key) != key)
                report(builder,
                    "two scorers have the one weight " + inQuotes(*key)
                        + ": list each in 'full_scorers' or 'partial_scorers', once");
        }
        otherWeights(config, keys);
    }

    std::vector<NodePtr> listOf(const char* name, const NodePtr& scorers)
    {
        if (isGiven(scorers) && scorers->kind != recipe::Kind::Sequence)
            report(*scorers,
                inQuotes(name) + " must be a list of scorers, not " + catalog::describe(*scorers));
        return scorers ? scorers->items : std::vector<NodePtr>();
    }

    /// The key of its weight.
    std::string readScorer(
        const Node& scorer, const catalog::ScorerBuilderConfig& config, bool isPartial)
    {
        const std::string key = weightKey(scorer);
        if (catalog::isUndetermined(scorer))
            return key;
        const std::string_view name = objectClass(scorer);
        if (name == kLengthScorer && !isPartial)
            m_setting.options.lengthWeight = weightOf(scorer, config);
        else if (name == kCtcScorer)
            readCtc(scorer, config, isPartial);
        else
            unknownScorer(scorer, config, isPartial);
        return key;
    }

    void readCtc(const Node& scorer, const catalog::ScorerBuilderConfig& config, bool isPartial)
    {
        const auto ctc = catalog::readConfig<catalog::CtcScorerConfig>(scorer, m_found);
        m_ctcScorer = &scorer;
        m_setting.options.blankIndex = ctc.blankIndex;
        m_setting.options.ctcWeight = weightOf(scorer, config);
        m_setting.options.ctcBeamScale = isPartial ? config.scorerBeamScale : 0;
        isToken("blank_index", ctc.blankIndex, scorer);
        const NodePtr trained = findLayer(m_root, "ctc_lin");
        if (trained && isGiven(ctc.ctcFc) && !isOf(ctc.ctcFc, trained))
            report(*ctc.ctcFc, "'ctc_fc' of CTCScorer must be !ref <ctc_lin>, which is trained");
        const NodePtr eos = recipe::find(scorer, "eos_index");
        if (isGiven(eos) && ctc.eosIndex != m_setting.options.eosIndex)
            report(*eos,
                "'eos_index' of CTCScorer is " + std::to_string(ctc.eosIndex)
                    + ", that of the search " + std::to_string(m_setting.options.eosIndex)
                    + ": set both to one token");
    }

    void unknownScorer(
        const Node& scorer, const catalog::ScorerBuilderConfig& config, bool isPartial)
    {
        const std::string key = weightKey(scorer);
        const bool isWeighed = config.weights && recipe::find(*config.weights, key);
        report(scorer,
            "searches score by CTCScorer, and by LengthScorer among full_scorers: take "
                + (recipe::newClass(scorer).empty() ? catalog::describe(scorer)
                                                    : catalog::lastPart(recipe::newClass(scorer)))
                + " out of '" + (isPartial ? "partial_scorers" : "full_scorers") + "'"
                + (isWeighed ? " and its weight " + inQuotes(key) + " out of 'weights'" : ""));
    }

    /// Upstream too has a weight for each scorer, and no other.
    double weightOf(const Node& scorer, const catalog::ScorerBuilderConfig& config)
    {
        const std::string key = weightKey(scorer);
        const bool areGiven = isGiven(config.weights);
        const NodePtr weight = areGiven ? recipe::find(*config.weights, key) : nullptr;
        if (!weight && (!areGiven || config.weights->kind == recipe::Kind::Mapping))
            report(scorer,
                catalog::lastPart(recipe::newClass(scorer)) + " has no weight: add " + inQuotes(key)
                    + " to 'weights', or take it out of the scorers");
        else if (isGiven(weight) && !recipe::asDouble(*weight))
            report(*weight,
                "the weight " + inQuotes(key) + " must be a number, not "
                    + catalog::describe(*weight));
        return weight ? recipe::asDouble(*weight).value_or(0) : 0;
    }

    /// `keys`: of the scorers, "" of what is none, which was said before.
    void otherWeights(
        const catalog::ScorerBuilderConfig& config, const std::vector<std::string>& keys)
    {
        const auto isScorer = [&](const std::string& key) {
            return std::find(keys.begin(), keys.end(), key) != keys.end();
        };
        if (!config.weights || isScorer(""))
            return;
        for (const recipe::Entry& weight : config.weights->entries) {
            const std::string& key = weight.key->text;
            if (!isScorer(key))
                report(*weight.key,
                    "'weights' has " + inQuotes(key) + ", but no scorer is called so"
                        + (keys.empty() ? "" : "; they are " + join(keys, ", ")));
        }
    }

    /// Where the option is written, else the search.
    const Node& placeOf(const std::string& argument) const
    {
        const NodePtr builder = recipe::find(m_search, "scorer");
        const NodePtr weights = builder ? recipe::find(*builder, "weights") : nullptr;
        const Node* const objects[] = { &m_search, m_ctcScorer, builder.get(), weights.get() };
        for (const Node* object : objects)
            if (const NodePtr given = object ? recipe::find(*object, argument) : nullptr)
                return *given;
        return m_search;
    }

    void compare()
    {
        if (m_setting.isGreedy)
            return;
        if (const auto misfit = catalog::whatDoesNotFit(m_setting.options))
            report(placeOf(misfit->argument), misfit->words);
    }

    const Node& m_root;
    const std::string& m_key;
    const Node& m_search;
    std::vector<recipe::Diagnostic>& m_found;
    const Node* m_ctcScorer = nullptr;
    SearchSetting m_setting;
};

} // namespace

std::vector<std::string> searchClasses()
{
    return { std::string(kGreedy), std::string(kBeams), std::string(kBuilder),
        std::string(kCtcScorer), std::string(kLengthScorer) };
}

SearchSetting readSearch(
    const Node& root, const recipe::Entry& search, std::vector<recipe::Diagnostic>& found)
{
    return SearchReader(root, search, found).read();
}

} // namespace earwright::settings
