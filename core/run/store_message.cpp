#include "core/run/store_message.h"

namespace earwright::run {

namespace {

constexpr size_t kLengthBytes = 4;

void appendLength(std::string& wire, size_t length)
{
    for (size_t byte = 0; byte < kLengthBytes; ++byte)
        wire += static_cast<char>(length >> (8 * byte) & 0xff);
}

/// Of at least four bytes.
size_t lengthAt(std::string_view bytes)
{
    size_t length = 0;
    for (size_t byte = 0; byte < kLengthBytes; ++byte)
        length |= size_t { static_cast<unsigned char>(bytes[byte]) } << (8 * byte);
    return length;
}

Result<StoreMessage> fromBody(std::string_view body)
{
    const auto kind = static_cast<uint8_t>(body.front());
    if (kind > static_cast<uint8_t>(StoreMessage::kLastKind))
        return Error { "a message to the run's store is of an unknown kind" };
    StoreMessage message { static_cast<StoreMessage::Kind>(kind) };
    body.remove_prefix(1);
    while (!body.empty()) {
        if (body.size() < kLengthBytes || lengthAt(body) > body.size() - kLengthBytes)
            return Error { "a text of a message to the run's store is cut off" };
        const size_t length = lengthAt(body);
        message.texts.emplace_back(body.substr(kLengthBytes, length));
        body.remove_prefix(kLengthBytes + length);
    }
    return message;
}

} // namespace

size_t wireBytes(const StoreMessage& message)
{
    size_t bytes = kLengthBytes + 1;
    for (const std::string& text : message.texts)
        bytes += kLengthBytes + text.size();
    return bytes;
}

std::string toWire(const StoreMessage& message)
{
    std::string wire;
    const size_t bytes = wireBytes(message);
    wire.reserve(bytes);
    appendLength(wire, bytes - kLengthBytes);
    wire += static_cast<char>(message.kind);
    for (const std::string& text : message.texts) {
        appendLength(wire, text.size());
        wire += text;
    }
    return wire;
}

bool StoreInbox::add(std::string_view bytes)
{
    m_bytes.erase(0, m_at);
    m_at = 0;
    m_bytes += bytes;
    return m_bytes.size() <= kLengthBytes + m_mostBytes;
}

Result<std::optional<StoreMessage>> StoreInbox::take()
{
    const std::string_view rest = std::string_view(m_bytes).substr(m_at);
    if (rest.size() < kLengthBytes)
        return std::optional<StoreMessage>();
    const size_t length = lengthAt(rest);
    if (length == 0 || length > m_mostBytes)
        return Error { "a message to the run's store claims to have " + std::to_string(length)
            + " bytes" };
    if (rest.size() - kLengthBytes < length)
        return std::optional<StoreMessage>();
    Result<StoreMessage> message = fromBody(rest.substr(kLengthBytes, length));
    if (!message)
        return message.error();
    m_at += kLengthBytes + length;
    return std::optional(std::move(*message));
}

} // namespace earwright::run
