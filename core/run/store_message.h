#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::run {

/// What a client of a run's store asks (StoreKeys), and what it is answered.
struct StoreMessage {
    enum class Kind : uint8_t {
        Done, ///< answers: values, or a number in decimal
        TimedOut,
        Refused, ///< the reason
        Hello, ///< see StoreHandshake
        Challenge,
        Proof,
        Set, ///< requests: key, value, key, value, …
        CompareSet, ///< key, the value it must have, the new one
        Get, ///< milliseconds (0 = for ever), keys
        Wait, ///< the same
        Add, ///< key, number
        Append, ///< key, value
        Check, ///< keys
        Delete, ///< key
        Count,
    };
    static constexpr Kind kLastKind = Kind::Count;

    Kind kind = Kind::Done;
    std::vector<std::string> texts {};
    bool operator==(const StoreMessage&) const = default;
};

/// Bytes of the longest message. Ranks tell each other texts; tensors go over Gloo and NCCL.
constexpr size_t kMostStoreBytes = 256u << 20;

/// On the wire: the number of bytes that follow, the kind (one byte), then each text behind its
/// number of bytes. Numbers of bytes are uint32, little endian.
std::string toWire(const StoreMessage& message);
/// What toWire() would make it.
size_t wireBytes(const StoreMessage& message);

/// Finds the messages in bytes that come piece by piece.
class StoreInbox final {
public:
    /// Of which none may be longer.
    explicit StoreInbox(size_t mostBytes)
        : m_mostBytes(mostBytes)
    {
    }
    void allow(size_t mostBytes) { m_mostBytes = mostBytes; }

    /// False where more wait than a message may have: the sender does not wait for its answers.
    bool add(std::string_view bytes);
    /// The next message; nothing where not all of it is there yet. After an error nothing follows.
    Result<std::optional<StoreMessage>> take();

private:
    size_t m_mostBytes;
    std::string m_bytes;
    size_t m_at = 0; ///< where the next message begins
};

} // namespace earwright::run
