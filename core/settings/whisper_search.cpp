#include "core/settings/whisper_search.h"

#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/catalog/configs/search.h"
#include "core/catalog/read.h"
#include "core/settings/layer_keys.h"
#include "core/settings/search_scorers.h"

namespace earwright::settings {

namespace {

using recipe::Node;
using recipe::NodePtr;

constexpr int64_t kOfFolder = -1; ///< a token that the recipe does not say

class WhisperSearchReader final {
public:
    WhisperSearchReader(SearchContext& context, const Node& search, SearchSetting& setting)
        : m_context(context)
        , m_search(search)
        , m_setting(setting)
    {
    }

    void readGreedy()
    {
        const auto config = catalog::readConfig<catalog::WhisperGreedySearcherConfig>(
            m_search, m_context.found());
        take(config);
        isTrained("model", config.model, "!ref <whisper>");
    }

    void readBeams()
    {
        const auto config
            = catalog::readConfig<catalog::WhisperBeamSearcherConfig>(m_search, m_context.found());
        take(config);
        catalog::S2SBeamOptions& options = m_setting.options;
        options.beamSize = config.beamSize;
        options.topk = config.topk;
        options.usingEosThreshold = config.usingEosThreshold;
        options.eosThreshold = config.eosThreshold;
        options.lengthNormalization = config.lengthNormalization;
        options.scoreTemperature = config.temperature;
        if (isGiven(config.module)) {
            const auto& items = config.module->items;
            isTrained(
                "module", items.size() == 1 ? items.front() : config.module, "[!ref <whisper>]");
        }
        if (isGiven(config.scorer))
            readScorer(*config.scorer);
    }

private:
    template <class Config>
    void take(const Config& config)
    {
        m_setting.options.bosIndex = kOfFolder;
        m_setting.options.eosIndex = kOfFolder;
        m_setting.options.minDecodeRatio = config.minDecodeRatio;
        m_setting.options.maxDecodeRatio = config.maxDecodeRatio;
        WhisperSearchSetting& own = m_setting.whisper.emplace();
        own.suppressBlank = config.suppressBlank;
        own.sampleLen = config.sampleLen;
        if (config.suppressTokens && !catalog::isUndetermined(*config.suppressTokens))
            own.suppressTokens = suppressed(*config.suppressTokens);
        own.prefix = told("prefix", config.prefix);
        own.prompt = told("prompt", config.prompt);
    }

    /// Upstream decodes by whatever is given; the run's texts would be of a model that is not
    /// trained.
    void isTrained(const char* argument, const NodePtr& given, const char* wanted)
    {
        const NodePtr layer = findLayer(m_context.root(), kWhisper);
        if (isGiven(given) && (!layer || !m_context.isOf(given, layer)))
            m_context.report(*given,
                inQuotes(argument) + " of this search must be " + wanted
                    + ", the model that is trained");
    }

    /// As upstream, null and an empty text suppress nothing.
    std::vector<int64_t> suppressed(const Node& given)
    {
        if (recipe::isNull(given))
            return {};
        if (given.kind != recipe::Kind::Scalar || catalog::listItems(given).size() != 1)
            return numbers("suppress_tokens", given);
        std::vector<int64_t> tokens;
        for (const std::string& part : split(given.text, ',')) {
            const std::string text(trim(part));
            const auto token = recipe::asInt(*recipe::makeScalar(text));
            if (token)
                tokens.push_back(*token);
            else if (!text.empty())
                return noTokens("suppress_tokens", given);
        }
        return tokens;
    }

    ToldText told(const char* argument, const NodePtr& given)
    {
        if (!isGiven(given))
            return {};
        if (given->kind == recipe::Kind::Scalar && catalog::listItems(*given).size() == 1)
            return { .text = std::string(trim(given->text)), .tokens = {} };
        return { .text = "", .tokens = numbers(argument, *given) };
    }

    std::vector<int64_t> numbers(const char* argument, const Node& given)
    {
        std::vector<int64_t> tokens;
        for (const NodePtr& item : catalog::listItems(given))
            if (const auto token = recipe::asInt(*item))
                tokens.push_back(*token);
            else
                return noTokens(argument, given);
        return tokens;
    }

    std::vector<int64_t> noTokens(const char* argument, const Node& given)
    {
        m_context.report(given,
            inQuotes(argument) + " of a search must be tokens, whole numbers, not "
                + catalog::describe(given));
        return {};
    }

    void readScorer(const Node& scorer)
    {
        readScorers(m_context, scorer, m_setting);
        const catalog::S2SBeamOptions& options = m_setting.options;
        for (const auto& [name, weight] : { std::pair { "CTCScorer", options.ctcWeight },
                 { "CoverageScorer", options.coverageWeight } })
            if (weight != 0)
                m_context.report(scorer,
                    std::string(name)
                        + " has nothing to score by: Whisper has no CTC output, and its search "
                          "tells no attention; take it out of the scorers and of 'weights'");
    }

    SearchContext& m_context;
    const Node& m_search;
    SearchSetting& m_setting;
};

} // namespace

void readWhisperSearch(SearchContext& context, const Node& search, SearchSetting& setting)
{
    WhisperSearchReader reader(context, search, setting);
    if (setting.isGreedy)
        reader.readGreedy();
    else
        reader.readBeams();
}

} // namespace earwright::settings
