// Encoders of Hugging Face's transformers, as SpeechBrain wraps them.

#include "core/catalog/configs/pretrained.h"
#include "core/catalog/class_table.h"
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
}

EARWRIGHT_READ(PretrainedEncoderConfig)
EARWRIGHT_READ(PretrainedWav2Vec2Config)
EARWRIGHT_READ(PretrainedBertConfig)
EARWRIGHT_READ(WhisperConfig)

} // namespace earwright::catalog
