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

Letters lettersOf(const TextEncoder& encoder)
{
    Letters letters;
    const Vocabulary vocabulary = encoder.vocabulary();
    for (int64_t label = 0; label < vocabulary.size(); ++label)
        if (!vocabulary.special.contains(label))
            for (std::string& point : codePoints(vocabulary.labels[static_cast<size_t>(label)]))
                letters.insert(std::move(point));
    return letters;
}

/// SentencePiece's byte_fallback: whatever there is can be written.
bool writesBytes(const TextEncoder& encoder)
{
    const std::vector<std::string>& labels = encoder.labels();
    return std::find(labels.begin(), labels.end(), "<0x41>") != labels.end();
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
    return "the model cannot write " + std::to_string(words) + " of the " + std::to_string(allWords)
        + " words, which have " + letters + hint;
}

OtherLetters otherLetters(const std::vector<std::string>& texts, const TextEncoder& encoder)
{
    if (writesBytes(encoder))
        return {};
    constexpr size_t kShown = 5;
    const Letters written = lettersOf(encoder);
    const bool haveWords = !areUnspaced(texts);
    OtherLetters found;
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
