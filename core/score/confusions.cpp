#include "core/score/confusions.h"

#include "core/base/unspaced.h"

#include <algorithm>

namespace earwright::score {

std::vector<std::string> ConfusionCounter::unitsOf(const std::string& text) const
{
    return m_haveWords ? words(text, m_split) : unspacedUnits(text);
}

void ConfusionCounter::add(const std::string& reference, const std::string& hypothesis)
{
    const Scored scored = score({}, unitsOf(reference), unitsOf(hypothesis));
    size_t said = 0;
    size_t heard = 0;
    for (const char operation : scored.operations) {
        std::string from = operation == 'I' ? std::string() : scored.reference[said++];
        std::string to = operation == 'D' ? std::string() : scored.hypothesis[heard++];
        if (operation == '=')
            continue;
        Count& pair = m_counts[{ std::move(from), std::move(to) }];
        ++pair.count;
        pair.utterances += pair.last == m_numAdded ? 0 : 1;
        pair.last = m_numAdded;
    }
    ++m_numAdded;
}

std::vector<Confusion> ConfusionCounter::confusions() const
{
    std::vector<Confusion> all;
    for (const auto& [pair, count] : m_counts)
        all.push_back({ pair.first, pair.second, count.count, count.utterances });
    std::ranges::stable_sort(all, std::greater(), &Confusion::count);
    return all;
}

} // namespace earwright::score
