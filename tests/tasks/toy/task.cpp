#include "core/catalog/configs/loss.h"
#include "core/decode/ctc_greedy.h"
#include "core/model/ctc_loss.h"
#include "core/recipe/value_at.h"
#include "core/tasks/spec.h"
#include "core/train/task/layered_task.h"

namespace earwright::tasks::toy {

namespace {

/// Features -> normalise -> linear -> CTC loss.
class ToyTask final : public train::LayeredTask {
public:
    ToyTask(train::ModuleSet modules, std::shared_ptr<const data::TextEncoder> encoder,
        c10::Device device, const recipe::Node& recipe)
        : LayeredTask(std::move(modules), std::move(encoder), device)
        , m_gain(recipe::findPath(recipe, "toy_gain")
                  ? recipe::asDouble(*recipe::findPath(recipe, "toy_gain")).value()
                  : 1)
    {
        m_loss.blankIndex = recipe::intAt(recipe, "toy_blank", 0);
        m_loss.reduction = "batchmean";
    }

    using Task::run;
    torch::Tensor features(const data::Batch& batch, train::Stage stage) override
    {
        const torch::NoGradGuard noGrad;
        const torch::Tensor x = spectra(link({ "toy_front" }), waves(batch, stage));
        return pass(normalize(), x, batch.wavLens_B.to(device(), true));
    }
    train::TaskOutput run(
        const data::Batch& batch, const torch::Tensor& features, train::Stage stage) override
    {
        const torch::Tensor scores = logProbs(features);
        train::TaskOutput output;
        output.loss = model::ctcLoss(
            scores, batch.tokens_BL.to(device(), true), batch.wavLens_B, batch.tokenLens_B, m_loss);
        if (stage != train::Stage::Train)
            output.hypotheses = texts(scores, batch);
        return output;
    }
    std::vector<std::string> recognise(
        const data::Batch& batch, const torch::Tensor& features, train::Stage) override
    {
        return texts(logProbs(features), batch);
    }
    train::LossUnit lossUnit() const override { return train::LossUnit::Utterances; }

private:
    torch::Tensor logProbs(const torch::Tensor& features_BTF) const
    {
        const torch::Tensor x = pass(link({ "toy_head" }), features_BTF) * m_gain;
        tell("", x);
        return x.to(torch::kFloat).log_softmax(-1);
    }
    std::vector<std::string> texts(
        const torch::Tensor& logProbs_BTV, const data::Batch& batch) const
    {
        std::vector<std::string> texts;
        for (const auto& tokens :
            decode::ctcGreedy(logProbs_BTV, batch.wavLens_B, m_loss.blankIndex))
            texts.push_back(textEncoder().decode(tokens));
        return texts;
    }

    double m_gain;
    catalog::CtcLossConfig m_loss;
};

} // namespace

Result<std::unique_ptr<train::Task>> make(const recipe::Node& recipe,
    std::shared_ptr<const data::TextEncoder> encoder, c10::Device device, const std::string&)
{
    Result<train::ModuleSet> modules = train::ModuleSet::build(recipe, layerKeys("toy"));
    if (!modules)
        return modules.error();
    return std::unique_ptr<train::Task>(
        std::make_unique<ToyTask>(std::move(*modules), std::move(encoder), device, recipe));
}

} // namespace earwright::tasks::toy
