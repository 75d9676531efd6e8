#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace earwright::tests {

using Json = nlohmann::ordered_json;

/// What was read of a case: tensors by name ("out.y"), parts of the JSON by JSON pointer
/// ("/hyps/0/text"), which stands for all below it.
using Account = std::set<std::string>;

/// A part of what upstream found, as the JSON of a case has it. To take its value is to have read
/// it; to look at a part of it is not. Lives as long as the case.
class Finding final {
public:
    using Pointer = Json::json_pointer;

    Finding(const Json& json, Pointer place, Account& account)
        : m_json(&json)
        , m_place(std::move(place))
        , m_account(&account)
    {
    }

    /// Throw nlohmann::json::exception where it is not there.
    Finding at(const std::string& key) const;
    Finding at(size_t index) const;
    bool contains(const std::string& key) const { return m_json->contains(key); }
    size_t size() const { return m_json->size(); }
    /// Members of an array or an object, with their keys; of an empty one the emptiness is read.
    std::vector<Finding> items() const;
    const std::string& key() const { return m_place.back(); }

    const Json& whole() const;
    template <class Value>
    Value as() const
    {
        return whole().get<Value>();
    }
    double number() const { return as<double>(); }

private:
    const Json* m_json;
    Pointer m_place;
    Account* m_account;
};

/// Values in `json` that `account` has neither themselves nor by what they are part of.
std::vector<std::string> unreadParts(const Json& json, const Account& account);

} // namespace earwright::tests
