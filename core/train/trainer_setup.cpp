#include "core/base/file.h"
#include "core/base/text.h"
#include "core/distributed/shared_file.h"
#include "core/model/adapters/adapted_model.h"
#include "core/model/pretrained/hub_layer.h"
#include "core/model/statistics.h"
#include "core/recipe/resolve.h"
#include "core/settings/optimizer_settings.h"
#include "core/settings/search_setting.h"
#include "core/train/getting_on.h"
#include "core/train/inspect_setup.h"
#include "core/train/optim/parameter_groups.h"
#include "core/train/placement.h"
#include "core/train/trainer.h"
#include "core/train/weights/average.h"
#include "core/train/weights/checkpoint_folder.h"
#include "core/train/weights/kept_files.h"

#include <ATen/Context.h>

namespace earwright::train {

namespace {

} // namespace

Trainer::Trainer(const Surroundings& surroundings)
    : m_in(surroundings)
    , m_readings(surroundings.device)
    , m_board(surroundings.group)
{
}

Trainer::~Trainer() = default;

Result<std::unique_ptr<Trainer>> Trainer::make(const Surroundings& surroundings)
{
    std::unique_ptr<Trainer> trainer(new Trainer(surroundings));
    const Status ready = trainer->prepare();
    if (!ready)
        return ready.error();
    return trainer;
}

Status Trainer::prepare()
{
    enterPhase("prepare");
    for (const auto& step : { &Trainer::readData, &Trainer::buildModel, &Trainer::resume,
             &Trainer::compareData, &Trainer::inspectData, &Trainer::checkUnused }) {
        const Status done = (this->*step)();
        if (!done || m_stop)
            return done;
    }
    m_isPrepared = true;
    announce();
    return Done {};
}

Status Trainer::buildModel()
{
    const plan::RunOptions& options = m_in.plan.options;
    torch::manual_seed(static_cast<uint64_t>(options.seed));
    Result<std::unique_ptr<Task>> task = [&] {
        const GettingOn loading(m_in.group.pulse()); // an n-gram, hundreds of thousands of noises
        return makeTask(*withKeptFiles(*m_in.plan.recipe, m_in.folder.path), m_encoder, m_in.device,
            options.lossWeighting);
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
    m_parameters = m_task->modules().parameters();
    if (m_parameters.empty())
        return Error {
            "the recipe's modules have no trainable parameters: nothing would be trained"
        };

    if (const Status built = buildOptimizer(); !built)
        return built;
    const Result<precision::Type> type = precision::parseType(options.precision);
    const Result<precision::Type> evalType = precision::parseType(options.evalPrecision);
    if (!type || !evalType)
        return (type ? evalType : type).error();
    m_precision = std::make_unique<precision::Precision>(
        *type, *evalType, m_in.device, std::nullopt, m_in.plan.options.gradScalerInitScale);
    return buildPass();
}

/// What a test lacks is told before the training, which runs without it.
Status Trainer::loadSearches()
{
    const GettingOn loading(m_in.group.pulse());
    if (m_valid.utterances)
        if (const Status ready = m_task->readyFor(Stage::Valid); !ready)
            return ready;
    if (m_tests.empty())
        return Done {};
    const Status ready = m_task->readyFor(Stage::Test);
    if (!ready && m_in.group.isMain())
        m_in.events.write(
            { .payload = run::Message { "warning", settings::untestable(ready.error().message) } });
    return Done {};
}

/// What their folders held, what has adapters and what is frozen.
void Trainer::tellOfPretrained()
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
Status Trainer::buildPass()
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
    m_sync = std::make_unique<distributed::GradientSync>(m_in.group, m_parameters, untrained,
        distributed::SyncOptions { .findUnusedParameters = options.findUnusedParameters || dropsAny,
            .gradientAsBucketView = options.gradientAsBucketView,
            .staticGraph = options.staticGraph,
            .bucketCapMb = options.bucketCapMb,
            .commHook = distributed::parseCommHook(options.ddpCommHook),
            .enabled = options.syncGradients });
    m_pass = std::make_unique<FittingPass>(PassSetting { .task = *m_task,
        .precision = *m_precision,
        .sync = *m_sync,
        .group = m_in.group,
        .parameters = m_parameters,
        .device = m_in.device,
        .sampleRateHz = m_train.loader.sampleRateHz,
        .syncBatchnorm = options.syncBatchnorm,
        .report = [this](const NotFitting& found) { reportNotFitting(found); } });
    return Done {};
}

void Trainer::synchroniseStatistics()
{
    const auto sumOverRanks = [this](torch::Tensor& sums) {
        m_in.group.allReduceSum(sums);
        if (m_isRepeated) // the sums of one copy
            sums.div_(m_in.group.size());
    };
    const auto which
        = m_in.plan.options.syncBatchnorm ? model::Shared::All : model::Shared::AllButBatchNorm;
    for (const auto& [key, layer] : m_task->modules().modules())
        model::synchroniseStatistics(*layer, sumOverRanks, which);
}

Status Trainer::verifyModel()
{
    const std::vector<Placement> placements = placementsOf(m_task->modules(), m_in.plan.places);
    const std::filesystem::path file = m_in.folder.placement(m_in.group.rank());
    std::error_code alreadyThere;
    std::filesystem::create_directories(file.parent_path(), alreadyThere);
    const Status written = writeFileAtomically(file, placementTable(placements));
    return written ? verifyPlacement(placements, m_in.device) : written;
}

Result<std::unique_ptr<torch::optim::Optimizer>> Trainer::makeOptimizerOf(
    const recipe::Node& optClass)
{
    const auto settings = settings::optimizerSettings(*m_in.plan.recipe);
    const auto groups
        = parameterGroups(*m_in.plan.recipe, divideParameters(m_task->modules(), settings).others);
    if (!groups)
        return groups.error();
    std::vector<recipe::Diagnostic> diagnostics;
    auto made
        = makeOptimizer(optClass, *groups, diagnostics, m_in.plan.options.removeVectorWeightDecay);
    if (const Status right = recipe::firstError(diagnostics); !right)
        return right.error();
    return made;
}

Status Trainer::buildOptimizer()
{
    const auto [opt, annealing, second, ofEncoder] = settings::optimizerSettings(*m_in.plan.recipe);
    if (!opt)
        return Error { "the recipe names no optimizer: set opt_class" };
    if (second) // what is wrong with it is told now, not after the first stage
        if (const auto later = makeOptimizerOf(*second->optimizer); !later)
            return later.error();
    m_secondStage = second;
    auto made = makeOptimizerOf(*opt);
    if (!made)
        return made.error();
    m_optimizer = std::move(*made);
    m_recipeRate = learningRate(*m_optimizer);
    m_scheduleOf = sha256Hex(annealing ? recipe::emitYaml(*annealing) : "");
    std::vector<recipe::Diagnostic> diagnostics;
    if (auto schedule = makeSchedule(annealing.get(), diagnostics))
        m_schedule = std::make_unique<ScaledSchedule>(std::move(schedule));
    const Status right = recipe::firstError(diagnostics);
    return right ? buildEncoderLearning() : right;
}

/// Where the recipe has one.
Status Trainer::buildEncoderLearning()
{
    const auto settings = settings::optimizerSettings(*m_in.plan.recipe);
    if (!settings.ofEncoder)
        return Done {};
    auto made = EncoderLearning::make(*settings.ofEncoder,
        divideParameters(m_task->modules(), settings).ofEncoder,
        m_in.plan.options.removeVectorWeightDecay);
    if (!made)
        return made.error();
    m_encoderLearning = std::move(*made);
    if (const recipe::NodePtr& schedule = settings.ofEncoder->schedule)
        m_scheduleOf = sha256Hex(m_scheduleOf + recipe::emitYaml(*schedule));
    return Done {};
}

/// The optimizer begins anew, at its own rate.
void Trainer::enterSecondStage()
{
    auto made = makeOptimizerOf(*m_secondStage->optimizer);
    TORCH_CHECK(made, made ? "" : made.error().message); // buildOptimizer() has made one
    m_optimizer = std::move(*made);
    m_recipeRate = learningRate(*m_optimizer); // of which a schedule is laid out anew
    m_isInSecondStage = true;
}

Status Trainer::resume()
{
    m_progress.attempt = m_in.attempt;
    // Each rank draws its own dropout masks; the initial weights above were drawn alike.
    torch::manual_seed(static_cast<uint64_t>(m_in.plan.options.seed + 7919 * m_in.group.rank()));
    const int64_t limit = m_in.plan.options.optimizerStepLimit;
    const int64_t inEpochs = stepsPerEpoch() * m_in.plan.options.numberOfEpochs;
    m_totalSteps = limit > 0 ? std::min(limit, inEpochs) : inEpochs;
    m_schedule->setTotalSteps(m_totalSteps);
    if (m_encoderLearning)
        m_encoderLearning->setTotalSteps(m_totalSteps);
    const std::filesystem::path folder = m_in.folder.checkpoints();
    const std::string name
        = m_in.group.runOnMain("last checkpoint", [&] { return checkpointToResume(folder); });
    if (name.empty()) {
        m_progress.scheduleOf = m_scheduleOf;
        m_progress.totalSteps = m_totalSteps;
        setLearningRate(*m_optimizer, m_schedule->firstRate(learningRate(*m_optimizer)));
        if (m_encoderLearning)
            m_encoderLearning->start();
        return loadInitialWeights();
    }
    const Result<Checkpoint> checkpoint = sharedCheckpoint(folder / name);
    if (!checkpoint)
        return checkpoint.error();
    return restore(*checkpoint);
}

/// Its name; "" where none was ever saved. Rank 0 only. Throws where there are some and none can be
/// read: to start anew would throw their steps away.
std::string Trainer::checkpointToResume(const std::filesystem::path& folder)
{
    const NewestCheckpoint newest = newestCheckpoint(folder);
    if (!newest.path && !newest.passedOver.empty())
        throw std::runtime_error("none of this run's checkpoints can be read: "
            + newest.passedOver.front().message + "; put a whole one there, or remove the folder '"
            + folder.string() + "' to start from step 0");
    for (const Error& error : newest.passedOver)
        m_in.events.write({ .payload
            = run::Message { "warning", "passed over, as it is damaged: " + error.message } });
    return newest.path ? newest.path->filename().string() : "";
}

/// One that rank 0 has chosen, as it is there.
Result<Checkpoint> Trainer::sharedCheckpoint(const std::filesystem::path& path)
{
    if (path.parent_path() != m_in.folder.checkpoints() || path.filename() == "..")
        return Error { "rank 0 tells of '" + path.string()
            + "', which is no checkpoint of this run" };
    distributed::awaitFiles(m_in.group, "files of a checkpoint",
        { path / "manifest.json", path / "model.safetensors", path / "training.safetensors" });
    return loadCheckpoint(path);
}

int64_t Trainer::stepsPerEpoch() const
{
    const plan::RunOptions& options = m_in.plan.options;
    const auto batches = data::makeBatches(
        *m_train.utterances, m_train.batching, static_cast<uint64_t>(options.seed), 1);
    return (std::ssize(batches) + options.gradAccumulationFactor - 1)
        / options.gradAccumulationFactor;
}

} // namespace earwright::train
