#include "core/train/ctc_task.h"

#include "core/catalog/read.h"
#include "core/decode/ctc_greedy.h"
#include "core/model/autocast_off.h"
#include "core/model/ctc_loss.h"
#include "core/model/input_normalization.h"
#include "core/train/cpu_memory.h"
#include "core/train/recipe_keys.h"

namespace kymo::train {

namespace {

const std::vector<std::string> kKeys { "compute_features", "normalize", "CNN", "enc", "model",
    "ctc_lin", "output", "log_softmax" };

Status demand(const std::shared_ptr<model::Layer>& layer, const std::string& what)
{
    return layer ? Status(Done {})
                 : Status(Error { "task ctc needs " + what + ": the recipe does not define it" });
}

/// A label beyond the last class would be read outside the output.
Status fits(model::Layer& output, int64_t labels)
{
    int64_t classes = 0;
    for (const auto& parameter : output.named_parameters())
        classes = parameter.value().dim() == 2 ? parameter.value().size(0) : classes;
    if (classes == 0 || classes >= labels)
        return Done {};
    return Error { "the output layer has " + std::to_string(classes)
        + " classes, but the training texts have " + std::to_string(labels)
        + " labels with the blank (label_encoder.txt lists them): set output_neurons to "
        + std::to_string(labels) };
}

/// What the loss of a batch is the mean over; the reduction becomes the one that gives it.
LossUnit weigh(catalog::CtcLossConfig& loss, const std::string& lossWeighting)
{
    if (lossWeighting == "tokens") {
        loss.reduction = "sum";
        return LossUnit::Tokens;
    }
    if (lossWeighting == "utterances" && loss.reduction == "sum")
        loss.reduction = "batchmean";
    return loss.reduction == "sum" ? LossUnit::Sum : LossUnit::Utterances;
}

} // namespace

Result<std::unique_ptr<Task>> CtcTask::make(const recipe::Node& recipe,
    std::shared_ptr<const data::TextEncoder> encoder, c10::Device device,
    const std::string& lossWeighting)
{
    // `model` is mostly the ModuleList of what is trained; only a recipe without `enc` means a
    // network by it.
    std::vector<std::string> keys = kKeys;
    if (recipe::find(recipe, "enc"))
        std::erase(keys, "model");
    Result<ModuleSet> modules = ModuleSet::build(recipe, keys);
    if (!modules)
        return modules.error();
    std::unique_ptr<CtcTask> task(new CtcTask(std::move(*modules)));
    task->m_features = task->link({ "compute_features" });
    task->m_normalize = task->link({ "normalize" });
    task->m_cnn = task->link({ "CNN" });
    task->m_encoder = task->link({ "enc", "model" });
    task->m_output = task->link({ "ctc_lin", "output" });
    task->m_logSoftmax = task->link({ "log_softmax" });
    for (const Status& status : { demand(task->m_features.layer, "compute_features"),
             demand(task->m_encoder.layer, "enc (or model)"),
             demand(task->m_output.layer, "ctc_lin (or output)") }) {
        if (!status)
            return status.error();
    }
    const Status wide = fits(*task->m_output.layer, encoder->size());
    if (!wide)
        return wide.error();
    Result<FeatureAugmenter> augmenter
        = FeatureAugmenter::from(firstKey(recipe, { "fea_augment", "augmentation" }).get());
    if (!augmenter)
        return augmenter.error();
    task->m_augmenter = std::move(*augmenter);
    std::vector<recipe::Diagnostic> diagnostics;
    if (const recipe::NodePtr cost = firstKey(recipe, { "ctc_cost", "compute_cost" }))
        task->m_loss = catalog::readConfig<catalog::CtcLossConfig>(*cost, diagnostics);
    task->m_lossUnit = weigh(task->m_loss, lossWeighting);
    task->m_textEncoder = std::move(encoder);
    task->m_device = device;
    return std::unique_ptr<Task>(std::move(task));
}

CtcTask::Link CtcTask::link(std::initializer_list<const char*> keys) const
{
    for (const char* key : keys) {
        if (const auto layer = m_modules.find(key))
            return { key, layer };
    }
    return {};
}

torch::Tensor CtcTask::pass(const Link& link, const torch::Tensor& input, torch::Tensor lengths_B)
{
    if (!link.layer)
        return input;
    if (m_observer)
        m_observer(link.key, input);
    return link.layer->forward(input, std::move(lengths_B));
}

/// Each row by itself: what does not fit into memory is computed in halves.
torch::Tensor CtcTask::spectra(const torch::Tensor& waves_BT)
{
    try {
        return pass(m_features, waves_BT);
    } catch (const c10::OutOfMemoryError&) {
        if (waves_BT.size(0) == 1)
            throw;
    }
    releaseCached(m_device);
    const auto halves = waves_BT.chunk(2);
    return torch::cat({ spectra(halves[0]), spectra(halves[1]) });
}

torch::Tensor CtcTask::features(const data::Batch& batch, Stage stage)
{
    torch::NoGradGuard noGrad; // no gradient goes back into the audio
    // LibTorch's default type is float32, unless a proof of equality asks for float64.
    const auto options = torch::TensorOptions(m_device).dtype(torch::get_default_dtype());
    const torch::Tensor waves_BT = batch.wavs_BT.to(options, true);
    const torch::Tensor lengths_B = batch.wavLens_B.to(m_device, true);
    const torch::Tensor features_BTF = pass(m_normalize, spectra(waves_BT), lengths_B);
    return stage == Stage::Train ? m_augmenter.apply(features_BTF) : features_BTF;
}

torch::Tensor CtcTask::logProbs(const torch::Tensor& features_BTF, const torch::Tensor& lengths_B)
{
    torch::Tensor x = pass(m_cnn, features_BTF);
    // CRDNN takes no lengths upstream; behind a CNN front end the encoder masks by them.
    x = pass(m_encoder, x, m_cnn.layer ? lengths_B : torch::Tensor());
    x = pass(m_logSoftmax, pass(m_output, x));
    if (m_observer)
        m_observer("", x);
    return m_logSoftmax.layer ? x : x.to(model::fullType(x)).log_softmax(-1);
}

/// The lengths stay on the CPU: ATen's CTC loss would wait for the device to read them there.
torch::Tensor CtcTask::loss(const torch::Tensor& logProbs_BTV, const data::Batch& batch) const
{
    const torch::Tensor loss = model::ctcLoss(logProbs_BTV, batch.tokens_BL.to(m_device, true),
        batch.wavLens_B, batch.tokenLens_B, m_loss);
    if (m_lossUnit == LossUnit::Tokens)
        return loss / std::max<int64_t>(batch.tokens, 1);
    return loss.dim() == 0 ? loss : loss.mean(); // "none" and "batch" give a number a row
}

TaskOutput CtcTask::run(const data::Batch& batch, const torch::Tensor& features, Stage stage)
{
    const torch::Tensor lengths_B = batch.wavLens_B.to(m_device, true);
    const torch::Tensor logProbs_BTV = logProbs(features, lengths_B);
    TaskOutput output;
    output.loss = loss(logProbs_BTV, batch);
    if (stage == Stage::Train)
        return output;
    for (const std::vector<int64_t>& tokens :
        decode::ctcGreedy(logProbs_BTV, lengths_B, m_loss.blankIndex))
        output.hypotheses.push_back(m_textEncoder->decode(tokens));
    return output;
}

void CtcTask::startEpoch(int64_t epoch)
{
    if (const auto normalize
        = std::dynamic_pointer_cast<model::InputNormalization>(m_normalize.layer))
        normalize->setEpoch(epoch);
}

std::vector<std::pair<std::string, torch::Tensor>> CtcTask::extraState() const
{
    std::vector<std::pair<std::string, torch::Tensor>> state;
    if (const auto normalize
        = std::dynamic_pointer_cast<model::InputNormalization>(m_normalize.layer)) {
        for (const auto& [name, tensor] : normalize->state())
            state.emplace_back("normalize." + name, tensor);
    }
    return state;
}

void CtcTask::restoreExtraState(const std::map<std::string, torch::Tensor>& state)
{
    std::map<std::string, torch::Tensor> mine;
    for (const auto& [name, tensor] : state) {
        if (name.starts_with("normalize."))
            mine[name.substr(10)] = tensor;
    }
    if (const auto normalize
        = std::dynamic_pointer_cast<model::InputNormalization>(m_normalize.layer);
        normalize && !mine.empty())
        normalize->restore(mine);
}

Result<std::unique_ptr<Task>> makeTask(const recipe::Node& recipe,
    std::shared_ptr<const data::TextEncoder> encoder, c10::Device device,
    const std::string& lossWeighting)
{
    const recipe::NodePtr name = recipe::find(recipe, "task");
    if (name && recipe::asString(*name) == "ctc")
        return CtcTask::make(recipe, std::move(encoder), device, lossWeighting);
    return Error { "unknown task '" + (name ? recipe::asString(*name) : "")
        + "': Kymo trains `task: ctc`" };
}

} // namespace kymo::train
