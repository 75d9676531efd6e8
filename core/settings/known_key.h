#pragma once

namespace earwright::settings {

/// A key that something reads, though no `!ref` of the recipe names it.
struct KnownKey {
    const char* name; ///< "train_dataloader_opts", at the top of the recipe or in its section
    const char* reader; ///< for people: "data::Batching"; "" = SpeechBrain's train scripts only
    const char* detail = ""; ///< what stands there: "Fbank or another front end"
    const char* help = "";
};

} // namespace earwright::settings
