#pragma once

#include "core/model/paraformer/seaco.h"
#include "core/tasks/paraformer/task.h"

namespace earwright::train {

/// task: seaco_paraformer, of FunASR's SeacoParaformer. A Paraformer that reads `bias_encoder`,
/// `seaco_decoder`, `hotword_output_layer`, `lstm_proj` (of a bidirectional bias encoder), the
/// fields of catalog::SeacoConfig, and `hotword`: a file with one hotword a line, or words
/// separated by spaces, with which it validates and tests. Without it this decodes as a Paraformer
/// does. A hotword with a character that no token stands for is left out.
///
/// The hotwords of a batch are sampled from all its texts, whatever part of them this rank has.
/// Accumulated batches have hotwords each of their own.
class SeacoTask final : public ParaformerTask {
public:
    static Result<std::unique_ptr<Task>> make(const recipe::Node& recipe,
        std::shared_ptr<const data::TextEncoder> encoder, c10::Device device,
        const std::string& lossWeighting);

    Status listenFor(const std::vector<std::string>& phrases) override;
    Status prefer(double nats) override;

private:
    using ParaformerTask::ParaformerTask;
    Status readSeaco(const recipe::Node& recipe, const std::string& lossWeighting);
    Status checkNoHotword() const;
    void leaveOut(const std::string& phrase);

    torch::Tensor loss(const data::Batch& batch, const model::Encoded& encoded) override;
    torch::Tensor scores(const model::ParaformerDecoded& decoded) const override;
    torch::Tensor seacoLoss(const data::Batch& batch, const model::Encoded& encoded);
    torch::Tensor hotwordLabels(const data::Batch& batch) const;
    torch::Tensor biased(const model::ParaformerDecoded& decoded) const;
    torch::Tensor withHotwords(
        const model::ParaformerDecoded& decoded, const torch::Tensor& hotwords_HD) const;
    torch::Tensor preferring(
        const model::ParaformerDecoded& decoded, const torch::Tensor& hotwords_HD) const;

    std::optional<model::Seaco> m_seaco;
    std::vector<std::vector<int64_t>> m_hotwords; ///< of validation and test, with [sos] last
};

} // namespace earwright::train
