#include "core/tasks/paraformer/task.h"

#include "core/base/text.h"
#include "core/tasks/spec.h"

namespace earwright::train {

model::Encoded ParaformerTask::encode(const data::Batch& batch, const torch::Tensor& features_BTF)
{
    tell("encoder", features_BTF);
    return m_recogniser->encode(features_BTF, validFrames(batch, features_BTF));
}

std::vector<std::string> ParaformerTask::textsOf(const model::Encoded& encoded)
{
    const model::ParaformerDecoded decoded = m_recogniser->decode(encoded);
    std::vector<std::string> texts(static_cast<size_t>(decoded.counts_B.size(0)));
    if (!decoded.logProbs_BUV.defined())
        return texts;
    size_t row = 0;
    for (const std::vector<int64_t>& tokens :
        m_recogniser->texts(scores(decoded), decoded.counts_B))
        texts[row++] = textEncoder().decode(tokens);
    return texts;
}

std::vector<std::string> ParaformerTask::recognise(
    const data::Batch& batch, const torch::Tensor& features, Stage)
{
    return textsOf(encode(batch, features));
}

torch::Tensor ParaformerTask::scores(const model::ParaformerDecoded& decoded) const
{
    return decoded.logProbs_BUV;
}

Status ParaformerTask::listenFor(const std::vector<std::string>& phrases)
{
    return phrases.empty() ? Status(Done {}) : prefer(0);
}

Status ParaformerTask::prefer(double)
{
    Names listening;
    for (const tasks::Spec& spec : tasks::specs())
        if (spec.hotwordSampling)
            listening.push_back(spec.name);
    return Error { "a Paraformer does not listen for hotwords: task " + join(listening, " or ")
        + " does" };
}

TaskOutput ParaformerTask::run(const data::Batch& batch, const torch::Tensor& features, Stage stage)
{
    const model::Encoded encoded = encode(batch, features);
    tell("predictor", encoded.x_BTD);
    TaskOutput output;
    output.loss = loss(batch, encoded);
    if (stage != Stage::Train)
        output.hypotheses = textsOf(encoded);
    return output;
}

} // namespace earwright::train

namespace earwright::tasks::paraformer {

Result<std::unique_ptr<train::Task>> make(const recipe::Node& recipe,
    std::shared_ptr<const data::TextEncoder> encoder, c10::Device device,
    const std::string& lossWeighting)
{
    return train::ParaformerTask::make(recipe, std::move(encoder), device, lossWeighting);
}

} // namespace earwright::tasks::paraformer
