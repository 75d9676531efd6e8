#include "core/model/pretrained/pretrained_bert.h"

#include "core/model/masks.h"

namespace earwright::model {

namespace {

constexpr int64_t kBertRateHz = 16000;

} // namespace

PretrainedBert::PretrainedBert(const catalog::PretrainedBertConfig& config, EncoderConfig encoder)
    : PretrainedLayer(config)
    , m_model(register_module("model",
          std::make_shared<BertEncoder>(withMasking(std::move(encoder), config.applySpecAugment))))
    , m_features(m_model->config().inputWidth / 2)
{
    TORCH_CHECK(config.freeze || !config.freezeFeatureExtractor,
        "w2v-BERT has no convolutions over the wave to freeze: leave out "
        "freeze_feature_extractor");
    TORCH_CHECK(!config.sampleRate || *config.sampleRate == kBertRateHz, "sample_rate must be ",
        kBertRateHz, ", what w2v-BERT was trained with");
    setUp(*m_model, m_model->config());
}

PretrainedBert::PretrainedBert(const catalog::PretrainedBertConfig& config, const HubFolder& folder)
    : PretrainedBert(config, folder.config)
{
    takeWeights(*m_model, folder.weights, config.source);
}

PretrainedBert::PretrainedBert(const catalog::PretrainedBertConfig& config)
    : PretrainedBert(config, hubFolderOf(config.source, config.savePath))
{
}

torch::Tensor PretrainedBert::encode(const torch::Tensor& wav_BN, const torch::Tensor& lengths_B)
{
    const torch::Tensor samples_B = lengths_B.defined()
        ? frameCounts(lengths_B, wav_BN.size(1)).cpu()
        : torch::full({ wav_BN.size(0) }, wav_BN.size(1), torch::kLong);
    const MelPairs::Output pairs = m_features.of(wav_BN, samples_B);
    const torch::Tensor y
        = chosen(m_model->forward(pairs.features_BTF, pairs.pairs_B, config().outputAllHiddens));
    return config().outputNorm ? at::layer_norm(y, { y.size(-1) }) : y;
}

} // namespace earwright::model
