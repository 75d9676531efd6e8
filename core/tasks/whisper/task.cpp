#include "core/tasks/whisper/task.h"

#include "core/base/text.h"
#include "core/catalog/configs/loss.h"
#include "core/catalog/read.h"
#include "core/model/adapters/adapted_model.h"
#include "core/model/autocast_off.h"
#include "core/model/layer_table.h"
#include "core/model/whisper/log_mel.h"
#include "core/settings/hub_model.h"
#include "core/settings/hub_source.h"
#include "core/settings/tree.h"
#include "core/tasks/spec.h"
#include "core/tasks/whisper/task_texts.h"
#include "core/tasks/whisper/task_windows.h"
#include "core/train/task/batch_parts.h"

#include <algorithm>
#include <torch/utils.h>

namespace earwright::train {

namespace {

constexpr int64_t kStampsOfWindow = 1501; ///< 0 to 30 s, 20 ms apart
constexpr int kFramesASecond = 100;
constexpr int64_t kSamplesAFrame = model::LogMel::kSamples / model::LogMel::kFrames;

/// The layer of the recipe, and the tokens of its folder.
Result<SpokenWhisper> spokenWhisper(
    std::shared_ptr<model::Whisper> model, const data::TextEncoder& encoder)
{
    const data::BytePairs* pairs = encoder.bytePairs();
    if (!pairs)
        return Error { "task whisper writes the tokens of Whisper's folder: leave out tokenizer, "
                       "label_encoder and token_type" };
    Result<data::WhisperTokens> tokens = data::whisperTokens(*pairs);
    if (!tokens)
        return tokens.error();
    const catalog::WhisperConfig& config = model->config();
    Result<std::vector<int64_t>> prefix = data::prefixTokens(*tokens,
        { .language = config.language,
            .task = config.task,
            .isMultilingual = settings::isMultilingualWhisper(model->sizes().vocabulary) });
    if (!prefix)
        return Error { "'whisper': " + prefix.error().message };
    return SpokenWhisper { .model = std::move(model),
        .pairs = *pairs,
        .tokens = std::move(*tokens),
        .prefix = std::move(*prefix) };
}

} // namespace

WhisperTask::WhisperTask(
    ModuleSet modules, std::shared_ptr<const data::TextEncoder> encoder, c10::Device device)
    : LayeredTask(std::move(modules), std::move(encoder), device)
    , m_layer(link({ settings::kWhisper }))
    , m_logSoftmax(link({ "log_softmax" }))
{
}

Result<std::unique_ptr<Task>> WhisperTask::make(const recipe::Node& recipe,
    std::shared_ptr<const data::TextEncoder> encoder, c10::Device device,
    const std::string& lossWeighting)
{
    Result<ModuleSet> modules = ModuleSet::build(recipe, tasks::layerKeys("whisper"));
    if (!modules)
        return modules.error();
    std::unique_ptr<WhisperTask> task(
        new WhisperTask(std::move(*modules), std::move(encoder), device));
    Status ready = task->connect(recipe);
    if (ready)
        ready = task->readSearches(recipe);
    if (ready)
        ready = task->readCost(recipe, lossWeighting);
    if (!ready)
        return ready.error();
    return std::unique_ptr<Task>(std::move(task));
}

Status WhisperTask::connect(const recipe::Node& recipe)
{
    if (const Status read = readAugmenters(recipe); !read)
        return read;
    auto model = std::dynamic_pointer_cast<model::Whisper>(model::unwrapped(m_layer.layer));
    if (!model || model->config().encoderOnly)
        return Error { "task whisper needs 'whisper', an object of Whisper with its decoder "
                       "(encoder_only: False)" };
    Result<SpokenWhisper> whisper = spokenWhisper(std::move(model), textEncoder());
    if (!whisper)
        return whisper.error();
    const int64_t classes = whisper->model->sizes().vocabulary;
    if (classes < textEncoder().size())
        return Error { "Whisper has " + std::to_string(classes) + " classes (vocab_size), but "
            + textEncoder().sizeText() };
    m_whisper = std::move(*whisper);
    return Done {};
}

Status WhisperTask::readSearches(const recipe::Node& recipe)
{
    return m_searches.read(recipe, [&](const recipe::Entry& entry) {
        return WhisperTextSearch::from(recipe, entry, *m_whisper);
    });
}

Status WhisperTask::readCost(const recipe::Node& recipe, const std::string& lossWeighting)
{
    constexpr const char* kNllLoss = "speechbrain.nnet.losses.nll_loss";
    const recipe::NodePtr cost = recipe::find(recipe, "nll_loss");
    if (!cost || model::classOf(cost, "") != kNllLoss)
        return Error { std::string("nll_loss must be a !name: of ") + kNllLoss };
    std::vector<recipe::Diagnostic> reportedByTheCheck;
    const auto config = catalog::readConfig<catalog::NllLossConfig>(*cost, reportedByTheCheck);
    m_term = nllTerm(config.reduction, lossWeighting);
    m_term.endTokens = std::ssize(m_whisper->prefix); // its first is no target, and the end is one
    m_cost = { .labelSmoothing = config.labelSmoothing,
        .allowedLenDiff = config.allowedLenDiff,
        .reduction = m_term.reduction };
    return Done {};
}

torch::Tensor WhisperTask::features(const data::Batch& batch, Stage stage)
{
    if (stage == Stage::Train)
        return trainingInput(batch).features;
    const torch::NoGradGuard noGrad;
    return m_whisper->model->mel(waves(batch, stage));
}

TrainingInput WhisperTask::trainingInput(const data::Batch& batch)
{
    TrainingInput input = augmentedWaves(batch);
    const torch::NoGradGuard noGrad; // no gradient goes back into the audio
    input.features = m_whisper->model->mel(input.features);
    return input;
}

torch::Tensor WhisperTask::encode(const torch::Tensor& mel_BMF) const
{
    tell(m_layer.key, mel_BMF);
    return m_whisper->model->encode(mel_BMF);
}

torch::Tensor WhisperTask::loss(const torch::Tensor& encoder_BTD, const data::Batch& batch) const
{
    const SpokenTexts texts = spokenTexts(batch, *m_whisper);
    const torch::Tensor logits_BUV
        = m_whisper->model->logits(encoder_BTD, texts.told_BU.to(device(), true));
    const torch::Tensor passed_BUV = pass(m_logSoftmax, logits_BUV);
    tell("", passed_BUV);
    const torch::Tensor logProbs_BUV = m_logSoftmax.layer
        ? passed_BUV
        : passed_BUV.to(model::fullType(passed_BUV)).log_softmax(-1);
    return model::nllLoss(logProbs_BUV, texts.targets_BU.to(device(), true),
               texts.lengths_B.to(device(), true), m_cost)
               .sum()
        * factorOf(m_term, batch);
}

std::string WhisperTask::textOf(const std::vector<int64_t>& tokens) const
{
    return std::string(trim(textEncoder().decode(tokens)));
}

std::vector<std::string> WhisperTask::textsOf(
    const torch::Tensor& encoder_BTD, const data::Batch& batch, Stage stage)
{
    std::vector<std::string> texts;
    if (const WhisperTextSearch* const search = m_searches.at(stage))
        for (const std::vector<int64_t>& tokens :
            search->search(encoder_BTD.detach(), batch.wavLens_B).best())
            texts.push_back(textOf(tokens));
    return texts;
}

std::vector<std::vector<decode::CtcHypothesis>> WhisperTask::nBest(
    const data::Batch& batch, const torch::Tensor& features)
{
    return hypothesesOf(m_searches.at(Stage::Test)->search(encode(features), batch.wavLens_B),
        [this](const std::vector<int64_t>& tokens) { return textOf(tokens); });
}

Status WhisperTask::canTellTimes() const
{
    if (!m_searches.of(Stage::Test))
        return Error { "time stamps are written by the recipe's test_search: it has none" };
    if (m_searches.of(Stage::Test)->hasPrefix())
        return Error { "time stamps begin the text of each window, where 'prefix' of test_search "
                       "would stand: leave it out" };
    const int64_t wanted = m_whisper->tokens.firstTimestamp + kStampsOfWindow;
    if (const int64_t found = m_whisper->model->sizes().vocabulary; found < wanted)
        return Error { "this Whisper has " + std::to_string(found)
            + " tokens (vocab_size), and time stamps up to 30 s are those up to "
            + std::to_string(wanted - 1) + ": it writes none" };
    return Done {};
}

/// As upstream puts the tokens of all segments behind each other; unlike upstream no time is behind
/// the sound, of which a window hears 30 s with zeros.
TimedText WhisperTask::timedText(
    const std::vector<decode::TimedTokens>& segments, int64_t soundFrames) const
{
    const auto seconds = [&](int64_t frame) {
        return static_cast<double>(std::min(frame, soundFrames)) / kFramesASecond;
    };
    TimedText timed;
    std::vector<int64_t> all;
    for (const decode::TimedTokens& segment : segments) {
        std::vector<int64_t> spoken = segment.tokens;
        std::erase_if(
            spoken, [&](int64_t token) { return token >= m_whisper->tokens.firstTimestamp; });
        all.insert(all.end(), spoken.begin(), spoken.end());
        if (std::string text = textOf(spoken); !text.empty())
            timed.segments.push_back(
                { seconds(segment.beginFrame), seconds(segment.endFrame), std::move(text) });
    }
    timed.text = textOf(all);
    return timed;
}

std::optional<std::vector<TimedText>> WhisperTask::timedTexts(
    const data::Batch& batch, const std::function<bool()>& goOn)
{
    const torch::NoGradGuard noGrad;
    const torch::Tensor waves_BN = waves(batch, Stage::Test);
    const torch::Tensor counts_B = countsOf(batch.wavLens_B, waves_BN.size(1));
    std::vector<torch::Tensor> mels_MF;
    std::vector<int64_t> soundFrames; // without the zeros behind short sounds
    for (int64_t row = 0; row < waves_BN.size(0); ++row) {
        const auto count = static_cast<int64_t>(counts_B[row].item<double>());
        const torch::Tensor own_1N = waves_BN.narrow(0, row, 1).narrow(1, 0, count);
        mels_MF.push_back(m_whisper->model->melOfAll(own_1N).squeeze(0));
        soundFrames.push_back(count / kSamplesAFrame);
    }
    const WhisperTextSearch& search = *m_searches.at(Stage::Test);
    const auto write
        = [&](const torch::Tensor& mel_BMF) { return search.timedTokens(encode(mel_BMF)); };
    const auto heard = hearWindows(mels_MF, write, m_whisper->tokens.firstTimestamp, goOn);
    if (!heard)
        return std::nullopt;
    std::vector<TimedText> texts;
    for (size_t row = 0; row < heard->size(); ++row)
        texts.push_back(timedText((*heard)[row], soundFrames[row]));
    return texts;
}

std::vector<std::string> WhisperTask::recognise(
    const data::Batch& batch, const torch::Tensor& features, Stage stage)
{
    TORCH_CHECK(m_searches.of(stage), "the recipe has no ",
        stage == Stage::Test ? "test_search" : "valid_search", ", by which Whisper writes texts");
    return textsOf(encode(features), batch, stage);
}

TaskOutput WhisperTask::run(const data::Batch& batch, const torch::Tensor& features, Stage stage)
{
    const torch::Tensor encoder_BTD = encode(features);
    TaskOutput output;
    output.loss = loss(encoder_BTD, batch);
    if (stage != Stage::Train)
        output.hypotheses = textsOf(encoder_BTD, batch, stage);
    return output;
}

} // namespace earwright::train

namespace earwright::tasks::whisper {

Result<std::unique_ptr<train::Task>> make(const recipe::Node& recipe,
    std::shared_ptr<const data::TextEncoder> encoder, c10::Device device,
    const std::string& lossWeighting)
{
    return train::WhisperTask::make(recipe, std::move(encoder), device, lossWeighting);
}

} // namespace earwright::tasks::whisper
