#include "core/data/prepare/own_columns.h"

#include "core/base/text.h"
#include "core/data/prepare/normalize.h"

#include <algorithm>
#include <filesystem>
#include <initializer_list>

namespace earwright::data {

namespace {

std::optional<size_t> findColumn(const CsvRow& header, std::initializer_list<std::string> names)
{
    for (const std::string& name : names) {
        const auto at = std::find(header.fields.begin(), header.fields.end(), name);
        if (at != header.fields.end())
            return static_cast<size_t>(at - header.fields.begin());
    }
    return std::nullopt;
}

const char* wordFor(NotText kind)
{
    switch (kind) {
    case NotText::Texts:
    case NotText::List:
        return "a list";
    case NotText::Object:
        return "an object";
    case NotText::Boolean:
        break;
    }
    return "true or false";
}

/// "$data_root/a.wav" as "a.wav".
std::string withoutPlaceholder(std::string path)
{
    for (const std::string placeholder : { "$data_root/", "{data_root}/" })
        if (path.starts_with(placeholder))
            path.erase(0, placeholder.size());
    return path;
}

/// Without its ending; of what lies elsewhere the whole one.
std::string pathIn(const std::filesystem::path& root, const std::filesystem::path& wav)
{
    const std::filesystem::path folder = std::filesystem::absolute(root / ".");
    const std::filesystem::path file = (folder / wav).lexically_normal();
    std::filesystem::path path = file.lexically_relative(folder.lexically_normal());
    if (path.empty() || *path.begin() == "..")
        path = file.relative_path();
    return path.replace_extension().string();
}

std::string field(const CsvRow& row, std::optional<size_t> column)
{
    return column && *column < row.fields.size() ? row.fields[*column] : "";
}

} // namespace

OwnColumns::OwnColumns(const CsvRow& header)
    : m_names(header.fields)
    , m_wav(findColumn(
          header, { "wav", "path", "file", "file_name", "audio", "audio_filepath", "source" }))
    , m_text(findColumn(header,
          { "text", "wrd", "sentence", "words", "txt", "transcript", "transcription", "target" }))
    , m_id(findColumn(header, { "id", "ID", "key" }))
    , m_speaker(findColumn(header, { "speaker", "spk_id" }))
    , m_split(findColumn(header, { "split" }))
    , m_start(findColumn(header, { "offset", "start" }))
    , m_end(findColumn(header, { "end" }))
    , m_stop(findColumn(header, { "stop" }))
    , m_duration(findColumn(header, { "duration" }))
    , m_startInFile(findColumn(header, { nameOf(m_wav) + ".start" }))
    , m_stopInFile(findColumn(header, { nameOf(m_wav) + ".stop" }))
{
}

OwnRow OwnColumns::read(
    const CsvRow& row, const OwnListOptions& options, TranscriptTags& tags) const
{
    OwnRow result;
    Utterance& utterance = result.utterance;
    const std::filesystem::path root
        = options.audioRoot.empty() ? options.file.parent_path() : options.audioRoot;
    const std::filesystem::path wav = withoutPlaceholder(field(row, m_wav));
    const std::string written = field(row, m_text);
    if (!options.normalizeText)
        countTags(written, tags);
    const std::string text = options.normalizeText ? withoutTags(written, tags) : written;
    utterance.line = row.line;
    utterance.wav = wav.empty() ? "" : std::filesystem::absolute(root / wav).string();
    utterance.text = options.normalizeText ? normalizeTranscript(text, options.language)
                                           : std::string(trim(text));
    utterance.id = field(row, m_id);
    utterance.speaker = field(row, m_speaker);
    result.path = pathIn(root, wav);
    result.split = field(row, m_split);
    result.hasDigits = options.normalizeText && hasDigit(text);
    result.isOnlyTags = trim(text).empty() && !trim(written).empty();
    result.hasTooMany = row.fields.size() > m_names.size();
    result.extent = extentOf(row);
    return result;
}

std::string OwnColumns::unreadIn(size_t index, const NotTexts& notTexts) const
{
    for (const auto& column : { m_wav, m_text, m_id, m_speaker, m_split, m_start, m_end, m_stop,
             m_duration, m_startInFile, m_stopInFile }) {
        const auto found = column ? notTexts.find({ index, *column }) : notTexts.end();
        const bool isTold
            = found != notTexts.end() && !(column == m_text && found->second == NotText::Texts);
        if (isTold)
            return inQuotes(nameOf(column)) + " is " + wordFor(found->second)
                + ", which is not read";
    }
    return "";
}

Extent OwnColumns::extentOf(const CsvRow& row) const
{
    const auto either = [&](std::optional<size_t> first, std::optional<size_t> second) {
        const std::string text = field(row, first);
        return text.empty() ? field(row, second) : text;
    };
    return { either(m_startInFile, m_start), field(row, m_end), either(m_stopInFile, m_stop),
        field(row, m_duration), startUnitOf(row) };
}

StartUnit OwnColumns::startUnitOf(const CsvRow& row) const
{
    if (!field(row, m_startInFile).empty())
        return StartUnit::Samples;
    return nameOf(m_start) == "offset" ? StartUnit::Seconds : StartUnit::AsItsEnd;
}

std::string OwnColumns::nameOf(std::optional<size_t> column) const
{
    return column ? m_names[*column] : "";
}

} // namespace earwright::data
