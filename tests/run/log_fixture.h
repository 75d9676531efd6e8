#pragma once

#include "core/run/event_codec.h"
#include "core/run/record.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace earwright::run {

/// Bytes of an event file: a header, then the events.
inline std::string logBytes(const std::vector<Event>& events)
{
    std::string bytes;
    appendRecord(bytes, encodeHeader(1000));
    for (const Event& event : events)
        appendRecord(bytes, encodeEvent(event));
    return bytes;
}

inline void writeBytes(const std::filesystem::path& path, std::string_view bytes)
{
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline void appendBytes(const std::filesystem::path& path, std::string_view bytes)
{
    std::ofstream(path, std::ios::binary | std::ios::app)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// A line for each event: what a reader got, for comparing.
inline std::string asText(const std::vector<Event>& events)
{
    std::string text;
    for (const Event& event : events)
        text += std::to_string(event.wallTime) + " " + payloadToJson(event.payload) + "\n";
    return text;
}

} // namespace earwright::run
