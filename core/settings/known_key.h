#pragma once

#include <string_view>

namespace earwright::settings {

/// What reads keys of a recipe. Each is named once, beside the settings or the task that it reads.
struct Reader {
    constexpr explicit Reader(const char* who)
        : name(who)
    {
    }
    /// False: SpeechBrain's train scripts only.
    constexpr bool isOurs() const { return *name != '\0'; }
    constexpr bool operator==(const Reader& other) const
    {
        return std::string_view(name) == other.name;
    }

    const char* name; ///< for people: "data::Batching"
};

/// Nothing of Earwright's.
inline constexpr Reader kScripts { "" };
/// A rule alone: no run reads the key.
inline constexpr Reader kCheckReader { "check" };

/// A key that something reads, though no `!ref` of the recipe names it.
struct KnownKey {
    const char* name; ///< "train_dataloader_opts", at the top of the recipe or in its section
    Reader reader;
    const char* detail = ""; ///< what stands there: "Fbank or another front end"
    const char* help = "";
};

} // namespace earwright::settings
