#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/base/text.h"
#include "core/model/adapters/adapted_model.h"
#include "core/model/pretrained/hub_layer.h"
#include "core/train/trainer.h"
#include "core/train/weights/initial_weights.h"
#include "core/train/weights/load_weights.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace earwright::train {

namespace {

/// In the folder of the run: every name that a message counts only.
constexpr const char* kListFile = "init_param.txt";

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

/// What the weights do not have keeps what was drawn: SeACo starts from a Paraformer.
Status Trainer::loadInitialWeights()
{
    const plan::RunOptions& options = m_in.plan.options;
    if (options.initParam.empty())
        return haveEncoderWeights(m_task->modules(), nullptr);
    const std::vector<WeightSource> sources = agreedSources(m_in.group, options.initParam);
    Result<Tensors> weights = readInitialWeights(sources, *m_in.plan.recipe, m_task->modules());
    if (!weights)
        return Error { "init_param: " + weights.error().message };
    const bool lacksStatistics = lackStatistics(*weights, *m_in.plan.recipe);
    const std::string name = nameOf(sources);
    Unmatched unmatched;
    const Status loaded = loadWeights(*m_task, std::move(*weights), name, &unmatched);
    if (!loaded)
        return loaded;
    if (m_in.group.isMain() && !unmatched.isEmpty())
        if (const Status listed
            = writeFileAtomically(m_in.folder.path / kListFile, listAll(unmatched));
            !listed)
            return listed;
    const std::string hint
        = unmatched.isEmpty() ? "" : std::string("; every name is in the run's ") + kListFile;
    if (const std::string why = whyNoStart(unmatched, m_task->modules(), options); !why.empty())
        return Error { "init_param: " + name + why + hint };
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
