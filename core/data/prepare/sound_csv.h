#pragma once

#include "core/base/result.h"
#include "core/recipe/node.h"

#include <filesystem>
#include <string>
#include <vector>

namespace earwright::data {

/// A CSV of noises or impulse responses that upstream's script would make before it trains: the
/// arguments of prepare_dataset_from_URL under a key of the recipe (`prepare_noise_data`).
/// Source: speechbrain.augment.preparation.
struct SoundCsv {
    std::filesystem::path file;
    std::filesystem::path folder; ///< of the sounds
    std::string ending = "wav";
    std::string url; ///< that upstream downloads; nothing is downloaded here
    bool cutsLong = false; ///< `max_length`: upstream cuts the files themselves, which is not done

    bool isThere() const; ///< the CSV
    /// What stands in the way of making it; "" where nothing does.
    std::string whyNotMade() const;
};

/// Those of a resolved recipe, in its order.
std::vector<SoundCsv> soundCsvs(const recipe::Node& recipe);

/// Makes those that are not there and that can be: rows ID_NUMBER, duration, wav, wav_format of the
/// sounds below the folder, in the order of their paths. A sound that cannot be read is left out.
/// Errors: none of them can be read, a file that cannot be written.
Status makeSoundCsvs(const recipe::Node& recipe);

} // namespace earwright::data
