#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace earwright {

/// Of a script that puts no blanks between words: ideographs and kana, those of Southeast Asia
/// (Thai, Lao, Khmer, Myanmar, Tai Tham and others), Tibetan, Javanese, Balinese. Not Hangul.
bool isUnspaced(uint32_t code);

/// Most units of the texts are such letters: there are no words to count, whatever blanks a corpus
/// puts there. Hangul counts in texts without a blank.
bool areUnspaced(const std::vector<std::string>& texts);
/// The same of texts that come one by one.
class UnspacedShare final {
public:
    void add(const std::string& text);
    bool isMost() const { return 2 * m_unspaced > m_all; }

private:
    size_t m_unspaced = 0;
    size_t m_all = 0; ///< a long English word weighs no more than an ideograph
};

/// What such texts are counted in: each such letter with the marks on it, and each of Hangul, by
/// itself, other letters by words; no blanks, also none without a width. "打开 Menu" -> 打 开 Menu,
/// "กินข้าว" -> กิ น ข้ า ว.
std::vector<std::string> unspacedUnits(const std::string& text);

} // namespace earwright
