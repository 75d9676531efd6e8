// FunASR's layers, features and their augmentation.

#include "core/catalog/configs/paraformer.h"
#include "core/catalog/class_table.h"
#include "core/catalog/configs/paraformer_loss.h"
#include "core/catalog/configs/sense_voice.h"
#include "core/catalog/configs/spec_aug.h"
#include "core/catalog/configs/torch_layers.h"
#include "core/catalog/configs/wav_frontend.h"
#include "core/catalog/read_impl.h"

namespace earwright::catalog {

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
    add<SenseVoiceEncoderConfig>(
        table, "funasr.models.sense_voice.model.SenseVoiceEncoderSmall", Role::Module, kParameters);
    add<TorchEmbeddingConfig>(table, "torch.nn.Embedding", Role::Module, kParameters);
    add<TorchLinearConfig>(table, "torch.nn.Linear", Role::Module, kParameters);
    add<TorchLstmConfig>(table, "torch.nn.LSTM", Role::Module, kParameters);
}

EARWRIGHT_READ(WavFrontendConfig)
EARWRIGHT_READ(SpecAugConfig)
EARWRIGHT_READ(SpecAugLfrConfig)
EARWRIGHT_READ(SanmEncoderConfig)
EARWRIGHT_READ(CifPredictorConfig)
EARWRIGHT_READ(CifPredictorV2Config)
EARWRIGHT_READ(CifPredictorV3Config)
EARWRIGHT_READ(ParaformerDecoderConfig)
EARWRIGHT_READ(FunasrCtcConfig)
EARWRIGHT_READ(SenseVoiceEncoderConfig)
EARWRIGHT_READ(SenseVoiceConfig)
EARWRIGHT_READ(TorchEmbeddingConfig)
EARWRIGHT_READ(TorchLinearConfig)
EARWRIGHT_READ(TorchLstmConfig)
EARWRIGHT_READ(ParaformerConfig)
EARWRIGHT_READ(SeacoConfig)

} // namespace earwright::catalog
