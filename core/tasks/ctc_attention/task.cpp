#include "core/tasks/ctc_attention/task.h"

#include "core/catalog/read.h"
#include "core/decode/ctc_prefix_score.h"
#include "core/model/adapters/adapted_model.h"
#include "core/model/ctc_loss.h"
#include "core/model/layer_table.h"
#include "core/model/masks.h"
#include "core/recipe/value_at.h"
#include "core/settings/tree.h"
#include "core/tasks/spec.h"
#include "core/train/task/target_texts.h"

#include <algorithm>

namespace earwright::train {

namespace {

Result<int64_t> indexAt(const recipe::Node& recipe, const char* key, int64_t labels)
{
    const recipe::NodePtr node = recipe::find(recipe, key);
    const std::optional<int64_t> index = node ? recipe::asInt(*node) : std::nullopt;
    if (index && *index >= 0 && *index < labels)
        return *index;
    return Error { std::string("task ctc_attention needs the whole number ") + key + " below "
        + std::to_string(labels) + ", the classes of the output layers" };
}

LabelHits hitsOf(const torch::Tensor& logProbs_BUV, const TargetTexts& targets)
{
    const int64_t most = targets.tokens_BU.size(1);
    const torch::Tensor counts_B = model::frameCounts(targets.lengths_B, most);
    const torch::Tensor isSpoken_BU = torch::arange(most).unsqueeze(0) < counts_B.unsqueeze(1);
    const torch::Tensor isRight_BU = logProbs_BUV.argmax(-1).to(torch::kCPU) == targets.tokens_BU;
    return { .right = (isRight_BU & isSpoken_BU).sum().item<int64_t>(),
        .all = isSpoken_BU.sum().item<int64_t>() };
}

template <class Config>
model::LabelLossOptions optionsOf(const Config& config)
{
    return { .labelSmoothing = config.labelSmoothing,
        .allowedLenDiff = config.allowedLenDiff,
        .reduction = config.reduction };
}

} // namespace

Result<std::unique_ptr<Task>> CtcAttentionTask::make(const recipe::Node& recipe,
    std::shared_ptr<const data::TextEncoder> encoder, c10::Device device,
    const std::string& lossWeighting)
{
    Result<ModuleSet> modules = ModuleSet::build(recipe, tasks::layerKeys("ctc_attention"));
    if (!modules)
        return modules.error();
    std::unique_ptr<CtcAttentionTask> task(
        new CtcAttentionTask("ctc_attention", std::move(*modules), std::move(encoder), device));
    Status ready = task->connect(recipe);
    if (ready)
        ready = task->readSearches(recipe);
    if (ready)
        ready = task->readCosts(recipe, lossWeighting);
    if (!ready)
        return ready.error();
    return std::unique_ptr<Task>(std::move(task));
}

Status CtcAttentionTask::connect(const recipe::Node& recipe)
{
    if (const Status read = readRecipe(recipe); !read)
        return read;
    m_cnn = link({ "CNN", "cnn" });
    m_ctcLin = link({ "ctc_lin" });
    m_seqLin = link({ "seq_lin" });
    const Link transformer = link({ "Transformer" });
    m_transformerKey = transformer.key;
    m_transformer
        = std::dynamic_pointer_cast<model::TransformerAsr>(model::unwrapped(transformer.layer));
    if (!m_transformer)
        return missing("Transformer, a TransformerASR");
    if (m_transformer->vocabulary() == 0)
        return Error { "Transformer has no decoder: num_decoder_layers must be at least 1" };
    if (const auto bayesian = tasks::ctc_attention::bayesianOf(recipe))
        m_bayesian.emplace(m_transformer, *bayesian);
    if (!m_ctcLin.layer)
        return missing("ctc_lin");
    if (!m_seqLin.layer)
        return missing("seq_lin");
    for (const Link& output : { m_ctcLin, m_seqLin }) {
        if (const Status fits = fitsLabels(output); !fits)
            return fits;
    }
    return readIndices(recipe);
}

Status CtcAttentionTask::readIndices(const recipe::Node& recipe)
{
    const int64_t labels = m_transformer->vocabulary();
    if (labels < textEncoder().size())
        return Error { "Transformer.tgt_vocab is " + std::to_string(labels) + ", but "
            + textEncoder().sizeText() };
    const Result<int64_t> bos = indexAt(recipe, "bos_index", labels);
    const Result<int64_t> eos = indexAt(recipe, "eos_index", labels);
    if (!bos || !eos)
        return (bos ? eos : bos).error();
    m_bosIndex = *bos;
    m_eosIndex = *eos;
    m_padIndex = recipe::intAt(recipe, "pad_index", 0);
    return Done {};
}

Status CtcAttentionTask::readSearches(const recipe::Node& recipe)
{
    m_validSearchInterval = std::max<int64_t>(1, recipe::intAt(recipe, "valid_search_interval", 1));
    return m_searches.read(recipe, [&](const recipe::Entry& entry) {
        return AttentionSearch::from(
            recipe, entry, { m_transformer, m_seqLin.layer, m_ctcLin.layer });
    });
}

Status CtcAttentionTask::readCosts(const recipe::Node& recipe, const std::string& lossWeighting)
{
    m_ctcWeight = recipe::doubleAt(recipe, "ctc_weight", -1);
    if (m_ctcWeight < 0 || m_ctcWeight > 1)
        return Error { "task ctc_attention needs ctc_weight, a number from 0 to 1" };
    m_ctcTerm = ctcTerm(ctcCost().reduction, lossWeighting);
    const recipe::NodePtr cost = recipe::find(recipe, "seq_cost");
    const std::string name = cost ? model::classOf(cost, "") : "";
    std::vector<recipe::Diagnostic> diagnostics;
    if (name == "speechbrain.nnet.losses.kldiv_loss") {
        const auto config = catalog::readConfig<catalog::KldivLossConfig>(*cost, diagnostics);
        m_seqCost = model::kldivLoss;
        m_seqOptions = optionsOf(config);
        m_seqOptions.padIdx = config.padIdx;
    } else if (name == "speechbrain.nnet.losses.nll_loss") {
        m_seqCost = model::nllLoss;
        m_seqOptions = optionsOf(catalog::readConfig<catalog::NllLossConfig>(*cost, diagnostics));
    } else {
        return Error {
            "seq_cost must be a !name: of speechbrain.nnet.losses.kldiv_loss or nll_loss"
        };
    }
    const bool isSmoothed = m_seqOptions.labelSmoothing > 0;
    m_seqTerm = m_seqCost == model::kldivLoss && isSmoothed
        ? kldivTerm(m_seqOptions.reduction, lossWeighting)
        : nllTerm(m_seqOptions.reduction, lossWeighting);
    m_seqOptions.reduction = m_seqTerm.reduction;
    return Done {};
}

CtcAttentionTask::Outputs CtcAttentionTask::forward(
    const data::Batch& batch, const torch::Tensor& features, const torch::Tensor& lengths_B)
{
    const torch::Tensor source = pass(m_cnn, frames(features, lengths_B));
    tell(m_transformerKey, source);
    const torch::Tensor before_BU = textsAfter(m_bosIndex, batch).to(device(), true);
    const auto [encoder_BTD, decoder_BUD] = passed(
        [&] { return m_transformer->transduce(source, before_BU, lengths_B, m_padIndex); });
    return { .encoder_BTD = encoder_BTD,
        .ctc_BTV = ctcOf(encoder_BTD),
        .seq_BUV = logSoftmax(pass(m_seqLin, decoder_BUD)) };
}

/// The lengths stay on the CPU: ATen's CTC loss would wait for the device to read them there.
torch::Tensor CtcAttentionTask::ctcLoss(
    const torch::Tensor& logProbs_BTV, const data::Batch& batch) const
{
    catalog::CtcLossConfig cost = ctcCost();
    cost.reduction = m_ctcTerm.reduction;
    return model::ctcLoss(logProbs_BTV, batch.tokens_BL.to(device(), true), batch.wavLens_B,
               batch.tokenLens_B, cost)
               .sum()
        * factorOf(m_ctcTerm, batch);
}

torch::Tensor CtcAttentionTask::seqLoss(
    const torch::Tensor& logProbs_BUV, const data::Batch& batch) const
{
    const TargetTexts targets = textsBefore(m_eosIndex, batch);
    return m_seqCost(logProbs_BUV, targets.tokens_BU.to(device(), true),
               targets.lengths_B.to(device(), true), m_seqOptions)
               .sum()
        * factorOf(m_seqTerm, batch);
}

torch::Tensor CtcAttentionTask::encode(
    const torch::Tensor& features, const torch::Tensor& lengths_B)
{
    const torch::Tensor source = pass(m_cnn, frames(features, lengths_B));
    tell(m_transformerKey, source);
    return passed([&]() -> model::TransformerAsr::Outputs {
        return { m_transformer->encode(source, lengths_B), {} };
    }).encoder_BTD;
}

model::TransformerAsr::Outputs CtcAttentionTask::passed(
    const std::function<model::TransformerAsr::Outputs()>& pass)
{
    return m_bayesian ? m_bayesian->run(pass) : pass();
}

torch::Tensor CtcAttentionTask::ctcOf(const torch::Tensor& encoder_BTD)
{
    return logSoftmax(pass(m_ctcLin, encoder_BTD));
}

torch::Tensor CtcAttentionTask::ctcLogProbs(const data::Batch& batch, const torch::Tensor& features)
{
    const torch::Tensor logProbs_BTV
        = ctcOf(encode(features, batch.wavLens_B.to(device(), true))).clone();
    for (const int64_t boundary : { m_bosIndex, m_eosIndex }) {
        if (boundary != blankIndex())
            logProbs_BTV.select(-1, boundary).fill_(decode::CtcPrefixScore::kNever);
    }
    return logProbs_BTV;
}

/// Without the blank, which no text taught the decoder.
std::string CtcAttentionTask::textOf(std::vector<int64_t> tokens) const
{
    std::erase(tokens, blankIndex());
    return textEncoder().decode(tokens);
}

std::vector<std::string> CtcAttentionTask::searchTexts(
    const AttentionSearch& search, const torch::Tensor& encoder_BTD, const torch::Tensor& lengths_B)
{
    std::vector<std::string> texts;
    for (std::vector<int64_t>& tokens : search.search(encoder_BTD, lengths_B).best())
        texts.push_back(textOf(std::move(tokens)));
    return texts;
}

std::vector<std::vector<decode::CtcHypothesis>> CtcAttentionTask::nBest(
    const data::Batch& batch, const torch::Tensor& features)
{
    const torch::Tensor lengths_B = batch.wavLens_B.to(device(), true);
    const decode::S2SHypotheses found
        = m_searches.at(Stage::Test)->search(encode(features, lengths_B), lengths_B);
    return hypothesesOf(
        found, [this](std::vector<int64_t> tokens) { return textOf(std::move(tokens)); });
}

std::vector<std::string> CtcAttentionTask::recognise(
    const data::Batch& batch, const torch::Tensor& features, Stage stage)
{
    const torch::Tensor lengths_B = batch.wavLens_B.to(device(), true);
    const torch::Tensor encoder_BTD = encode(features, lengths_B);
    const AttentionSearch* const search = m_searches.at(stage);
    return search ? searchTexts(*search, encoder_BTD, lengths_B)
                  : greedyTexts(ctcOf(encoder_BTD), lengths_B);
}

std::vector<std::string> CtcAttentionTask::textsOf(
    const Outputs& outputs, const torch::Tensor& lengths_B, Stage stage)
{
    const AttentionSearch* const search = m_searches.at(stage);
    return search ? searchTexts(*search, outputs.encoder_BTD, lengths_B)
                  : greedyTexts(outputs.ctc_BTV, lengths_B);
}

void CtcAttentionTask::startEpoch(int64_t epoch)
{
    SpeechTask::startEpoch(epoch);
    m_searchesValid = epoch % m_validSearchInterval == 0;
}

TaskOutput CtcAttentionTask::run(
    const data::Batch& batch, const torch::Tensor& features, Stage stage)
{
    const torch::Tensor lengths_B = batch.wavLens_B.to(device(), true);
    const Outputs outputs = forward(batch, features, lengths_B);
    TaskOutput output;
    output.loss = m_ctcWeight * ctcLoss(outputs.ctc_BTV, batch)
        + (1 - m_ctcWeight) * seqLoss(outputs.seq_BUV, batch);
    if (m_bayesian && stage == Stage::Train)
        output.loss = output.loss + m_bayesian->loss(batch);
    if (stage == Stage::Train)
        return output;
    output.hits = hitsOf(outputs.seq_BUV, textsBefore(m_eosIndex, batch));
    if (stage == Stage::Test || m_searchesValid)
        output.hypotheses = textsOf(outputs, lengths_B, stage);
    return output;
}

} // namespace earwright::train

namespace earwright::tasks::ctc_attention {

Result<std::unique_ptr<train::Task>> make(const recipe::Node& recipe,
    std::shared_ptr<const data::TextEncoder> encoder, c10::Device device,
    const std::string& lossWeighting)
{
    return train::CtcAttentionTask::make(recipe, std::move(encoder), device, lossWeighting);
}

} // namespace earwright::tasks::ctc_attention
