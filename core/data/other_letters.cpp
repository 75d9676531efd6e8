#include "core/data/other_letters.h"

#include "core/base/code_point.h"
#include "core/base/each_code_point.h"
#include "core/base/text.h"
#include "core/base/unspaced.h"
#include "core/data/text_encoder.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

namespace earwright::data {
namespace {

using Letters = std::set<std::string, std::less<>>;

/// A piece of SentencePiece's byte_fallback, such as "<0x41>": one byte of what has no other.
bool isByte(const std::string& label)
{
    constexpr size_t kLength = 6;
    return label.size() == kLength && label.starts_with("<0x") && label.ends_with('>');
}

Letters lettersOf(const TextEncoder& encoder)
{
    Letters letters;
    const Vocabulary vocabulary = encoder.vocabulary();
    for (int64_t index = 0; index < vocabulary.size(); ++index) {
        const std::string& label = vocabulary.labels[static_cast<size_t>(index)];
        if (vocabulary.special.contains(index) || isByte(label))
            continue;
        for (std::string& point : codePoints(label))
            letters.insert(std::move(point));
    }
    return letters;
}

std::string hintOf(const Letters& strange, const Letters& written)
{
    const auto areIn = [&](uint32_t (*inCase)(uint32_t)) {
        return std::all_of(strange.begin(), strange.end(), [&](const std::string& point) {
            return written.contains(utf8Of(inCase(codeOf(point))));
        });
    };
    return areIn(capitalOf)    ? "; it writes capital letters"
        : areIn(smallLetterOf) ? "; it writes small letters"
                               : "";
}

/// Collects what no label has.
class StrangeLetters final {
public:
    explicit StrangeLetters(Letters written)
        : m_written(std::move(written))
    {
        for (const std::string& letter : m_written)
            if (letter.size() == 1)
                m_isWritten[static_cast<unsigned char>(letter.front())] = true;
    }

    bool areIn(std::string_view word)
    {
        bool areStrange = false;
        eachCodePoint(word, [&](std::string_view point) {
            if (isWritten(point))
                return;
            areStrange = true;
            if (m_all.emplace(point).second && m_first.size() < kShown)
                m_first.push_back(inQuotes(point));
        });
        return areStrange;
    }
    std::string firstFew() const
    {
        return join(m_first, ", ") + (m_all.size() > m_first.size() ? ", …" : "");
    }
    std::string hint() const { return m_all.empty() ? "" : hintOf(m_all, m_written); }

private:
    static constexpr size_t kShown = 5;

    bool isWritten(std::string_view point) const
    {
        return point.size() == 1 ? m_isWritten[static_cast<unsigned char>(point.front())]
                                 : m_written.contains(point);
    }

    const Letters m_written;
    std::array<bool, 256> m_isWritten {}; ///< those of one byte
    Letters m_all;
    std::vector<std::string> m_first;
};

} // namespace

std::string OtherLetters::text() const
{
    if (words == 0)
        return {};
    return std::string(hasBytes ? "the model writes only by bytes " : "the model cannot write ")
        + std::to_string(words) + " of the " + std::to_string(allWords) + " words, which have "
        + letters + hint;
}

OtherLetters otherLetters(const std::vector<std::string>& texts, const TextEncoder& encoder)
{
    return otherLetters(
        texts.size(), [&texts](size_t i) { return texts[i]; }, encoder);
}

OtherLetters otherLetters(
    size_t count, const std::function<std::string(size_t)>& textAt, const TextEncoder& encoder)
{
    if (encoder.bytePairs())
        return {};
    UnspacedShare unspaced;
    for (size_t i = 0; i < count; ++i)
        unspaced.add(textAt(i));
    StrangeLetters strange(lettersOf(encoder));
    OtherLetters found;
    found.hasBytes = std::any_of(encoder.labels().begin(), encoder.labels().end(), isByte);
    for (size_t i = 0; i < count; ++i) {
        const std::string text = textAt(i);
        for (const std::string& word :
            unspaced.isMost() ? unspacedUnits(text) : splitAtWhiteSpace(text)) {
            found.words += strange.areIn(word) ? 1 : 0;
            ++found.allWords;
        }
    }
    found.letters = strange.firstFew();
    found.hint = strange.hint();
    return found;
}

} // namespace earwright::data
