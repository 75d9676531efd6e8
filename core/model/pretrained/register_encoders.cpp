#include "core/model/pretrained/pretrained_bert.h"
#include "core/model/pretrained/pretrained_encoder.h"
#include "core/model/pretrained/register.h"

namespace earwright::model {

void addPretrainedEncoders(LayerTable& table)
{
    const std::string wrappers = "speechbrain.integrations.huggingface.";
    for (const char* name : { "hubert.HuBERT", "wavlm.WavLM" })
        table.add<PretrainedEncoder, catalog::PretrainedEncoderConfig>(wrappers + name);
    table.add<PretrainedEncoder, catalog::PretrainedWav2Vec2Config>(wrappers + "wav2vec2.Wav2Vec2");
    table.add<PretrainedBert, catalog::PretrainedBertConfig>(wrappers + "w2v_bert.W2VBert");
}

} // namespace earwright::model
