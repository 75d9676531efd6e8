#include "core/model/transformer/register.h"

#include "core/model/transformer/transformer_asr.h"

namespace earwright::model {

void addTransformerLayers(LayerTable& table)
{
    const std::string prefix = "speechbrain.lobes.models.transformer.TransformerASR.";
    table.add<TransformerAsr, catalog::TransformerAsrConfig>(prefix + "TransformerASR");
    table.add<EncoderWrapper, catalog::EncoderWrapperConfig>(prefix + "EncoderWrapper");
}

} // namespace earwright::model
