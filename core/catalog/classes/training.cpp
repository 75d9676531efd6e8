// Losses, optimizers, text encoders and what surrounds a training.

#include "core/catalog/class_table.h"
#include "core/catalog/configs/loss.h"
#include "core/catalog/configs/optimizer.h"
#include "core/catalog/configs/scheduler.h"
#include "core/catalog/configs/tokenizer.h"
#include "core/catalog/configs/utility.h"
#include "core/catalog/read_impl.h"

namespace kymo::catalog {

void addTraining(ClassTable& table)
{
    add<CtcLossConfig>(table, "speechbrain.nnet.losses.ctc_loss", Role::Loss);
    add<NllLossConfig>(table, "speechbrain.nnet.losses.nll_loss", Role::Loss);
    add<KldivLossConfig>(table, "speechbrain.nnet.losses.kldiv_loss", Role::Loss);
    add<AdamWConfig>(table, "torch.optim.AdamW", Role::Optimizer);
    add<AdamConfig>(table, "torch.optim.Adam", Role::Optimizer);
    add<AdadeltaConfig>(table, "torch.optim.Adadelta", Role::Optimizer);
    add<SgdConfig>(table, "torch.optim.SGD", Role::Optimizer);
    add<EpochCounterConfig>(table, "speechbrain.utils.epoch_loop.EpochCounter", Role::Utility);
    add<EpochCounterWithStopperConfig>(
        table, "speechbrain.utils.epoch_loop.EpochCounterWithStopper", Role::Utility);
    add<CtcTextEncoderConfig>(
        table, "speechbrain.dataio.encoder.CTCTextEncoder", Role::TextEncoder);
    add<SentencePieceConfig>(
        table, "speechbrain.tokenizers.SentencePiece.SentencePiece", Role::TextEncoder);
    add<SentencePieceProcessorConfig>(
        table, "sentencepiece.SentencePieceProcessor", Role::TextEncoder);
    add<ErrorRateStatsConfig>(table, "speechbrain.utils.metric_stats.ErrorRateStats", Role::Metric);
    add<CheckpointerConfig>(table, "speechbrain.utils.checkpoints.Checkpointer", Role::Utility);
    add<FileTrainLoggerConfig>(
        table, "speechbrain.utils.train_logger.FileTrainLogger", Role::Utility);
    add<SeedEverythingConfig>(table, "speechbrain.utils.seed.seed_everything", Role::Utility);
}

KYMO_READ(CtcLossConfig)
KYMO_READ(NllLossConfig)
KYMO_READ(KldivLossConfig)
KYMO_READ(AdamWConfig)
KYMO_READ(AdamConfig)
KYMO_READ(AdadeltaConfig)
KYMO_READ(SgdConfig)
KYMO_READ(EpochCounterConfig)
KYMO_READ(EpochCounterWithStopperConfig)
KYMO_READ(CtcTextEncoderConfig)
KYMO_READ(SentencePieceConfig)
KYMO_READ(SentencePieceProcessorConfig)
KYMO_READ(ErrorRateStatsConfig)
KYMO_READ(CheckpointerConfig)
KYMO_READ(FileTrainLoggerConfig)
KYMO_READ(SeedEverythingConfig)

} // namespace kymo::catalog
