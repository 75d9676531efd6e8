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
    add<ScorerBuilderConfig>(table, "speechbrain.decoders.scorer.ScorerBuilder", Role::Decoder);
    add<CtcScorerConfig>(table, "speechbrain.decoders.scorer.CTCScorer", Role::Decoder);
    add<LengthScorerConfig>(table, "speechbrain.decoders.scorer.LengthScorer", Role::Decoder);
    for (const char* name : { "speechbrain.decoders.ctc.CTCBeamSearcher",
             "speechbrain.decoders.ctc.CTCPrefixBeamSearcher" })
        add<CtcBeamSearcherConfig>(table, name, Role::Decoder, true); // torch.nn.Modules
}

EARWRIGHT_READ(GreedySearcherConfig)
EARWRIGHT_READ(BeamSearcherConfig)
EARWRIGHT_READ(ScorerBuilderConfig)
EARWRIGHT_READ(CtcScorerConfig)
EARWRIGHT_READ(LengthScorerConfig)
EARWRIGHT_READ(CtcBeamSearcherConfig)

} // namespace earwright::catalog
