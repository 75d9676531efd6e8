#include "core/run/store_keys.h"

#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>

namespace earwright::run {

namespace {

using Kind = StoreMessage::Kind;

StoreMessage refused(std::string reason)
{
    return { Kind::Refused, { std::move(reason) } };
}

StoreMessage number(int64_t value)
{
    return { Kind::Done, { std::to_string(value) } };
}

/// How many texts a request has.
bool hasItsTexts(const StoreMessage& request)
{
    const size_t count = request.texts.size();
    switch (request.kind) {
    case Kind::Set:
        return count % 2 == 0;
    case Kind::CompareSet:
        return count == 3;
    case Kind::Add:
    case Kind::Append:
        return count == 2;
    case Kind::Delete:
        return count == 1;
    case Kind::Get:
    case Kind::Wait:
        return patienceMs(request).has_value();
    case Kind::Check:
        return true;
    case Kind::Count:
        return count == 0;
    default:
        return false; // an answer
    }
}

} // namespace

bool mayAddKeys(Kind request)
{
    return request == Kind::Set || request == Kind::CompareSet || request == Kind::Add
        || request == Kind::Append;
}

std::optional<int64_t> patienceMs(const StoreMessage& request)
{
    constexpr int64_t kMost = int64_t { 1 } << 40; // decades: added to a clock it is still a time
    const auto value
        = request.texts.empty() ? std::nullopt : parseNumber<int64_t>(request.texts.front());
    return value && *value >= 0 ? std::optional(std::min(*value, kMost)) : std::nullopt;
}

std::optional<StoreMessage> StoreKeys::answer(const StoreMessage& request)
{
    const std::vector<std::string>& texts = request.texts;
    if (!hasItsTexts(request))
        return refused("a request to the run's store has the wrong parts");
    switch (request.kind) {
    case Kind::Set:
        return set(texts);
    case Kind::CompareSet:
        return compareSet(texts);
    case Kind::Add:
        return add(texts);
    case Kind::Append:
        m_values[texts[0]] += texts[1];
        return StoreMessage { Kind::Done };
    case Kind::Check:
        return number(areThere(texts.begin(), texts.end()) ? 1 : 0);
    case Kind::Delete:
        return number(m_values.erase(texts[0]) > 0 ? 1 : 0);
    case Kind::Count:
        return number(std::ssize(m_values));
    default:
        return waited(request);
    }
}

StoreMessage StoreKeys::set(const std::vector<std::string>& texts)
{
    for (size_t i = 0; i < texts.size(); i += 2)
        m_values[texts[i]] = texts[i + 1];
    return { Kind::Done };
}

/// The value that the key has then; what it must have where it has none.
StoreMessage StoreKeys::compareSet(const std::vector<std::string>& texts)
{
    const auto found = m_values.find(texts[0]);
    const bool isMissing = found == m_values.end();
    if (isMissing && !texts[1].empty())
        return { Kind::Done, { texts[1] } };
    if (isMissing || found->second == texts[1])
        m_values[texts[0]] = texts[2];
    return { Kind::Done, { m_values[texts[0]] } };
}

StoreMessage StoreKeys::add(const std::vector<std::string>& texts)
{
    const auto more = parseNumber<int64_t>(texts[1]);
    if (!more)
        return refused("only a whole number can be added, not " + inQuotes(texts[1]));
    const auto found = m_values.find(texts[0]);
    const std::optional<int64_t> before
        = found == m_values.end() ? 0 : parseNumber<int64_t>(found->second);
    int64_t sum = 0;
    if (!before || __builtin_add_overflow(*before, *more, &sum))
        return refused("nothing can be added to '" + texts[0] + "': its value is "
            + inQuotes(found->second.substr(0, 80)));
    m_values[texts[0]] = std::to_string(sum);
    return number(sum);
}

bool StoreKeys::areThere(std::vector<std::string>::const_iterator first,
    std::vector<std::string>::const_iterator last) const
{
    return std::all_of(first, last, [this](const auto& key) { return m_values.contains(key); });
}

std::optional<StoreMessage> StoreKeys::waited(const StoreMessage& request) const
{
    const auto first = request.texts.begin() + 1;
    if (!areThere(first, request.texts.end()))
        return {};
    StoreMessage answer { Kind::Done };
    if (request.kind == Kind::Get)
        std::transform(first, request.texts.end(), std::back_inserter(answer.texts),
            [this](const std::string& key) { return m_values.at(key); });
    if (wireBytes(answer) > kMostStoreBytes)
        return refused("the values asked for are longer than a message to the run's store");
    return answer;
}

} // namespace earwright::run
