// Searches and their scorers.

#include "core/catalog/class_table.h"
#include "core/catalog/configs/search.h"
#include "core/catalog/read_impl.h"

namespace earwright::catalog {

void addDecoders(ClassTable& table)
{
    add<GreedySearcherConfig>(
        table, "speechbrain.decoders.seq2seq.S2STransformerGreedySearcher", Role::Decoder);
    add<BeamSearcherConfig>(
        table, "speechbrain.decoders.seq2seq.S2STransformerBeamSearcher", Role::Decoder);
    add<WhisperGreedySearcherConfig>(
        table, "speechbrain.decoders.seq2seq.S2SWhisperGreedySearcher", Role::Decoder);
    add<WhisperBeamSearcherConfig>(
        table, "speechbrain.decoders.seq2seq.S2SWhisperBeamSearcher", Role::Decoder);
    add<ScorerBuilderConfig>(table, "speechbrain.decoders.scorer.ScorerBuilder", Role::Decoder);
    add<CtcScorerConfig>(table, "speechbrain.decoders.scorer.CTCScorer", Role::Decoder);
    add<LengthScorerConfig>(table, "speechbrain.decoders.scorer.LengthScorer", Role::Decoder);
    add<LanguageModelScorerConfig>(
        table, "speechbrain.decoders.scorer.TransformerLMScorer", Role::Decoder);
    add<LanguageModelScorerConfig>(table, "speechbrain.decoders.scorer.RNNLMScorer", Role::Decoder);
    add<KenLmScorerConfig>(table, "speechbrain.decoders.scorer.KenLMScorer", Role::Decoder);
    add<CoverageScorerConfig>(table, "speechbrain.decoders.scorer.CoverageScorer", Role::Decoder);
    for (const char* name : { "speechbrain.decoders.ctc.CTCBeamSearcher",
             "speechbrain.decoders.ctc.CTCPrefixBeamSearcher" })
        add<CtcBeamSearcherConfig>(table, name, Role::Decoder, true); // torch.nn.Modules
}

EARWRIGHT_READ(GreedySearcherConfig)
EARWRIGHT_READ(BeamSearcherConfig)
EARWRIGHT_READ(WhisperGreedySearcherConfig)
EARWRIGHT_READ(WhisperBeamSearcherConfig)
EARWRIGHT_READ(ScorerBuilderConfig)
EARWRIGHT_READ(CtcScorerConfig)
EARWRIGHT_READ(LengthScorerConfig)
EARWRIGHT_READ(LanguageModelScorerConfig)
EARWRIGHT_READ(KenLmScorerConfig)
EARWRIGHT_READ(CoverageScorerConfig)
EARWRIGHT_READ(CtcBeamSearcherConfig)

} // namespace earwright::catalog
