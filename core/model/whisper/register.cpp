#include "core/model/whisper/register.h"

#include "core/model/whisper/whisper.h"

namespace earwright::model {

void addWhisper(LayerTable& table)
{
    table.add<Whisper, catalog::WhisperConfig>(
        "speechbrain.integrations.huggingface.whisper.Whisper");
}

} // namespace earwright::model
