#include "core/data/manifest_lines.h"

#include "core/base/json_depth.h"
#include "core/base/text.h"

#include <istream>
#include <utility>

namespace earwright::data {
namespace {

using nlohmann::json;

constexpr double kFramesPerSecond = 100;

using TakeObject = std::function<Status(const json& row, int line)>;

Status eachObject(std::streambuf& text, const TakeObject& take)
{
    std::istream stream(&text);
    std::string line;
    for (int number = 1; std::getline(stream, line); ++number) {
        if (number == 1 && line.starts_with("\xEF\xBB\xBF"))
            line.erase(0, 3);
        if (trim(line).empty())
            continue;
        const json row = parseShallow<json>(line);
        if (!row.is_object())
            return Error { atLine(number)
                + "expected {\"key\": …, \"source\": …, \"source_len\": …, \"target\": …}" };
        if (const Status taken = take(row, number); !taken)
            return taken;
    }
    return Done {};
}

/// "" where it is absent or no text.
std::string textAt(const json& row, const char* name)
{
    const auto at = row.find(name);
    return at != row.end() && at->is_string() ? at->get<std::string>() : "";
}

std::string rowId(const json& row, int line)
{
    const auto key = row.find("key");
    if (key != row.end() && key->is_number())
        return key->dump();
    const std::string text = textAt(row, "key");
    return text.empty() ? "line " + std::to_string(line) : text;
}

/// What is wrong with a row, or "".
std::string whyNoRow(const json& row)
{
    if (textAt(row, "source").empty())
        return "has no \"source\" that is a path";
    const auto target = row.find("target");
    if (target == row.end() || !target->is_string())
        return "has no \"target\" that is a text";
    const auto frames = row.find("source_len");
    if (frames == row.end() || !frames->is_number() || !(frames->get<double>() >= 0))
        return "has no \"source_len\" that is a number of frames of 10 ms; FunASR's scp2jsonl "
               "writes it";
    return "";
}

/// FunASR takes the blanks out of the texts of a corpus of this name.
std::string targetOf(const json& row)
{
    std::string text = textAt(row, "target");
    if (textAt(row, "source").find("aishell") != std::string::npos
        && textAt(row, "text_language") != "en")
        std::erase(text, ' ');
    return text;
}

/// What is no text is told.
Result<std::string> rowLabels(const json& row, const std::vector<std::string>& names)
{
    std::vector<std::string> labels;
    bool hasAny = false;
    for (const std::string& name : names) {
        if (row.contains(name) && !row[name].is_string())
            return Error { "has a \"" + name + "\" that is no text" };
        labels.push_back(textAt(row, name.c_str()));
        hasAny = hasAny || !labels.back().empty();
    }
    return hasAny ? join(labels, "\n") : "";
}

} // namespace

bool isListOfLines(const std::filesystem::path& file)
{
    return toLower(file.extension().string()) == ".jsonl";
}

Status eachRowOfLines(std::streambuf& text, const std::vector<std::string>& labels,
    const std::function<Status(Utterance utterance)>& take)
{
    return eachObject(text, [&](const json& row, int line) -> Status {
        Utterance utterance;
        utterance.id = rowId(row, line);
        if (const std::string wrong = whyNoRow(row); !wrong.empty())
            return Error { atLine(line) + inQuotes(utterance.id) + " " + wrong };
        utterance.wav = textAt(row, "source");
        utterance.durationSeconds = row["source_len"].get<double>() / kFramesPerSecond;
        utterance.text = targetOf(row);
        Result<std::string> own = rowLabels(row, labels);
        if (!own)
            return Error { atLine(line) + inQuotes(utterance.id) + " " + own.error().message };
        utterance.labels = std::move(*own);
        utterance.line = line;
        return take(std::move(utterance));
    });
}

Status eachIdOfLines(
    std::streambuf& text, const std::function<void(const std::string& id, int line)>& take)
{
    return eachObject(text, [&](const json& row, int line) -> Status {
        take(rowId(row, line), line);
        return Done {};
    });
}

} // namespace earwright::data
