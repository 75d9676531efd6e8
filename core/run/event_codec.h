#pragma once

#include "core/base/result.h"
#include "core/run/event.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::run {

/// Greatest format version this program reads; it writes this one.
constexpr int kEventFormatVersion = 1;

/// Bytes of the first message of a file: TensorBoard's file version and ours.
std::string encodeHeader(double wallTime);
std::string encodeEvent(const Event& event);
/// Tells TensorBoard that what was logged at `step` and beyond is overtaken. A reader of ours knows
/// it from RunStarted and finds no event in it.
std::string encodeSessionStart(double wallTime, int64_t step);

/// Error for a header of a newer version, in words.
Status checkVersion(std::string_view bytes);
/// Adds the events of one message to `events`: none for a header or an unknown kind. Error for
/// bytes that are no event.
Status decodeMessage(std::string_view bytes, std::vector<Event>& events);

/// "events.out.tfevents.0003": sorted by name is sorted by attempt.
std::string eventFileName(int64_t attempt);
/// The event files of a folder by attempt; none where there is no folder.
std::vector<std::filesystem::path> eventFiles(const std::filesystem::path& folder);

} // namespace earwright::run
