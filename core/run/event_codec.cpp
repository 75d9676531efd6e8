#include "core/run/event_codec.h"

#include "core/base/earlier_name.h"
#include "core/run/event.pb.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace earwright::run {
namespace {

constexpr std::string_view kFilePrefix = "events.out.tfevents.";
constexpr std::string_view kName = "earwright";
constexpr std::string_view kWriterEnd = ".event_log:";
constexpr int kDtString = 7;
constexpr int kDataClassTensor = 2;
constexpr int kSessionStart = 1;

/// The number at the start of a text; -1 where there is none.
int64_t leadingNumber(std::string_view text)
{
    int64_t number = -1;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

/// What comes behind our name, the earlier one too, and `end`.
std::optional<std::string_view> behindName(std::string_view text, std::string_view end)
{
    for (const std::string_view name : { kName, std::string_view(kEarlierName) })
        if (text.starts_with(name) && text.substr(name.size()).starts_with(end))
            return text.substr(name.size() + end.size());
    return std::nullopt;
}

void setScalar(proto::Summary::Value& out, const Scalar& scalar)
{
    out.set_tag(scalar.tag);
    out.set_simple_value(static_cast<float>(scalar.value));
    out.set_exact_value(scalar.value);
}

/// A string tensor of no dimension. TensorBoard's text page shows it.
void setJson(proto::Summary::Value& out, const Payload& payload)
{
    out.set_tag(std::string(kName) + "/" + payloadKind(payload));
    out.mutable_tensor()->set_dtype(kDtString);
    out.mutable_tensor()->mutable_tensor_shape();
    out.mutable_tensor()->add_string_val(payloadToJson(payload));
    out.mutable_metadata()->mutable_plugin_data()->set_plugin_name("text");
    out.mutable_metadata()->set_data_class(kDataClassTensor);
}

Status decodeValue(
    const proto::Event& message, const proto::Summary::Value& value, std::vector<Event>& events)
{
    if (value.value_case() == proto::Summary::Value::kSimpleValue) {
        const double exact = value.has_exact_value() ? value.exact_value() : value.simple_value();
        events.push_back({ message.wall_time(), Scalar { value.tag(), message.step(), exact } });
        return Done {};
    }
    const auto kind = behindName(value.tag(), "/");
    if (!kind || !isKnownKind(*kind))
        return Done {};
    if (value.tensor().string_val_size() != 1)
        return Error { "'" + value.tag() + "' holds no text" };
    Result<Payload> payload = payloadFromJson(value.tensor().string_val(0));
    if (!payload)
        return payload.error();
    events.push_back({ message.wall_time(), std::move(*payload) });
    return Done {};
}

} // namespace

std::string encodeHeader(double wallTime)
{
    proto::Event message;
    message.set_wall_time(wallTime);
    message.set_file_version("brain.Event:2");
    message.mutable_source_metadata()->set_writer(
        std::string(kName).append(kWriterEnd) + std::to_string(kEventFormatVersion));
    return message.SerializeAsString();
}

std::string encodeEvent(const Event& event)
{
    proto::Event message;
    message.set_wall_time(event.wallTime);
    message.set_step(payloadStep(event.payload));
    proto::Summary::Value& value = *message.mutable_summary()->add_value();
    if (const auto* scalar = std::get_if<Scalar>(&event.payload))
        setScalar(value, *scalar);
    else
        setJson(value, event.payload);
    return message.SerializeAsString();
}

std::string encodeSessionStart(double wallTime, int64_t step)
{
    proto::Event message;
    message.set_wall_time(wallTime);
    message.set_step(step);
    message.mutable_session_log()->set_status(kSessionStart);
    return message.SerializeAsString();
}

Status checkVersion(std::string_view bytes)
{
    proto::Event message;
    if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
        return Done {};
    const auto written = behindName(message.source_metadata().writer(), kWriterEnd);
    if (!written)
        return Done {}; // another program's event file: its scalars are readable
    const int64_t version = leadingNumber(*written);
    if (version <= kEventFormatVersion)
        return Done {};
    return Error { "written by a newer Earwright (event format " + std::to_string(version)
        + ", this program reads up to " + std::to_string(kEventFormatVersion)
        + "); open the run with that version" };
}

Status decodeMessage(std::string_view bytes, std::vector<Event>& events)
{
    proto::Event message;
    if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
        return Error { "not an event message" };
    if (!std::isfinite(message.wall_time()))
        return Error { "an event without a time" };
    for (const proto::Summary::Value& value : message.summary().value()) {
        if (Status status = decodeValue(message, value, events); !status)
            return status;
    }
    return Done {};
}

std::string eventFileName(int64_t attempt)
{
    const std::string digits = std::to_string(attempt);
    return std::string(kFilePrefix) + std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0')
        + digits;
}

std::vector<std::filesystem::path> eventFiles(const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> files;
    std::error_code error;
    std::filesystem::directory_iterator entry(folder, error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        if (entry->path().filename().string().starts_with(kFilePrefix))
            files.push_back(entry->path());
    }
    const auto attempt = [](const std::filesystem::path& path) {
        return leadingNumber(path.filename().string().substr(kFilePrefix.size()));
    };
    std::sort(files.begin(), files.end(), [&](const auto& a, const auto& b) {
        return std::pair(attempt(a), a) < std::pair(attempt(b), b);
    });
    return files;
}

} // namespace earwright::run
