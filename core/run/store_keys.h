#pragma once

#include "core/run/store_message.h"

#include <optional>
#include <string>
#include <unordered_map>

namespace earwright::run {

/// The keys and values of a run's store. What can be done with them does what it does in
/// c10d::TCPStore; they cannot be listed.
class StoreKeys final {
public:
    /// Done with the request's results, or Refused with the reason; nothing where it waits for keys
    /// that are not there yet.
    std::optional<StoreMessage> answer(const StoreMessage& request);

private:
    StoreMessage set(const std::vector<std::string>& texts);
    StoreMessage compareSet(const std::vector<std::string>& texts);
    StoreMessage add(const std::vector<std::string>& texts);
    bool areThere(std::vector<std::string>::const_iterator first,
        std::vector<std::string>::const_iterator last) const;
    std::optional<StoreMessage> waited(const StoreMessage& request) const;

    std::unordered_map<std::string, std::string> m_values;
};

/// Whether it may be what others wait for.
bool mayAddKeys(StoreMessage::Kind request);

/// How long a Get or Wait may last; nothing of a text that says none. 0 = for ever.
std::optional<int64_t> patienceMs(const StoreMessage& request);

} // namespace earwright::run
