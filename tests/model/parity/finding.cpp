#include "tests/model/parity/finding.h"

namespace earwright::tests {

Finding Finding::at(const std::string& key) const
{
    return { m_json->at(key), m_place / key, *m_account };
}

Finding Finding::at(size_t index) const
{
    return { m_json->at(index), m_place / index, *m_account };
}

std::vector<Finding> Finding::items() const
{
    if (m_json->empty())
        whole();
    std::vector<Finding> members;
    for (const auto& [key, value] : m_json->items())
        members.emplace_back(value, m_place / key, *m_account);
    return members;
}

const Json& Finding::whole() const
{
    m_account->insert(m_place.to_string());
    return *m_json;
}

namespace {

void collect(const Json& json, const Finding::Pointer& place, const Account& account,
    std::vector<std::string>& unread)
{
    if (account.contains(place.to_string()))
        return;
    if (!json.is_structured() || json.empty())
        unread.push_back(place.to_string());
    else
        for (const auto& [key, value] : json.items())
            collect(value, place / key, account, unread);
}

} // namespace

std::vector<std::string> unreadParts(const Json& json, const Account& account)
{
    std::vector<std::string> unread;
    collect(json, Finding::Pointer(), account, unread);
    return unread;
}

} // namespace earwright::tests
