#include "core/data/other_letters.h"

#include "core/base/code_point.h"
#include "core/base/text.h"
#include "core/base/unspaced.h"
#include "core/data/text_encoder.h"

#include <algorithm>
#include <set>

namespace earwright::data {
namespace {

using Letters = std::set<std::string>;

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
    if (encoder.bytePairs())
        return {};
    constexpr size_t kShown = 5;
    const Letters written = lettersOf(encoder);
    const bool haveWords = !areUnspaced(texts);
    OtherLetters found;
    found.hasBytes = std::any_of(encoder.labels().begin(), encoder.labels().end(), isByte);
    Letters strange;
    std::vector<std::string> first;
    for (const std::string& text : texts) {
        for (const std::string& word : haveWords ? splitAtWhiteSpace(text) : unspacedUnits(text)) {
            bool isStrange = false;
            for (const std::string& point : codePoints(word)) {
                if (written.contains(point))
                    continue;
                isStrange = true;
                if (strange.insert(point).second && first.size() < kShown)
                    first.push_back(inQuotes(point));
            }
            found.words += isStrange ? 1 : 0;
            ++found.allWords;
        }
    }
    found.letters = join(first, ", ") + (strange.size() > first.size() ? ", …" : "");
    found.hint = strange.empty() ? "" : hintOf(strange, written);
    return found;
}

} // namespace earwright::data
