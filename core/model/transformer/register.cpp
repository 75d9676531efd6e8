#include "core/model/transformer/register.h"

#include "core/model/transformer/latent_encoder.h"
#include "core/model/transformer/transformer_asr.h"

namespace earwright::model {

void addTransformerLayers(LayerTable& table)
{
    const std::string prefix = "speechbrain.lobes.models.transformer.TransformerASR.";
    table.add<TransformerAsr, catalog::TransformerAsrConfig>(prefix + "TransformerASR");
    table.add<EncoderWrapper, catalog::EncoderWrapperConfig>(prefix + "EncoderWrapper");
    const std::string ofWav2Vec = "speechbrain.lobes.models.wav2vec.";
    table.add<W2VLatentExtractor, catalog::W2VLatentExtractorConfig>(
        ofWav2Vec + "W2VLatentExtractor");
    table.add<LatentEncoder, catalog::LatentEncoderConfig>(ofWav2Vec + "EncoderWrapper");
    table.add("speechbrain.lobes.models.transformer.Transformer.TransformerEncoder",
        [](const recipe::Node& node, LayerSet& layers) -> std::shared_ptr<Layer> {
            return makeTransformerEncoder(
                catalog::readConfig<catalog::TransformerEncoderConfig>(node, layers.diagnostics()));
        });
}

} // namespace earwright::model
