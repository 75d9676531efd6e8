#include "core/model/paraformer/register.h"

#include "core/model/paraformer/cif_predictor.h"
#include "core/model/paraformer/ctc_branch.h"
#include "core/model/paraformer/sanm_decoder.h"
#include "core/model/paraformer/sanm_encoder.h"
#include "core/model/paraformer/sense_voice_encoder.h"
#include "core/model/paraformer/spec_aug_lfr.h"
#include "core/model/paraformer/wav_frontend.h"
#include "core/model/torch_layers.h"

namespace earwright::model {

namespace {

template <class Config, CifVersion kVersion>
std::shared_ptr<Layer> buildPredictor(const recipe::Node& node, LayerSet& layers)
{
    return std::make_shared<CifPredictor>(
        catalog::readConfig<Config>(node, layers.diagnostics()), kVersion);
}

/// SpecAugLFR of frames that are not stacked.
std::shared_ptr<Layer> buildSpecAug(const recipe::Node& node, LayerSet& layers)
{
    return std::make_shared<SpecAugLfr>(catalog::SpecAugLfrConfig {
        catalog::readConfig<catalog::SpecAugConfig>(node, layers.diagnostics()) });
}

} // namespace

void addParaformerLayers(LayerTable& table)
{
    const std::string predictors = "funasr.models.paraformer.cif_predictor.";
    table.add<WavFrontend, catalog::WavFrontendConfig>("funasr.frontends.wav_frontend.WavFrontend");
    table.add("funasr.models.specaug.specaug.SpecAug", buildSpecAug);
    table.add<SpecAugLfr, catalog::SpecAugLfrConfig>("funasr.models.specaug.specaug.SpecAugLFR");
    table.add<SanmEncoder, catalog::SanmEncoderConfig>("funasr.models.sanm.encoder.SANMEncoder");
    table.add(
        predictors + "CifPredictor", buildPredictor<catalog::CifPredictorConfig, CifVersion::V1>);
    table.add(predictors + "CifPredictorV2",
        buildPredictor<catalog::CifPredictorV2Config, CifVersion::V2>);
    table.add<CifPredictorV3, catalog::CifPredictorV3Config>(
        "funasr.models.bicif_paraformer.cif_predictor.CifPredictorV3");
    table.add<ParaformerDecoder, catalog::ParaformerDecoderConfig>(
        "funasr.models.paraformer.decoder.ParaformerSANMDecoder");
    table.add<CtcBranch, catalog::FunasrCtcConfig>("funasr.models.ctc.ctc.CTC");
    table.add<SenseVoiceEncoder, catalog::SenseVoiceEncoderConfig>(
        "funasr.models.sense_voice.model.SenseVoiceEncoderSmall");
    table.add<TorchEmbedding, catalog::TorchEmbeddingConfig>("torch.nn.Embedding");
    table.add<TorchLinear, catalog::TorchLinearConfig>("torch.nn.Linear");
    table.add<TorchLstm, catalog::TorchLstmConfig>("torch.nn.LSTM");
}

} // namespace earwright::model
