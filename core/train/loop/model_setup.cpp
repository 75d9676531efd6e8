#include "core/train/loop/model_setup.h"

#include "core/base/file.h"
#include "core/decode/hotword_rate.h"
#include "core/model/adapters/adapted_model.h"
#include "core/model/pretrained/hub_layer.h"
#include "core/model/statistics.h"
#include "core/settings/search_setting.h"
#include "core/train/heartbeat_scope.h"
#include "core/train/inspect_setup.h"
#include "core/train/loop/reporter.h"
#include "core/train/optim/parameter_groups.h"
#include "core/train/placement.h"
#include "core/train/task/ctc_search.h"
#include "core/train/task/hotword_list.h"
#include "core/train/weights/kept_files.h"

#include <algorithm>

namespace earwright::train {

namespace {

constexpr const char* kOneWeight = "the model has one weight for all hotwords, 'hotword_weight': "
                                   "those behind the phrases of 'hotword' are not used";

} // namespace

Status ModelSetup::buildModel()
{
    const plan::RunOptions& options = m_in.plan.options;
    torch::manual_seed(static_cast<uint64_t>(options.seed));
    Result<std::unique_ptr<Task>> task = [&] {
        // An n-gram, hundreds of thousands of noises.
        const HeartbeatScope loading(m_in.group.pulse());
        return makeTask(*withKeptFiles(*m_in.plan.recipe, m_in.folder.path), m_data.encoder,
            m_in.device, options.lossWeighting);
    }();
    if (!task)
        return task.error();
    m_task = std::move(*task);
    warnOfHotwords();
    tellOfPretrained();
    if (const Status ready = loadSearches(); !ready)
        return ready;
    m_task->modules().to(m_in.device);
    m_task->modules().train(true);
    if (const Status frozen = freeze(options.freezeParam, m_task->modules().weights()); !frozen)
        return frozen;
    if (const Status placed = verifyModel(); !placed)
        return placed;
    if (m_in.group.size() > 1)
        synchroniseStatistics();
    m_model.parameters = m_task->modules().parameters();
    if (m_model.parameters.empty())
        return Error {
            "the recipe's modules have no trainable parameters: nothing would be trained"
        };

    auto optimization = Optimization::make(m_in, m_task->modules());
    if (!optimization)
        return optimization.error();
    m_model.optimization = std::move(*optimization);
    const Result<precision::Type> type = precision::parseType(options.precision);
    const Result<precision::Type> evalType = precision::parseType(options.evalPrecision);
    if (!type || !evalType)
        return (type ? evalType : type).error();
    m_model.precision = std::make_unique<precision::Precision>(
        *type, *evalType, m_in.device, std::nullopt, m_in.plan.options.gradScalerInitScale);
    return buildPass();
}

/// What a test lacks is told before the training, which runs without it.
Status ModelSetup::loadSearches()
{
    const HeartbeatScope loading(m_in.group.pulse());
    if (m_data.valid.utterances)
        if (const Status ready = m_task->readyFor(Stage::Valid); !ready)
            return ready;
    if (m_data.tests.empty())
        return Done {};
    const Status ready = m_task->readyFor(Stage::Test);
    if (!ready && m_in.group.isMain())
        m_in.events.write(
            { .payload = run::Message { "warning", settings::untestable(ready.error().message) } });
    return Done {};
}

void ModelSetup::warnOfHotwords()
{
    const auto* listener = dynamic_cast<const HotwordListener*>(m_task.get());
    if (listener == nullptr || !m_in.group.isMain())
        return;
    const auto listed = searchedHotwords(*withKeptFiles(*m_in.plan.recipe, m_in.folder.path));
    const bool haveWeights
        = listed && std::any_of(listed->begin(), listed->end(), [](const decode::Hotword& hotword) {
              return hotword.weight != decode::kUsualHotwordWeight;
          });
    for (const std::string& text : { leftOutText(listener->leftOut()) + listener->hint(),
             std::string(haveWeights ? kOneWeight : "") }) {
        if (!text.empty())
            m_in.events.write({ .payload = run::Message { "warning", text } });
    }
}

/// What their folders held, what has adapters and what is frozen.
void ModelSetup::tellOfPretrained()
{
    if (!m_in.group.isMain())
        return;
    const auto tell = [this](const std::string& name, const Names& sentences) {
        for (const std::string& sentence : sentences)
            m_in.events.write(
                { .payload = run::Message { "info", "'" + name + "': " + sentence } });
    };
    for (const auto& [name, layer] : m_task->modules().modules()) {
        if (const auto pretrained
            = std::dynamic_pointer_cast<model::HubLayer>(model::unwrapped(layer)))
            tell(name, pretrained->told());
        if (const auto adapted = std::dynamic_pointer_cast<model::AdaptedModel>(layer))
            tell(name, adapted->told());
    }
}

/// What goes through the model and adds up the ranks' gradients.
Status ModelSetup::buildPass()
{
    const plan::RunOptions& options = m_in.plan.options;
    std::vector<torch::Tensor> untrained; // frozen weights and buffers
    for (const auto& [name, weight] : m_task->modules().weights()) {
        if (!weight.requires_grad())
            untrained.push_back(weight);
    }
    for (const auto& [name, buffer] : m_task->modules().buffers())
        untrained.push_back(buffer);
    const bool dropsAny = dropsLayers(m_task->modules());
    if (const Status fits = fitsStaticGraph(m_task->modules(), options); !fits)
        return fits;
    m_model.sync = std::make_unique<distributed::GradientSync>(m_in.group, m_model.parameters,
        untrained,
        distributed::SyncOptions { .findUnusedParameters = options.findUnusedParameters || dropsAny,
            .gradientAsBucketView = options.gradientAsBucketView,
            .staticGraph = options.staticGraph,
            .bucketCapMb = options.bucketCapMb,
            .commHook = distributed::parseCommHook(options.ddpCommHook),
            .enabled = options.syncGradients });
    m_model.pass = std::make_unique<FittingPass>(PassSetting { .task = *m_task,
        .precision = *m_model.precision,
        .sync = *m_model.sync,
        .group = m_in.group,
        .parameters = m_model.parameters,
        .device = m_in.device,
        .sampleRateHz = m_data.train.loader.sampleRateHz,
        .syncBatchnorm = options.syncBatchnorm,
        .report = [&context = m_in, &state = m_state](
                      const NotFitting& found) { reportNotFitting(context, state, found); } });
    return Done {};
}

void ModelSetup::synchroniseStatistics()
{
    const auto sumOverRanks
        = [&group = m_in.group, &isRepeated = m_model.isRepeated](torch::Tensor& sums) {
              group.allReduceSum(sums);
              if (isRepeated) // the sums of one copy
                  sums.div_(group.size());
          };
    const auto which
        = m_in.plan.options.syncBatchnorm ? model::Shared::All : model::Shared::AllButBatchNorm;
    for (const auto& [key, layer] : m_task->modules().modules())
        model::synchroniseStatistics(*layer, sumOverRanks, which);
}

Status ModelSetup::verifyModel()
{
    const std::vector<Placement> placements = placementsOf(m_task->modules(), m_in.plan.places);
    const std::filesystem::path file = m_in.folder.placement(m_in.group.rank());
    std::error_code alreadyThere;
    std::filesystem::create_directories(file.parent_path(), alreadyThere);
    const Status written = writeFileAtomically(file, placementTable(placements));
    return written ? verifyPlacement(placements, m_in.device) : written;
}

} // namespace earwright::train
