#pragma once

#include <QString>

namespace earwright::tests {

inline constexpr const char* kNoPrompts = "the demo's prompts are not here: packaging/setup.sh "
                                          "installs asterisk-core-sounds-en-wav and its texts";

/// The texts of the demo's prompts, which packaging/setup.sh unpacks. EARWRIGHT_SOUNDS_DIR names
/// another root.
inline QString promptTranscripts()
{
    return qEnvironmentVariable("EARWRIGHT_SOUNDS_DIR", EARWRIGHT_SOURCE_DIR "/build/sounds")
        + "/usr/share/doc/asterisk-core-sounds-en/core-sounds-en.txt.gz";
}

} // namespace earwright::tests
