#include "core/tasks/ctc/task.h"

#include "core/model/container.h"
#include "core/model/ctc_loss.h"
#include "core/settings/own_encoder.h"
#include "core/tasks/spec.h"
#include "core/tasks/speech.h"

#include <iostream>

namespace earwright::train {

namespace {

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
    Result<ModuleSet> modules = ModuleSet::build(recipe, tasks::layerKeys("ctc", recipe));
    if (!modules)
        return modules.error();
    std::unique_ptr<CtcTask> task(
        new CtcTask("ctc", std::move(*modules), std::move(encoder), device));
    Status ready = task->connect(recipe, lossWeighting);
    if (ready)
        ready = task->readSearch(recipe);
    if (!ready)
        return ready.error();
    return std::unique_ptr<Task>(std::move(task));
}

Status CtcTask::connect(const recipe::Node& recipe, const std::string& lossWeighting)
{
    if (const Status read = readRecipe(recipe); !read)
        return read;
    m_cnn = link({ "CNN", "cnn" });
    m_encoder = link({ "enc", "Transformer", "model" });
    m_backEnd = link({ settings::kBackEnd });
    m_output = link(tasks::kCtcOutputs);
    if (!m_encoder.layer)
        return missing("enc (or Transformer, or model)");
    if (std::dynamic_pointer_cast<model::ModuleList>(m_encoder.layer))
        return Error { "task ctc needs the encoder: '" + m_encoder.key
            + "' is a list of layers, which runs none of them; call the encoder 'enc'" };
    if (!m_output.layer)
        return missing("ctc_lin (or output, or output_lin)");
    m_loss = ctcCost();
    m_lossUnit = weigh(m_loss, lossWeighting);
    m_framesOfOne = tasks::upsampledFrames(recipe);
    return fitsLabels(m_output, m_framesOfOne);
}

Status CtcTask::readSearch(const recipe::Node& recipe)
{
    const auto options = testSearchOf(recipe, blankIndex());
    if (!options)
        return options.error();
    if (!*options)
        return Done {};
    const auto hotwords = searchedHotwords(recipe);
    if (!hotwords)
        return hotwords.error();
    Result<CtcSearcher> searcher
        = CtcSearcher::openForTest(**options, *hotwords, textEncoder(), blankIndex());
    if (!searcher)
        return Error { "test_beam_search: " + searcher.error().message };
    if (!searcher->warning().empty())
        std::cerr << "warning: test_beam_search: " << searcher->warning() << '\n';
    m_testSearch.emplace(std::move(*searcher));
    return Done {};
}

torch::Tensor CtcTask::logProbs(
    const data::Batch& batch, const torch::Tensor& features, Stage stage)
{
    const torch::Tensor lengths_B = batch.wavLens_B.to(device(), true);
    torch::Tensor x = pass(m_cnn, frames(batch, features, stage));
    // A CRDNN takes no lengths upstream; a recurrent layer packs its rows by them behind a CNN.
    const bool isTold = m_cnn.layer || m_encoder.layer->hidesPadding();
    x = pass(m_backEnd, pass(m_encoder, x, isTold ? lengths_B : torch::Tensor()));
    return logSoftmax(upsampled(pass(m_output, x)));
}

torch::Tensor CtcTask::upsampled(const torch::Tensor& logits) const
{
    const int64_t classes = logits.size(-1) / m_framesOfOne;
    return m_framesOfOne == 1 ? logits : logits.reshape({ logits.size(0), -1, classes });
}

/// The lengths stay on the CPU: ATen's CTC loss would wait for the device to read them there.
torch::Tensor CtcTask::loss(const torch::Tensor& logProbs_BTV, const data::Batch& batch) const
{
    const torch::Tensor loss = model::ctcLoss(logProbs_BTV, batch.tokens_BL.to(device(), true),
        batch.wavLens_B, batch.tokenLens_B, m_loss);
    if (m_lossUnit == LossUnit::Tokens)
        return loss / std::max<int64_t>(batch.tokens, 1);
    return loss.dim() == 0 ? loss : loss.mean(); // "none" and "batch" give a number a row
}

torch::Tensor CtcTask::ctcLogProbs(const data::Batch& batch, const torch::Tensor& features)
{
    return logProbs(batch, features, Stage::Valid);
}

std::vector<std::string> CtcTask::texts(
    const torch::Tensor& logProbs_BTV, const data::Batch& batch, Stage stage) const
{
    return m_testSearch && stage == Stage::Test ? m_testSearch->texts(logProbs_BTV, batch.wavLens_B)
                                                : greedyTexts(logProbs_BTV, batch.wavLens_B);
}

std::vector<std::string> CtcTask::recognise(
    const data::Batch& batch, const torch::Tensor& features, Stage stage)
{
    return texts(ctcLogProbs(batch, features), batch, stage);
}

TaskOutput CtcTask::run(const data::Batch& batch, const torch::Tensor& features, Stage stage)
{
    const torch::Tensor logProbs_BTV = logProbs(batch, features, stage);
    TaskOutput output;
    output.loss = loss(logProbs_BTV, batch);
    if (stage != Stage::Train)
        output.hypotheses = texts(logProbs_BTV, batch, stage);
    return output;
}

} // namespace earwright::train

namespace earwright::tasks::ctc {

Result<std::unique_ptr<train::Task>> make(const recipe::Node& recipe,
    std::shared_ptr<const data::TextEncoder> encoder, c10::Device device,
    const std::string& lossWeighting)
{
    return train::CtcTask::make(recipe, std::move(encoder), device, lossWeighting);
}

} // namespace earwright::tasks::ctc
