#include "core/settings/search_scorers.h"

#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/catalog/configs/search.h"
#include "core/catalog/given.h"
#include "core/catalog/read.h"
#include "core/settings/language_model.h"
#include "core/settings/layer_keys.h"

#include <algorithm>

namespace earwright::settings {

namespace {

using recipe::Node;
using recipe::NodePtr;

constexpr std::string_view kCtcScorer = "speechbrain.decoders.scorer.CTCScorer";
constexpr std::string_view kLengthScorer = "speechbrain.decoders.scorer.LengthScorer";
constexpr std::string_view kCoverageScorer = "speechbrain.decoders.scorer.CoverageScorer";
constexpr std::string_view kKenLmScorer = "speechbrain.decoders.scorer.KenLMScorer";
constexpr std::string_view kRnnLmScorer = "speechbrain.decoders.scorer.RNNLMScorer";
constexpr std::string_view kTransformerLmScorer = "speechbrain.decoders.scorer.TransformerLMScorer";
constexpr std::string_view kRnnLm = "speechbrain.lobes.models.RNNLM.RNNLM";
constexpr std::string_view kTransformerLm
    = "speechbrain.lobes.models.transformer.TransformerLM.TransformerLM";

/// "ctc" of CTCScorer, as upstream names it in `weights`.
std::string weightKey(const Node& scorer)
{
    const std::string name = toLower(catalog::lastPart(recipe::newClass(scorer)));
    return name.substr(0, name.find("scorer"));
}

class ScorerReader final {
public:
    ScorerReader(SearchContext& context, const Node& builder, SearchSetting& setting)
        : m_context(context)
        , m_builder(builder)
        , m_config(catalog::readConfig<catalog::ScorerBuilderConfig>(builder, context.found()))
        , m_setting(setting)
    {
    }

    void read()
    {
        m_setting.options.scorerBeamScale = m_config.scorerBeamScale;
        if (isGiven(m_config.weights) && m_config.weights->kind != recipe::Kind::Mapping)
            m_context.report(*m_config.weights, "'weights' must be a mapping, such as {ctc: 0.4}");
        std::vector<std::string> keys;
        for (const NodePtr& scorer : listOf("full_scorers", m_config.fullScorers))
            keys.push_back(readScorer(*scorer, false));
        for (const NodePtr& scorer : listOf("partial_scorers", m_config.partialScorers))
            keys.push_back(readScorer(*scorer, true));
        for (auto key = keys.begin(); key != keys.end(); ++key) {
            if (std::find(keys.begin(), key, *key) != key)
                m_context.report(m_builder,
                    "two scorers have the one weight " + inQuotes(*key)
                        + ": list each in 'full_scorers' or 'partial_scorers', once");
        }
        otherWeights(keys);
    }

private:
    std::vector<NodePtr> listOf(const char* name, const NodePtr& scorers)
    {
        if (isGiven(scorers) && scorers->kind != recipe::Kind::Sequence)
            m_context.report(*scorers,
                inQuotes(name) + " must be a list of scorers, not " + catalog::describe(*scorers));
        return scorers ? scorers->items : std::vector<NodePtr>();
    }

    /// The key of its weight.
    std::string readScorer(const Node& scorer, bool isPartial)
    {
        const std::string key = weightKey(scorer);
        if (catalog::isUndetermined(scorer))
            return key;
        const std::string_view name = objectClass(scorer);
        if (name == kCtcScorer)
            readCtc(scorer, isPartial);
        else if (name == kKenLmScorer)
            readKenLm(scorer, isPartial);
        else if (name == kLengthScorer && !isPartial)
            m_setting.options.lengthWeight = weightOf(scorer);
        else if (name == kCoverageScorer && !isPartial)
            readCoverage(scorer);
        else if (name == kTransformerLmScorer && !isPartial)
            readLanguageModel(scorer, kTransformerLm, "vocab");
        else if (name == kRnnLmScorer && !isPartial)
            readLanguageModel(scorer, kRnnLm, "output_neurons");
        else
            unknownScorer(scorer, isPartial);
        return key;
    }

    void readCtc(const Node& scorer, bool isPartial)
    {
        const auto ctc = catalog::readConfig<catalog::CtcScorerConfig>(scorer, m_context.found());
        m_setting.options.blankIndex = ctc.blankIndex;
        m_setting.options.ctcWeight = weightOf(scorer);
        m_setting.options.isCtcPartial = isPartial;
        m_context.isToken("blank_index", ctc.blankIndex, scorer);
        const NodePtr trained = findLayer(m_context.root(), "ctc_lin");
        if (trained && isGiven(ctc.ctcFc) && !m_context.isOf(ctc.ctcFc, trained))
            m_context.report(
                *ctc.ctcFc, "'ctc_fc' of CTCScorer must be !ref <ctc_lin>, which is trained");
        const NodePtr eos = recipe::find(scorer, "eos_index");
        if (isGiven(eos) && ctc.eosIndex != m_setting.options.eosIndex)
            m_context.report(*eos,
                "'eos_index' of CTCScorer is " + std::to_string(ctc.eosIndex)
                    + ", that of the search " + std::to_string(m_setting.options.eosIndex)
                    + ": set both to one token");
    }

    void readCoverage(const Node& scorer)
    {
        const auto config
            = catalog::readConfig<catalog::CoverageScorerConfig>(scorer, m_context.found());
        m_context.fitsOutputs(scorer, "vocab_size");
        m_setting.options.coverageWeight = weightOf(scorer);
        m_setting.options.coverageThreshold = config.threshold;
    }

    void readKenLm(const Node& scorer, bool isPartial)
    {
        const auto config
            = catalog::readConfig<catalog::KenLmScorerConfig>(scorer, m_context.found());
        m_context.fitsOutputs(scorer, "vocab_size");
        KenLmSetting ngram { .file = config.lmPath, .weight = weightOf(scorer) };
        ngram.isPartial = isPartial;
        if (isGiven(config.tokenList)) {
            for (const NodePtr& token : catalog::listItems(*config.tokenList))
                ngram.tokens.push_back(recipe::asString(*token));
            if (std::ssize(ngram.tokens) != config.vocabSize)
                m_context.report(*config.tokenList,
                    "'token_list' of KenLMScorer has " + std::to_string(ngram.tokens.size())
                        + " tokens, and vocab_size is " + std::to_string(config.vocabSize)
                        + ": list each token once");
        }
        if (ngram.weight == 0)
            return; // it is not asked
        const NodePtr path = recipe::find(scorer, "lm_path");
        ngram.place = isGiven(path) ? path : nullptr;
        m_setting.ngram = std::move(ngram);
    }

    void readLanguageModel(const Node& scorer, std::string_view modelClass, const char* tokens)
    {
        const auto config
            = catalog::readConfig<catalog::LanguageModelScorerConfig>(scorer, m_context.found());
        const double weight = weightOf(scorer);
        if (!isGiven(config.languageModel))
            return;
        const Node& model = *config.languageModel;
        const std::string name = catalog::lastPart(objectClass(scorer));
        if (objectClass(model) != modelClass)
            return m_context.report(model,
                "'language_model' of " + name + " must be a !new: of " + std::string(modelClass)
                    + ", not " + catalog::describe(model));
        m_context.fitsOutputs(model, tokens);
        const bool isRecurrent = modelClass == kRnnLm;
        if (isRecurrent && !catalog::Given(model).flag("return_hidden"))
            m_context.report(model,
                "'return_hidden' of RNNLM must be True for RNNLMScorer, which goes on from its "
                "state");
        if (!isRecurrent && m_setting.options.bosIndex == 0)
            m_context.report(scorer,
                "TransformerLM takes token 0 for padding and sees nothing of a text that begins "
                "with it: 'bos_index' of the search must be another token");
        if (weight == 0)
            return; // it is not asked
        const LanguageModelFile file = languageModelFile(m_context.root(), config.languageModel);
        if (!file.problem.empty())
            cannotLoad(file.place ? *file.place : model, file.problem);
        m_setting.languageModels.push_back({ config.languageModel, file.path, file.place, file.key,
            weight, config.temperature, catalog::Given(model).integer(tokens) });
    }

    /// A training may come before a test; a validation is part of it.
    void cannotLoad(const Node& place, const std::string& problem)
    {
        const bool isOfTest = m_context.key() == kTestSearch;
        m_context.report(place, isOfTest ? untestable(problem) : problem,
            isOfTest ? recipe::Severity::Warning : recipe::Severity::Error);
        if (m_setting.problem.empty())
            m_setting.problem = problem;
    }

    void unknownScorer(const Node& scorer, bool isPartial)
    {
        const std::string key = weightKey(scorer);
        const bool isWeighed = m_config.weights && recipe::find(*m_config.weights, key);
        m_context.report(scorer,
            "searches score by CTCScorer and KenLMScorer, and by TransformerLMScorer, RNNLMScorer, "
            "CoverageScorer and LengthScorer among full_scorers: take "
                + (recipe::newClass(scorer).empty() ? catalog::describe(scorer)
                                                    : catalog::lastPart(recipe::newClass(scorer)))
                + " out of '" + (isPartial ? "partial_scorers" : "full_scorers") + "'"
                + (isWeighed ? " and its weight " + inQuotes(key) + " out of 'weights'" : ""));
    }

    /// Upstream too has a weight for each scorer, and no other.
    double weightOf(const Node& scorer)
    {
        const std::string key = weightKey(scorer);
        const NodePtr& weights = m_config.weights;
        const NodePtr weight = isGiven(weights) ? recipe::find(*weights, key) : nullptr;
        if (!weight && (!isGiven(weights) || weights->kind == recipe::Kind::Mapping))
            m_context.report(scorer,
                catalog::lastPart(recipe::newClass(scorer)) + " has no weight: add " + inQuotes(key)
                    + " to 'weights', or take it out of the scorers");
        else if (isGiven(weight) && !recipe::asDouble(*weight))
            m_context.report(*weight,
                "the weight " + inQuotes(key) + " must be a number, not "
                    + catalog::describe(*weight));
        return weight ? recipe::asDouble(*weight).value_or(0) : 0;
    }

    /// `keys`: of the scorers, "" of what is none, which was said before.
    void otherWeights(const std::vector<std::string>& keys)
    {
        const auto isScorer = [&](const std::string& key) {
            return std::find(keys.begin(), keys.end(), key) != keys.end();
        };
        if (!m_config.weights || isScorer(""))
            return;
        for (const recipe::Entry& weight : m_config.weights->entries) {
            const std::string& key = weight.key->text;
            if (!isScorer(key))
                m_context.report(*weight.key,
                    "'weights' has " + inQuotes(key) + ", but no scorer is called so"
                        + (keys.empty() ? "" : "; they are " + join(keys, ", ")));
        }
    }

    SearchContext& m_context;
    const Node& m_builder;
    catalog::ScorerBuilderConfig m_config;
    SearchSetting& m_setting;
};

} // namespace

void readScorers(SearchContext& context, const Node& builder, SearchSetting& setting)
{
    ScorerReader(context, builder, setting).read();
}

std::vector<std::string> scorerClasses()
{
    return { "speechbrain.decoders.scorer.ScorerBuilder", std::string(kCtcScorer),
        std::string(kLengthScorer), std::string(kCoverageScorer), std::string(kKenLmScorer),
        std::string(kRnnLmScorer), std::string(kTransformerLmScorer) };
}

} // namespace earwright::settings
