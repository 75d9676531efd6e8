#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/base/text.h"
#include "core/model/adapters/adapted_model.h"
#include "core/model/pretrained/hub_layer.h"
#include "core/train/loop/model_setup.h"
#include "core/train/weights/initial_weights.h"
#include "core/train/weights/load_weights.h"
#include "core/train/weights/loaded_layers.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace earwright::train {

namespace {

/// In the folder of the run: every name that a message counts only. The second is for what
/// 'pretrainer' loads alone.
constexpr const char* kListFile = "init_param.txt";
constexpr const char* kLoadedListFile = "initial_weights.txt";

constexpr const char* kNoStatistics = "; it has no statistics of the input normalisation "
                                      "(SpeechBrain's normalizer.ckpt), which are "
                                      "learnt anew";

/// Rank 0's, which all take: a run that still trains may save meanwhile.
std::vector<WeightSource> agreedSources(distributed::Group& group, const std::string& initParam)
{
    const std::string text = group.runOnMain("initial weights", [&] {
        nlohmann::json lists = nlohmann::json::array();
        for (const WeightSource& source : initialSources(initParam)) {
            lists.push_back({ { "paths", nlohmann::json::array() } });
            for (const std::filesystem::path& path : source)
                lists.back()["paths"].push_back(path.string());
        }
        return nlohmann::json { { "sources", lists } }.dump(
            -1, ' ', false, nlohmann::json::error_handler_t::replace);
    });
    std::vector<WeightSource> sources;
    const Status read = readJson(text, [&sources](JsonReader& reader) {
        for (JsonReader& source : reader.objects("sources")) {
            std::vector<std::string> paths;
            source.require("paths", paths);
            sources.emplace_back(paths.begin(), paths.end());
        }
    });
    if (!read)
        throw std::runtime_error(
            "rank 0's list of weights cannot be read: " + read.error().message);
    return sources;
}

/// Whether a weight of the layer of this key is among them; adapters are drawn.
bool lacksWeightOf(const std::string& key, const Unmatched& unmatched)
{
    const auto isOf = [&](const std::string& name) {
        return name.starts_with(key + ".") && !model::isOfAdapter(name);
    };
    const auto isShapeOf = [&](const Misshapen& one) { return isOf(one.name); };
    return std::any_of(unmatched.missing.begin(), unmatched.missing.end(), isOf)
        || std::any_of(unmatched.misshapen.begin(), unmatched.misshapen.end(), isShapeOf);
}

/// An encoder whose folder is gone has the weights of a checkpoint or of init_param, which does not
/// hold what is unmatched; null: init_param is not given.
Status haveEncoderWeights(const ModuleSet& modules, const Unmatched* unmatched)
{
    for (const auto& [name, layer] : modules.modules()) {
        const auto pretrained = std::dynamic_pointer_cast<model::HubLayer>(model::unwrapped(layer));
        if (pretrained && pretrained->lacksWeights()
            && (!unmatched || lacksWeightOf(name, *unmatched)))
            return Error { "the folder of " + inQuotes(name)
                + " is gone, and neither a checkpoint of the run nor init_param holds its weights: "
                  "put it where 'source' says, or begin a new run" };
    }
    return Done {};
}

} // namespace

Status ModelSetup::loadInitialWeights()
{
    const plan::RunOptions& options = m_in.plan.options;
    const recipe::Node& recipe = *m_in.plan.recipe;
    const bool isAsked = !options.initParam.empty();
    std::vector<WeightSource> named;
    for (const std::filesystem::path& file : loadedFiles(recipe))
        named.push_back({ file });
    if (!isAsked && named.empty())
        return haveEncoderWeights(m_task->modules(), nullptr);
    const std::string key = isAsked ? "init_param: " : "pretrainer: ";
    const auto sources
        = isAsked ? agreedSources(m_in.group, options.initParam) : std::vector<WeightSource>();
    Result<Tensors> weights = readInitialWeights(sources, recipe, m_task->modules());
    if (!weights)
        return Error { key + weights.error().message };
    const bool lacksStatistics = isAsked && lackStatistics(*weights, recipe);
    named.insert(named.end(), sources.begin(), sources.end());
    const std::string name = nameOf(named);
    Unmatched unmatched;
    const Status loaded = loadWeights(*m_task, std::move(*weights), name, &unmatched);
    if (!loaded)
        return loaded;
    if (!isAsked)
        unmatched = ofLoadedLayers(std::move(unmatched), recipe);
    const char* const list = isAsked ? kListFile : kLoadedListFile;
    if (m_in.group.isMain() && !unmatched.isEmpty())
        if (const Status listed = writeFileAtomically(m_in.folder.path / list, listAll(unmatched));
            !listed)
            return listed;
    const std::string hint
        = unmatched.isEmpty() ? "" : std::string("; every name is in the run's ") + list;
    if (const std::string why = whyNoStart(unmatched, m_task->modules(), options); !why.empty())
        return Error { key + name + why + hint };
    if (const Status whole = haveEncoderWeights(m_task->modules(), &unmatched); !whole)
        return whole;
    const bool isWhole
        = unmatched.missing.empty() && unmatched.misshapen.empty() && !lacksStatistics;
    if (m_in.group.isMain())
        m_in.events.write(
            { .payload = run::Message { isWhole ? "info" : "warning",
                  "weights start from " + name + (lacksStatistics ? kNoStatistics : "")
                      + describe(unmatched) + hint } });
    return Done {};
}

} // namespace earwright::train
