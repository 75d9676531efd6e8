// Losses, optimizers, text encoders and what surrounds a training.

#include "core/catalog/class_table.h"
#include "core/catalog/configs/loss.h"
#include "core/catalog/configs/optimizer.h"
#include "core/catalog/configs/scheduler.h"
#include "core/catalog/configs/tokenizer.h"
#include "core/catalog/configs/utility.h"
#include "core/catalog/read_impl.h"

namespace earwright::catalog {

void addTraining(ClassTable& table)
{
    add<CtcLossConfig>(table, "speechbrain.nnet.losses.ctc_loss", Role::Loss);
    add<CtcK2LossConfig>(table, "speechbrain.integrations.k2_fsa.losses.ctc_k2", Role::Loss);
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
    add<BertTokenizerConfig>(
        table, "transformers.BertTokenizer.from_pretrained", Role::TextEncoder);
    add<ErrorRateStatsConfig>(table, "speechbrain.utils.metric_stats.ErrorRateStats", Role::Metric);
    add<CheckpointerConfig>(table, "speechbrain.utils.checkpoints.Checkpointer", Role::Utility);
    add<FileTrainLoggerConfig>(
        table, "speechbrain.utils.train_logger.FileTrainLogger", Role::Utility);
    add<SeedEverythingConfig>(table, "speechbrain.utils.seed.seed_everything", Role::Utility);
}

EARWRIGHT_READ(CtcLossConfig)
EARWRIGHT_READ(CtcK2LossConfig)
EARWRIGHT_READ(NllLossConfig)
EARWRIGHT_READ(KldivLossConfig)
EARWRIGHT_READ(AdamWConfig)
EARWRIGHT_READ(AdamConfig)
EARWRIGHT_READ(AdadeltaConfig)
EARWRIGHT_READ(SgdConfig)
EARWRIGHT_READ(EpochCounterConfig)
EARWRIGHT_READ(EpochCounterWithStopperConfig)
EARWRIGHT_READ(CtcTextEncoderConfig)
EARWRIGHT_READ(SentencePieceConfig)
EARWRIGHT_READ(SentencePieceProcessorConfig)
EARWRIGHT_READ(BertTokenizerConfig)
EARWRIGHT_READ(ErrorRateStatsConfig)
EARWRIGHT_READ(CheckpointerConfig)
EARWRIGHT_READ(FileTrainLoggerConfig)
EARWRIGHT_READ(SeedEverythingConfig)

} // namespace earwright::catalog
