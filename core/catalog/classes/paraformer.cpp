// FunASR's layers, features and their augmentation.

#include "core/catalog/configs/paraformer.h"
#include "core/catalog/class_table.h"
#include "core/catalog/configs/paraformer_loss.h"
#include "core/catalog/configs/spec_aug.h"
#include "core/catalog/configs/torch_layers.h"
#include "core/catalog/configs/wav_frontend.h"
#include "core/catalog/read_impl.h"

namespace kymo::catalog {

void addParaformer(ClassTable& table)
{
    add<WavFrontendConfig>(table, "funasr.frontends.wav_frontend.WavFrontend", Role::Features);
    add<SpecAugConfig>(table, "funasr.models.specaug.specaug.SpecAug", Role::Augmentation);
    add<SpecAugLfrConfig>(table, "funasr.models.specaug.specaug.SpecAugLFR", Role::Augmentation);
    add<SanmEncoderConfig>(
        table, "funasr.models.sanm.encoder.SANMEncoder", Role::Module, kParameters);
    add<CifPredictorConfig>(
        table, "funasr.models.paraformer.cif_predictor.CifPredictor", Role::Module, kParameters);
    add<CifPredictorV2Config>(
        table, "funasr.models.paraformer.cif_predictor.CifPredictorV2", Role::Module, kParameters);
    add<CifPredictorV3Config>(table, "funasr.models.bicif_paraformer.cif_predictor.CifPredictorV3",
        Role::Module, kParameters);
    add<ParaformerDecoderConfig>(
        table, "funasr.models.paraformer.decoder.ParaformerSANMDecoder", Role::Module, kParameters);
    add<FunasrCtcConfig>(table, "funasr.models.ctc.ctc.CTC", Role::Module, kParameters);
    add<TorchLinearConfig>(table, "torch.nn.Linear", Role::Module, kParameters);
    add<TorchLstmConfig>(table, "torch.nn.LSTM", Role::Module, kParameters);
}

KYMO_READ(WavFrontendConfig)
KYMO_READ(SpecAugConfig)
KYMO_READ(SpecAugLfrConfig)
KYMO_READ(SanmEncoderConfig)
KYMO_READ(CifPredictorConfig)
KYMO_READ(CifPredictorV2Config)
KYMO_READ(CifPredictorV3Config)
KYMO_READ(ParaformerDecoderConfig)
KYMO_READ(FunasrCtcConfig)
KYMO_READ(TorchLinearConfig)
KYMO_READ(TorchLstmConfig)
KYMO_READ(ParaformerConfig)
KYMO_READ(SeacoConfig)

} // namespace kymo::catalog
