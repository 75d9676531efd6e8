#pragma once

#include "ui/utterances/utterance_set.h"

#include <functional>

namespace earwright::ui {

/// A manifest to look at before a training.
struct ManifestChoice {
    std::filesystem::path file {};
    QString runPath {}; ///< a run whose tokenizer is to write the texts, and whose folders paths
                        ///< count from; "" = none
    std::filesystem::path other {}; ///< a manifest that should share no row; "" = none
    bool readsSounds = false; ///< for silence and clipping; of many hours it takes long
};

/// Its rows as a set without what was recognised, with what is noted beside it. Reads files: not in
/// the GUI thread. `goOn`: asked before each sound, in any thread; false leaves the rest unread.
UtteranceSetPtr readManifestSet(const ManifestChoice& choice, const std::function<bool()>& goOn);

} // namespace earwright::ui
