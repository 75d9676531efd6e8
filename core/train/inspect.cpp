#include "core/train/inspect.h"

#include "core/catalog/catalog.h"
#include "core/data/encoder_recipe.h"
#include "core/model/transformer/layer_drop.h"
#include "core/precision/precision.h"
#include "core/settings/adapted_object.h"
#include "core/settings/layer_keys.h"
#include "core/settings/tree.h"
#include "core/tasks/spec.h"
#include "core/train/dataset.h"
#include "core/train/memory/memory_meter.h"
#include "core/train/optim/encoder_learning.h"
#include "core/train/optim/optimizer.h"
#include "core/train/optim/optimizers.h"
#include "core/train/optim/parameter_groups.h"
#include "core/train/task/task.h"

#include <algorithm>
#include <numeric>

namespace earwright::train {

namespace {

constexpr int64_t kRows = 2;
constexpr double kTinySeconds = 0.4; ///< about 40 frames of 10 ms
/// Long enough that activations, not the temporaries of the weights' gradients, make the peak.
constexpr double kFitSeconds[] = { 1, 2, 4 };
constexpr double kSecondsPerToken = 0.2; ///< of the noise's transcript: CTC can always align it

/// `mostTokens`: of its transcript; none: any number.
data::Batch noise(const BatchSize& size, int64_t sampleRateHz, std::optional<int64_t> mostTokens)
{
    const auto numSamples = static_cast<int64_t>(size.seconds * static_cast<double>(sampleRateHz));
    auto numTokens = std::max<int64_t>(1, static_cast<int64_t>(size.seconds / kSecondsPerToken));
    numTokens = std::min(numTokens, mostTokens.value_or(numTokens));
    data::Batch batch;
    batch.wavs_BT = torch::randn({ size.rows, numSamples }) * 0.1;
    batch.wavLens_B = torch::ones({ size.rows });
    batch.tokens_BL = torch::ones({ size.rows, numTokens }, torch::kInt64);
    batch.tokenLens_B = torch::ones({ size.rows });
    batch.ids.assign(static_cast<size_t>(size.rows), "noise");
    batch.tokens = size.rows * numTokens;
    batch.wholeSize = size.rows;
    batch.wholeTokens = batch.tokens;
    return batch;
}

/// Of Whisper its folder's. A transcript of two labels fits every output layer there is.
Result<std::shared_ptr<const data::TextEncoder>> anyLabels(const recipe::Node& recipe)
{
    if (!data::encoderSource(recipe).isBytePairs)
        return std::make_shared<const data::TextEncoder>(data::TextEncoder::fromTexts({ "a" }, 0));
    Result<data::MadeEncoder> made = data::makeEncoder(recipe, {});
    if (!made)
        return made.error();
    return std::make_shared<const data::TextEncoder>(std::move(made->encoder));
}

int64_t bytesOf(const torch::Tensor& tensor)
{
    return static_cast<int64_t>(tensor.nbytes());
}

class Inspector final {
public:
    Inspector(const plan::Plan& plan, Task& task, MemoryMeter& meter)
        : m_plan(plan)
        , m_task(task)
        , m_meter(meter)
        , m_sampleRateHz(plan.settings.features.sampleRateHz)
        , m_mostTokens(tasks::mostTokens(*plan.recipe))
    {
    }

    Result<Inspected> run(const BatchSize& batch, bool measure);

private:
    void step(const BatchSize& size, precision::Type type);
    int64_t activationBytes(const BatchSize& size, precision::Type type);
    std::optional<recipe::Diagnostic> traceLayers(Inspected& inspected);
    void entered(std::vector<InspectedLayer>& layers, const std::string& key,
        const torch::Tensor& input) const;
    recipe::Diagnostic refusal(const InspectedLayer& layer, const c10::Error& error) const;
    Status buildOptimizer(Inspected& inspected);
    static void addGroups(const torch::optim::Optimizer& optimizer, Inspected& inspected);
    MemoryForecast forecast(const BatchSize& batch, precision::Type type, bool measure);

    const plan::Plan& m_plan;
    Task& m_task;
    MemoryMeter& m_meter;
    const int64_t m_sampleRateHz;
    const std::optional<int64_t> m_mostTokens; ///< of a text
    std::unique_ptr<torch::optim::Optimizer> m_optimizer;
    std::unique_ptr<EncoderLearning> m_encoderLearning; ///< null without
};

void Inspector::step(const BatchSize& size, precision::Type type)
{
    torch::Tensor loss;
    const model::LayerChoice allLayers; // as a batch may ask for
    {
        const precision::Autocast cast(type, torch::kCPU);
        loss = m_task.run(noise(size, m_sampleRateHz, m_mostTokens), Stage::Train).loss;
    }
    loss.backward();
}

int64_t Inspector::activationBytes(const BatchSize& size, precision::Type type)
{
    m_meter.restart();
    step(size, type);
    return m_meter.peakBytes();
}

void Inspector::entered(
    std::vector<InspectedLayer>& layers, const std::string& key, const torch::Tensor& input) const
{
    // A chain that has ended keeps what it gave: the next one branches off before it.
    if (!layers.empty() && layers.back().output.empty())
        layers.back().output = input.sizes().vec();
    if (key.empty())
        return;
    const recipe::NodePtr node = settings::findLayer(*m_plan.recipe, key);
    const auto place = m_plan.places.find(key);
    layers.push_back({ .key = key,
        .className = node ? catalog::lastPart(catalog::classOf(*node)) : "",
        .place = place == m_plan.places.end() ? "" : place->second,
        .input = input.sizes().vec(),
        .output = {},
        .device = {} });
}

recipe::Diagnostic Inspector::refusal(const InspectedLayer& layer, const c10::Error& error) const
{
    const recipe::NodePtr node
        = settings::adaptedObject(settings::findLayer(*m_plan.recipe, layer.key));
    recipe::Span place = node->span;
    for (const char* argument : { "input_shape", "input_size" }) {
        // The key: the value may stand elsewhere, behind a reference.
        if (const recipe::Entry* given = settings::findEntry(*node, argument))
            place = given->key->span;
    }
    const std::string text = error.what_without_backtrace();
    return { recipe::Severity::Error, "shape-mismatch",
        "'" + layer.key + "' (" + layer.className + ") cannot take an input of shape "
            + c10::str(c10::IntArrayRef(layer.input)) + ": " + text.substr(0, text.find('\n')),
        place, std::nullopt };
}

std::optional<recipe::Diagnostic> Inspector::traceLayers(Inspected& inspected)
{
    m_task.observe([&](const std::string& key, const torch::Tensor& input) {
        entered(inspected.layers, key, input);
    });
    std::optional<recipe::Diagnostic> refused;
    try {
        step({ kRows, kTinySeconds }, precision::Type::Fp32);
    } catch (const c10::Error& error) {
        if (inspected.layers.empty())
            throw;
        refused = refusal(inspected.layers.back(), error);
    }
    m_task.observe({});
    return refused;
}

Status Inspector::buildOptimizer(Inspected& inspected)
{
    const settings::OptimizerSettings& settings = m_plan.settings.optimizer;
    const recipe::NodePtr node = settings.optimizer;
    if (!node)
        return Error { "the recipe names no optimizer: set opt_class" };
    const DividedParameters divided = divideParameters(m_task.modules(), settings);
    const auto groups = parameterGroups(*m_plan.recipe, divided.others);
    if (!groups)
        return groups.error();
    std::vector<recipe::Diagnostic> diagnostics;
    m_optimizer
        = makeOptimizer(*node, *groups, diagnostics, m_plan.options.removeVectorWeightDecay);
    if (!m_optimizer)
        return Error { diagnostics.front().message };
    inspected.optimizer = catalog::lastPart(catalog::classOf(*node));
    addGroups(*m_optimizer, inspected);
    if (!settings.ofEncoder)
        return Done {};
    auto learning = EncoderLearning::make(
        *settings.ofEncoder, divided.ofEncoder, m_plan.options.removeVectorWeightDecay);
    if (!learning)
        return learning.error();
    m_encoderLearning = std::move(*learning);
    inspected.optimizer += " and, of the pretrained encoder, "
        + std::string(catalog::lastPart(catalog::classOf(*settings.ofEncoder->optimizer)));
    addGroups(m_encoderLearning->optimizer(), inspected);
    return Done {};
}

void Inspector::addGroups(const torch::optim::Optimizer& optimizer, Inspected& inspected)
{
    for (const auto& group : optimizer.param_groups()) {
        OptimizerGroup row { .tensorCount = std::ssize(group.params()) };
        for (const torch::Tensor& parameter : group.params())
            row.parameterCount += parameter.numel();
        if (const auto* options = dynamic_cast<const GroupOptions*>(&group.options())) {
            row.learningRate = options->rate();
            row.weightDecay = options->weightDecay;
        }
        inspected.groups.push_back(row);
    }
}

MemoryForecast Inspector::forecast(const BatchSize& batch, precision::Type type, bool measure)
{
    MemoryForecast forecast;
    for (const auto& [name, weight] : m_task.modules().weights())
        forecast.weightBytes += bytesOf(weight); // frozen ones too
    for (const auto& [name, parameter] : m_task.modules().parameters())
        forecast.gradientBytes += bytesOf(parameter);
    for (const auto& [name, buffer] : m_task.modules().buffers())
        forecast.weightBytes += bytesOf(buffer);
    for (const auto& [name, state] : optimizerState(*m_optimizer))
        forecast.optimizerBytes += bytesOf(state);
    if (m_encoderLearning)
        for (const auto& [name, state] : optimizerState(m_encoderLearning->optimizer()))
            forecast.optimizerBytes += bytesOf(state);
    std::vector<std::pair<double, double>> points;
    for (const double seconds : kFitSeconds)
        points.emplace_back(
            seconds, static_cast<double>(activationBytes({ kRows, seconds }, type)));
    // bytes(rows, t) = a + rows (b + c t + d t²): `a` is the weights' own share (casts, gradients'
    // temporaries), t² attention's. Twice the rows tell `a` from b, at the
    // longest: at a short one other tensors make the peak.
    const auto ofTwice
        = static_cast<double>(activationBytes({ 2 * kRows, points.back().first }, type));
    const double own = std::max(0.0, 2 * points.back().second - ofTwice);
    forecast.activationBytes = static_cast<int64_t>(own
        + (extrapolate(points, batch.seconds) - own) * static_cast<double>(batch.rows)
            / static_cast<double>(kRows));
    if (measure)
        forecast.measuredActivationBytes = activationBytes(batch, type);
    return forecast;
}

/// Layers with weights that the forward does not hand on its own: a decoder's, SeACo's.
void addUnseen(Inspected& inspected, const recipe::Node& recipe)
{
    for (const Placement& row : inspected.placements) {
        const bool isSeen = std::any_of(inspected.layers.begin(), inspected.layers.end(),
            [&](const InspectedLayer& layer) { return layer.key == row.key; });
        const recipe::NodePtr node = settings::findLayer(recipe, row.key);
        if (!isSeen && node)
            inspected.layers.push_back({ .key = row.key,
                .className = catalog::lastPart(catalog::classOf(*node)),
                .place = row.place,
                .input = {},
                .output = {},
                .device = {} });
    }
}

void countParameters(Inspected& inspected)
{
    for (InspectedLayer& layer : inspected.layers) {
        for (const Placement& row : inspected.placements) {
            if (row.key != layer.key || row.kind == "buffer")
                continue;
            const int64_t count = std::accumulate(
                row.shape.begin(), row.shape.end(), int64_t(1), std::multiplies<>());
            layer.parameterCount += count;
            layer.trainedCount += row.kind == "parameter" && row.isInModules ? count : 0;
            layer.device = row.device.str();
        }
    }
}

Result<Inspected> Inspector::run(const BatchSize& batch, bool measure)
{
    Inspected inspected;
    inspected.batch = batch;
    m_task.modules().train(true);
    inspected.error = traceLayers(inspected);
    if (!inspected.error) {
        if (const Status made = buildOptimizer(inspected); !made)
            return made.error();
        if (batch.rows > 0) {
            for (const auto& [type, names] : { std::pair { precision::Type::Fp32, "fp32, tf32" },
                     std::pair { precision::Type::Bf16, "bf16, fp16" } }) {
                inspected.memory.push_back(forecast(batch, type, measure));
                inspected.memory.back().precisions = names;
            }
        }
    }
    m_task.modules().to(c10::Device(m_plan.devices.front()));
    inspected.placements = placementsOf(m_task.modules(), m_plan.places);
    if (!inspected.error)
        addUnseen(inspected, *m_plan.recipe);
    countParameters(inspected);
    return inspected;
}

/// The largest padded batch of the first epoch, one rank's part; none without a manifest.
Result<BatchSize> largestBatch(const plan::Plan& plan)
{
    const Result<std::vector<Split>> splits = readSplits(plan, "train");
    if (!splits)
        return splits.error();
    BatchSize largest;
    if (splits->empty())
        return largest;
    const Split& train = splits->front();
    for (const std::vector<int64_t>& whole : data::makeBatches(
             *train.utterances, train.batching, static_cast<uint64_t>(plan.options.seed), 1)) {
        BatchSize size { .rows = std::ssize(data::rankPart(whole, 0, std::ssize(plan.devices))) };
        for (const int64_t index : whole)
            size.seconds = std::max(
                size.seconds, (*train.utterances)[static_cast<size_t>(index)].durationSeconds);
        if (static_cast<double>(size.rows) * size.seconds
            > static_cast<double>(largest.rows) * largest.seconds)
            largest = size;
    }
    return largest;
}

} // namespace

double extrapolate(const std::vector<std::pair<double, double>>& points, double at)
{
    double value = 0;
    for (size_t i = 0; i < points.size(); ++i) { // Lagrange's form
        double weight = points[i].second;
        for (size_t j = 0; j < points.size(); ++j) {
            if (j != i)
                weight *= (at - points[j].first) / (points[i].first - points[j].first);
        }
        value += weight;
    }
    return value;
}

Result<Inspected> inspect(const plan::Plan& plan, const InspectOptions& options)
{
    const Result<BatchSize> batch = options.batch ? *options.batch : largestBatch(plan);
    if (!batch)
        return batch.error();
    const auto labels = anyLabels(*plan.recipe);
    if (!labels)
        return labels.error();
    MemoryMeter meter; // before the model, whose tensors it must know
    Result<std::unique_ptr<Task>> task
        = makeTask(*plan.recipe, *labels, torch::kCPU, plan.options.lossWeighting);
    if (!task)
        return task.error();
    const Status frozen = freeze(plan.options.freezeParam, (*task)->modules().weights());
    if (!frozen)
        return frozen.error();
    torch::manual_seed(static_cast<uint64_t>(plan.options.seed));
    return Inspector(plan, **task, meter).run(*batch, options.measure);
}

} // namespace earwright::train
