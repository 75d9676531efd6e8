#include "core/settings/search_setting.h"

#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/catalog/catalog.h"
#include "core/catalog/configs/search.h"
#include "core/catalog/read.h"
#include "core/settings/layer_keys.h"
#include "core/settings/search_context.h"
#include "core/settings/search_scorers.h"
#include "core/settings/tree.h"
#include "core/settings/whisper_search.h"

#include <algorithm>

namespace earwright::settings {

namespace {

using recipe::Node;
using recipe::NodePtr;

constexpr std::string_view kGreedy = "speechbrain.decoders.seq2seq.S2STransformerGreedySearcher";
constexpr std::string_view kBeams = "speechbrain.decoders.seq2seq.S2STransformerBeamSearcher";
constexpr std::string_view kBuilder = "speechbrain.decoders.scorer.ScorerBuilder";

class SearchReader final {
public:
    SearchReader(
        const Node& root, const recipe::Entry& search, std::vector<recipe::Diagnostic>& found)
        : m_search(*search.value)
        , m_context(root, search.key->text, found)
    {
    }

    SearchSetting read()
    {
        const std::string_view name = objectClass(m_search);
        const size_t before = m_context.found().size();
        m_setting.isGreedy = name == kGreedy || name == kWhisperGreedy;
        if (isWhisperSearch(name))
            readWhisperSearch(m_context, m_search, m_setting);
        else if (m_setting.isGreedy)
            takeLimits(
                catalog::readConfig<catalog::GreedySearcherConfig>(m_search, m_context.found()));
        else if (name == kBeams)
            readBeams();
        else
            m_context.report(m_search,
                inQuotes(m_context.key()) + " must be a !new: of speechbrain.decoders."
                    + (findLayer(m_context.root(), kWhisper)
                            ? "S2SWhisperBeamSearcher or S2SWhisperGreedySearcher"
                            : "S2STransformerBeamSearcher or S2STransformerGreedySearcher"));
        const auto first = m_context.found().begin() + static_cast<std::ptrdiff_t>(before);
        if (std::none_of(first, m_context.found().end(), [](const recipe::Diagnostic& one) {
                return one.severity == recipe::Severity::Error;
            }))
            compare();
        return m_setting;
    }

private:
    void readBeams()
    {
        const auto config
            = catalog::readConfig<catalog::BeamSearcherConfig>(m_search, m_context.found());
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
            return readScorers(m_context, *config.scorer, m_setting);
        m_context.report(*config.scorer,
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
        m_context.isToken("bos_index", config.bosIndex, m_search);
        m_context.isToken("eos_index", config.eosIndex, m_search);
        areLayers(config.modules);
    }

    /// Upstream's searches call the first two, and move the others with them.
    void areLayers(const NodePtr& modules)
    {
        const Node& root = m_context.root();
        const NodePtr trained[] = { findLayer(root, "Transformer"), findLayer(root, "seq_lin") };
        if (!modules || catalog::isUndetermined(*modules) || !trained[0] || !trained[1])
            return;
        const auto fits = [this](const NodePtr& layer, const NodePtr& wanted) {
            return catalog::isUndetermined(*layer) || m_context.isOf(layer, wanted);
        };
        const std::vector<NodePtr>& items = modules->items;
        if (items.size() < std::size(trained)
            || !std::equal(std::begin(trained), std::end(trained), items.begin(),
                [&](const NodePtr& wanted, const NodePtr& layer) { return fits(layer, wanted); })) {
            m_context.report(*modules,
                "'modules' of a search must be [!ref <Transformer>, !ref <seq_lin>], the layers "
                "that are trained");
            return;
        }
        for (size_t i = std::size(trained); i < items.size(); ++i)
            isMoreLayer(*items[i]);
    }

    void isMoreLayer(const Node& layer)
    {
        const catalog::ClassInfo* info = catalog::findClass(recipe::newClass(layer));
        if (!catalog::isUndetermined(layer) && !(info && isLayer(*info)))
            m_context.report(layer,
                "'modules' of a search lists Transformer, seq_lin and other layers of the recipe, "
                "not "
                    + catalog::describe(layer));
    }

    /// Where the option is written, else the search.
    const Node& placeOf(const std::string& argument) const
    {
        const NodePtr builder = recipe::find(m_search, "scorer");
        const NodePtr weights = builder ? recipe::find(*builder, "weights") : nullptr;
        std::vector<const Node*> objects { &m_search };
        for (const char* list : { "full_scorers", "partial_scorers" }) {
            const NodePtr scorers = builder ? recipe::find(*builder, list) : nullptr;
            for (const NodePtr& scorer : scorers ? scorers->items : std::vector<NodePtr>())
                objects.push_back(scorer.get());
        }
        objects.insert(objects.end(), { builder.get(), weights.get() });
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
            m_context.report(placeOf(misfit->argument), misfit->words);
    }

    const Node& m_search;
    SearchContext m_context;
    SearchSetting m_setting;
};

} // namespace

std::vector<std::string> searchClasses()
{
    std::vector<std::string> classes = scorerClasses();
    classes.insert(classes.begin(),
        { std::string(kGreedy), std::string(kBeams), std::string(kWhisperGreedy),
            std::string(kWhisperBeams) });
    return classes;
}

SearchSetting readSearch(
    const Node& root, const recipe::Entry& search, std::vector<recipe::Diagnostic>& found)
{
    return SearchReader(root, search, found).read();
}

DecodeSettings decodeSettings(const Node& root)
{
    DecodeSettings settings;
    for (const char* key : { "valid_search", kTestSearch }) {
        const recipe::Entry* const search = findEntry(root, key);
        if (!search || recipe::isNull(*search->value))
            continue;
        ReadSearch& read = settings.searches.emplace_back(ReadSearch { search, {}, {} });
        read.setting = readSearch(root, *search, read.found);
    }
    return settings;
}

std::string untestable(const std::string& problem)
{
    return problem + "; the training runs without it, but the test cannot";
}

} // namespace earwright::settings
