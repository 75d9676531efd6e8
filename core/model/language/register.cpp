#include "core/model/language/register.h"

#include "core/model/language/rnn_lm.h"
#include "core/model/language/transformer_lm.h"

namespace earwright::model {

void addLanguageModels(LayerTable& table)
{
    table.add<RnnLm, catalog::RnnLmConfig>("speechbrain.lobes.models.RNNLM.RNNLM");
    table.add<TransformerLm, catalog::TransformerLmConfig>(
        "speechbrain.lobes.models.transformer.TransformerLM.TransformerLM");
}

} // namespace earwright::model
