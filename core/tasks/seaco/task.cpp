#include "core/tasks/seaco/task.h"

#include "core/tasks/paraformer/sizes.h"
#include "core/tasks/paraformer/task_parts.h"
#include "core/tasks/spec.h"

namespace earwright::train {

namespace {

/// Otherwise the first step would end in a message of LibTorch's that names no layer.
Status checkSizes(const recipe::Node& recipe)
{
    const auto misfits = tasks::paraformer::seacoSizeMisfits(recipe);
    if (misfits.empty())
        return Done {};
    return Error { misfits.front().message };
}

/// Where a text has hotwords: its own, or any of the batch.
std::vector<data::HotwordSpan> hotwordsIn(
    const data::Batch& batch, size_t row, const std::vector<int64_t>& tokens, bool ofAllTexts)
{
    if (!ofAllTexts)
        return row < batch.hotwordSpans.size() ? batch.hotwordSpans[row]
                                               : std::vector<data::HotwordSpan>();
    std::vector<data::HotwordSpan> all;
    for (const std::vector<int64_t>& hotword : batch.hotwords) {
        const std::vector<data::HotwordSpan> spans = data::spansOf(hotword, tokens);
        all.insert(all.end(), spans.begin(), spans.end());
    }
    return all;
}

} // namespace

Result<std::unique_ptr<Task>> SeacoTask::make(const recipe::Node& recipe,
    std::shared_ptr<const data::TextEncoder> encoder, c10::Device device,
    const std::string& lossWeighting)
{
    Result<ModuleSet> modules = ModuleSet::build(recipe, tasks::layerKeys("seaco_paraformer"));
    if (!modules)
        return modules.error();
    std::unique_ptr<SeacoTask> task(new SeacoTask(std::move(*modules), std::move(encoder), device));
    if (const Status read = task->read(recipe, lossWeighting); !read)
        return read.error();
    if (const Status read = task->readSeaco(recipe, lossWeighting); !read)
        return read.error();
    if (const Status fits = task->checkTokens(); !fits)
        return fits.error();
    if (const Status fits = firstError({ task->checkNoHotword(), checkSizes(recipe) }); !fits)
        return fits.error();
    return std::unique_ptr<Task>(std::move(task));
}

Status SeacoTask::readSeaco(const recipe::Node& recipe, const std::string& lossWeighting)
{
    model::SeacoLayers layers;
    const Status found
        = firstError({ take(modules(), "bias_encoder", "torch.nn.LSTM", layers.biasEncoder),
            take(modules(), "seaco_decoder", "ParaformerSANMDecoder", layers.decoder),
            take(modules(), "hotword_output_layer", "torch.nn.Linear", layers.output) });
    if (!found)
        return found;
    if (modules().find("lstm_proj")) {
        if (const Status fits = take(modules(), "lstm_proj", "torch.nn.Linear", layers.projection);
            !fits)
            return fits;
    }
    Result<catalog::SeacoConfig> config = configFrom<catalog::SeacoConfig>(recipe);
    if (!config)
        return config.error();
    if (config->hotwordMaxLength < config->hotwordMinLength)
        return Error { "hotword_max_length " + std::to_string(config->hotwordMaxLength)
            + " is less than hotword_min_length " + std::to_string(config->hotwordMinLength) };
    if (ctcWeight() != 0)
        return Error { "task seaco_paraformer has no CTC loss: set ctc_weight to 0" };
    if (recogniser().config().predictorBias != 1)
        return Error { "task seaco_paraformer needs predictor_bias: 1" };
    config->seacoLengthNormalizedLoss
        = isByTokens(lossWeighting, config->seacoLengthNormalizedLoss);
    m_seaco.emplace(std::move(layers), *config);
    const Result<std::vector<std::string>> words = recipeHotwords(recipe);
    return words ? listenFor(*words) : words.error();
}

Status SeacoTask::checkNoHotword() const
{
    const int64_t classes = model::outputsOf(*recogniser().layers().decoder, "output_layer");
    if (m_seaco->config().seacoId < classes)
        return Done {};
    return Error { "seaco_id " + std::to_string(m_seaco->config().seacoId)
        + " is none of the decoder's " + std::to_string(classes) + " tokens" };
}

/// For each token of a text itself where it belongs to one of the text's own hotwords or, with
/// `hotword_labels: all`, of any in the batch, else seaco_id; -1 past the end. Upstream's labels
/// are the text's own: a hotword that another text has too is "none" there (FunASR#1829).
torch::Tensor SeacoTask::hotwordLabels(const data::Batch& batch) const
{
    const torch::Tensor counts_B = tokenCounts(batch);
    const torch::Tensor isText = torch::arange(batch.tokens_BL.size(1)) < counts_B.unsqueeze(1);
    torch::Tensor labels_BL = torch::full_like(batch.tokens_BL, m_seaco->config().seacoId)
                                  .masked_fill(isText.logical_not(), -1);
    const bool ofAllTexts = m_seaco->config().hotwordLabels == "all";
    for (int64_t row = 0; row < labels_BL.size(0); ++row) {
        const std::vector<int64_t> tokens = tokensOf(batch, row, counts_B[row].item<int64_t>());
        for (const data::HotwordSpan& span :
            hotwordsIn(batch, static_cast<size_t>(row), tokens, ofAllTexts))
            std::copy(tokens.begin() + span.first, tokens.begin() + span.last + 1,
                labels_BL[row].data_ptr<int64_t>() + span.first);
    }
    return labels_BL;
}

torch::Tensor SeacoTask::seacoLoss(const data::Batch& batch, const model::Encoded& encoded)
{
    std::vector<std::vector<int64_t>> words = batch.hotwords;
    words.push_back({ recogniser().config().sos });
    const torch::Tensor sum = m_seaco->loss(recogniser(), encoded, targets(batch),
        model::hotwordsOf(words, device()), hotwordLabels(batch).to(device(), true));
    return sum * factorOf(sumTerm(m_seaco->config().seacoLengthNormalizedLoss), batch);
}

torch::Tensor SeacoTask::loss(const data::Batch& batch, const model::Encoded& encoded)
{
    const torch::Tensor loss = seacoLoss(batch, encoded);
    if (!m_seaco->config().trainDecoder)
        return loss;
    const torch::Tensor attention = terms(batch, encoded).attention * termFactor(batch);
    return loss + attention * m_seaco->config().seacoWeight;
}

torch::Tensor SeacoTask::scores(const model::ParaformerDecoded& decoded) const
{
    return m_hotwords.empty() ? decoded.logProbs_BUV : biased(decoded);
}

} // namespace earwright::train

namespace earwright::tasks::seaco {

Result<std::unique_ptr<train::Task>> make(const recipe::Node& recipe,
    std::shared_ptr<const data::TextEncoder> encoder, c10::Device device,
    const std::string& lossWeighting)
{
    return train::SeacoTask::make(recipe, std::move(encoder), device, lossWeighting);
}

} // namespace earwright::tasks::seaco
