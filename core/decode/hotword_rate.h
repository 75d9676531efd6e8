#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace earwright::decode {

/// A text as hotwords are looked for in it: unspacedUnits() in small letters, "打开 Menu" -> 打 开
/// menu.
std::vector<std::string> mixedTokens(const std::string& text);

/// A phrase that is spoken twice in an utterance and recognised once is right once.
struct HotwordCount {
    int64_t spoken = 0; ///< times in the references
    int64_t heard = 0; ///< times in the hypotheses
    int64_t right = 0; ///< times in both

    /// Percent; 0 where nothing was spoken or heard, as scikit-learn's zero_division.
    double recall() const;
    double precision() const;
    double f1() const; ///< their harmonic mean
    /// "recall", "precision" and "F1", those that there are: where none was spoken there is nothing
    /// to hear, but what was heard there was heard wrongly.
    std::vector<std::pair<const char*, double>> figures() const;
};

HotwordCount operator+(const HotwordCount& a, const HotwordCount& b);

/// Counts the phrases of a list in texts. Phrases match whole tokens: "art" is not in "start";
/// phrases of one text may overlap.
class HotwordCounter final {
public:
    /// Phrases that match the same places, as "Open Menu" and "open menu", count once.
    /// `trainTexts`: a phrase in none of them is one that training has not seen.
    HotwordCounter(
        const std::vector<std::string>& phrases, const std::vector<std::string>& trainTexts);

    /// Returns the phrases that were spoken and not heard, each as often as it was missed.
    std::vector<std::string> add(const std::string& reference, const std::string& hypothesis);

    HotwordCount all() const;
    HotwordCount unseen() const;
    bool hasUnseen() const;
    /// A line a phrase: hotword, unseen (yes or no), spoken, heard, right; separated by tabs, under
    /// a line of these names.
    std::string table() const;

private:
    struct Phrase {
        std::string text;
        std::vector<std::string> tokens;
        bool isUnseen = true;
        HotwordCount count;
    };
    using Places = std::map<size_t, int64_t>; ///< how often, by phrase
    Places placesIn(const std::string& text) const;

    std::vector<Phrase> m_phrases;
    std::map<std::string, std::vector<size_t>> m_byFirstToken;
};

} // namespace earwright::decode
