// Pretrained encoders: those of Hugging Face's transformers, as SpeechBrain wraps them, and its
// own.

#include "core/catalog/configs/pretrained.h"
#include "core/catalog/class_table.h"
#include "core/catalog/configs/wav2vec.h"
#include "core/catalog/configs/whisper.h"
#include "core/catalog/read_impl.h"

namespace earwright::catalog {

void addPretrained(ClassTable& table)
{
    const std::string wrappers = "speechbrain.integrations.huggingface.";
    for (const char* name : { "hubert.HuBERT", "wavlm.WavLM" })
        add<PretrainedEncoderConfig>(table, wrappers + name, Role::Module, kParameters);
    add<PretrainedWav2Vec2Config>(table, wrappers + "wav2vec2.Wav2Vec2", Role::Module, kParameters);
    add<PretrainedBertConfig>(table, wrappers + "w2v_bert.W2VBert", Role::Module, kParameters);
    add<WhisperConfig>(table, wrappers + "whisper.Whisper", Role::Module, kParameters);
    const std::string models = "speechbrain.lobes.models.";
    add<W2VLatentExtractorConfig>(
        table, models + "wav2vec.W2VLatentExtractor", Role::Module, kParameters);
    add<LatentEncoderConfig>(table, models + "wav2vec.EncoderWrapper", Role::Module, kParameters);
    add<TransformerEncoderConfig>(
        table, models + "transformer.Transformer.TransformerEncoder", Role::Module, kParameters);
}

EARWRIGHT_READ(PretrainedEncoderConfig)
EARWRIGHT_READ(PretrainedWav2Vec2Config)
EARWRIGHT_READ(PretrainedBertConfig)
EARWRIGHT_READ(WhisperConfig)
EARWRIGHT_READ(W2VLatentExtractorConfig)
EARWRIGHT_READ(LatentEncoderConfig)
EARWRIGHT_READ(TransformerEncoderConfig)

} // namespace earwright::catalog
