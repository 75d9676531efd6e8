#include "core/base/text.h"
#include "core/check/explain.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace earwright::check {

namespace {

std::string padded(const std::string& text, size_t width)
{
    return text + std::string(width - std::min(width, codePointCount(text)), ' ');
}

/// Under a heading, one below the other.
std::string block(const char* heading, const std::vector<std::string>& lines)
{
    std::string text;
    for (const std::string& line : lines)
        text += "  " + padded(text.empty() ? heading : "", 10) + line + "\n";
    return text;
}

} // namespace

std::string explanationTable(const std::vector<Explanation>& explanations)
{
    constexpr size_t kMost = 40; // a column wider than this is left ragged
    size_t keyWidth = 0;
    size_t valueWidth = 0;
    for (const Explanation& explanation : explanations) {
        keyWidth = std::max(keyWidth, std::min(kMost, codePointCount(explanation.setting.key)));
        valueWidth
            = std::max(valueWidth, std::min(kMost, codePointCount(explanation.setting.value)));
    }
    std::string text;
    for (const Explanation& explanation : explanations) {
        const Provenance& setting = explanation.setting;
        text += padded(setting.key, keyWidth) + "  " + padded(setting.value, valueWidth) + "  "
            + padded(setting.source, 8) + "  " + setting.place + (setting.place.empty() ? "" : "  ")
            + "-> " + setting.consumer + "\n";
    }
    return text;
}

std::string explanationText(const Explanation& explanation)
{
    const Provenance& setting = explanation.setting;
    return setting.key + ": " + setting.value + "\n"
        + block("from", { setting.source + (setting.place.empty() ? "" : ", " + setting.place) })
        + block("read by", { setting.consumer }) + block("chain", explanation.chain)
        + block("used by", explanation.usedBy);
}

std::string explanationsToJson(const std::vector<Explanation>& explanations)
{
    auto settings = nlohmann::ordered_json::array();
    for (const Explanation& explanation : explanations) {
        const Provenance& setting = explanation.setting;
        settings.push_back(
            { { "key", setting.key }, { "value", setting.value }, { "source", setting.source },
                { "place", setting.place }, { "consumer", setting.consumer },
                { "chain", explanation.chain }, { "used_by", explanation.usedBy } });
    }
    const nlohmann::ordered_json json { { "settings", std::move(settings) } };
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace earwright::check
