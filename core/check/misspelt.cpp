#include "core/check/misspelt.h"

#include "core/base/text.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace earwright::check {

namespace {

std::string plain(const std::string& key)
{
    std::string letters;
    std::copy_if(key.begin(), key.end(), std::back_inserter(letters),
        [](char c) { return c != '_' && c != '-'; });
    return toLower(letters);
}

uint64_t bytesOf(const std::string& name)
{
    uint64_t bytes = 0;
    for (const char c : name)
        bytes |= uint64_t { 1 } << (static_cast<unsigned char>(c) % 64);
    return bytes;
}

/// Never more than their edit distance: one edit brings in or takes away one byte at most.
size_t leastDistance(const Spelling& a, const Spelling& b)
{
    return static_cast<size_t>(
        std::max(std::popcount(a.bytes & ~b.bytes), std::popcount(b.bytes & ~a.bytes)));
}

} // namespace

Spelling::Spelling(std::string key)
    : name(std::move(key))
    , plainName(plain(name))
    , bytes(bytesOf(name))
{
}

MissingNames::MissingNames(const std::vector<std::string>& names, const recipe::Node& section)
{
    std::unordered_set<std::string_view> given;
    for (const recipe::Entry& entry : section.entries)
        given.insert(entry.key->text);
    for (const std::string& name : names)
        if (!given.contains(name))
            m_names.emplace_back(name);
}

std::string MissingNames::misspelt(const std::string& key) const
{
    const Spelling spelling(key);
    const size_t most = key.size() < 5 ? 0 : key.size() < 16 ? 1 : 2;
    std::string nearest;
    size_t least = most + 1;
    for (const Spelling& known : m_names) {
        const bool isSame = known.plainName == spelling.plainName;
        if (!isSame && leastDistance(spelling, known) >= least)
            continue;
        const size_t distance = isSame ? 0 : editDistance(key, known.name);
        if (distance < least) {
            nearest = known.name;
            least = distance;
        }
    }
    return nearest;
}

} // namespace earwright::check
