#include "core/data/amendments.h"

#include "core/base/file.h"
#include "core/base/file_lock.h"
#include "core/base/names.h"
#include "core/base/text.h"
#include "core/data/csv.h"
#include "core/data/manifest_rows.h"

#include <algorithm>
#include <fcntl.h>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace earwright::data {

namespace {

constexpr size_t kMostNamed = 5; ///< of the IDs that an error is about

const std::vector<std::string> kCorrectionColumns { "ID", "old", "new" };

std::filesystem::path amendmentFile(const std::filesystem::path& manifest, const char* ending)
{
    return manifest.parent_path() / (manifest.filename().string() + ending);
}

bool isUtf8(const std::string& text)
{
    return brokenUtf8At(text) == std::string::npos;
}

/// "" = it is one, or the header. `ids`: of the rows above.
std::string whyNoCorrection(const CsvRow& row, bool isHeader, std::unordered_set<std::string>& ids)
{
    if (isHeader ? row.fields != kCorrectionColumns
                 : row.fields.size() != kCorrectionColumns.size())
        return "is no correction: write ID,old,new";
    if (!std::ranges::all_of(row.fields, isUtf8))
        return "is no UTF-8: write the file as UTF-8";
    if (!isHeader && !ids.insert(row.fields[0]).second)
        return "is the second correction of " + inQuotes(row.fields[0]) + ": leave one of them";
    return "";
}

Result<std::vector<Correction>> readCorrections(const std::filesystem::path& file)
{
    std::vector<Correction> corrections;
    if (!isFile(file))
        return corrections;
    const Result<std::string> text = readFile(file);
    if (!text)
        return text.error();
    const Result<std::vector<CsvRow>> rows = parseCsv(*text);
    if (!rows)
        return Error { inQuotes(file.string()) + ", " + rows.error().message };
    std::unordered_set<std::string> ids;
    for (const CsvRow& row : *rows) {
        const std::string wrong = whyNoCorrection(row, &row == &rows->front(), ids);
        if (!wrong.empty())
            return Error { inQuotes(file.string()) + ", " + atLine(row.line) + wrong };
        if (&row != &rows->front())
            corrections.push_back({ row.fields[0], row.fields[1], row.fields[2] });
    }
    return corrections;
}

Result<std::vector<std::string>> readQuarantine(const std::filesystem::path& file)
{
    std::vector<std::string> ids;
    if (!isFile(file))
        return ids;
    const Result<std::string> text = readFile(file);
    if (!text)
        return text.error();
    for (std::string& line : split(*text, '\n')) {
        if (line.ends_with('\r'))
            line.pop_back();
        if (!line.empty())
            ids.push_back(std::move(line));
    }
    return ids;
}

/// Without text the file goes.
Status writeOrRemove(const std::filesystem::path& file, const std::string& text)
{
    if (!text.empty())
        return writeFileAtomically(file, text);
    std::error_code error;
    std::filesystem::remove(file, error);
    return error
        ? Status(Error { "cannot remove " + inQuotes(file.string()) + ": " + error.message() })
        : Status(Done {});
}

Status writeCorrections(
    const std::filesystem::path& manifest, const std::vector<Correction>& corrections)
{
    std::string text = corrections.empty() ? "" : formatCsvRow(kCorrectionColumns);
    for (const Correction& one : corrections)
        text += formatCsvRow({ one.id, one.oldText, one.newText });
    return writeOrRemove(correctionsFile(manifest), text);
}

Status writeQuarantine(const std::filesystem::path& manifest, const std::vector<std::string>& ids)
{
    std::string text;
    for (const std::string& id : ids)
        text += id + "\n";
    return writeOrRemove(quarantineFile(manifest), text);
}

/// The right to write the files beside a manifest, which is itself what is locked. Where the file
/// system has locks for writers alone (NFS) it must be open for writing.
Result<Descriptor> lockAmendments(const std::filesystem::path& manifest)
{
    Descriptor file(::open(manifest.c_str(), O_RDWR | O_CLOEXEC));
    if (!file)
        file = Descriptor(::open(manifest.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file)
        return Error { "cannot open " + inQuotes(manifest.string()) + ": " + systemError() };
    const Status locked = waitForLock(manifest, file);
    return locked ? Result(std::move(file)) : locked.error();
}

Error listing(const std::string& what, const std::vector<std::string>& ids)
{
    return { what + listFirst(ids, kMostNamed) };
}

/// Applies amendments to the rows of a manifest, and keeps account.
class Amender final {
public:
    explicit Amender(const Amendments& amendments)
        : m_quarantined(amendments.quarantined.begin(), amendments.quarantined.end())
    {
        for (const Correction& one : amendments.corrections)
            m_corrections[one.id] = &one;
    }

    /// A row of the manifest: false = it is left out.
    bool take(const std::string& id, std::string& text)
    {
        if (const auto correction = m_corrections.find(id); correction != m_corrections.end()) {
            m_seen.insert(id);
            if (correction->second->oldText != text)
                m_changed.push_back(inQuotes(id));
            text = correction->second->newText;
        }
        if (m_quarantined.contains(id)) {
            m_seen.insert(id);
            ++m_count.leftOut;
            return false;
        }
        m_count.corrected += m_corrections.contains(id) ? 1 : 0;
        ++m_count.rows;
        return true;
    }

    /// Once all rows were taken. `manifest` and the column of its texts are named in the error.
    Result<AmendedManifest> result(const std::filesystem::path& manifest, const std::string& column,
        const Amendments& amendments) const
    {
        if (!m_changed.empty())
            return listing("the corrections in " + inQuotes(correctionsFile(manifest).string())
                    + " were made for other texts than the manifest has in " + inQuotes(column)
                    + ": name the column that was corrected, correct anew, or remove the lines of ",
                m_changed);
        std::vector<std::string> unknown;
        for (const Correction& one : amendments.corrections)
            if (!m_seen.contains(one.id))
                unknown.push_back(inQuotes(one.id));
        for (const std::string& id : amendments.quarantined)
            if (!m_seen.contains(id))
                unknown.push_back(inQuotes(id));
        if (!unknown.empty())
            return listing("the manifest " + inQuotes(manifest.string())
                    + " has no such utterance: remove from the files beside it ",
                unknown);
        return m_count;
    }

private:
    std::unordered_map<std::string, const Correction*> m_corrections; ///< of the amendments
    std::unordered_set<std::string> m_quarantined;
    std::unordered_set<std::string> m_seen;
    std::vector<std::string> m_changed;
    AmendedManifest m_count;
};

Status mayBeWritten(const std::filesystem::path& manifest, const std::filesystem::path& out)
{
    if (toLower(out.extension().string()) != toLower(manifest.extension().string()))
        return Error { inQuotes(out.string()) + " must end in '" + manifest.extension().string()
            + "', as the manifest does" };
    if (isFile(out))
        return Error { inQuotes(out.string())
            + " is there already: choose another name, or move it away" };
    return Done {};
}

} // namespace

std::filesystem::path correctionsFile(const std::filesystem::path& manifest)
{
    return amendmentFile(manifest, ".corrections.csv");
}

std::filesystem::path quarantineFile(const std::filesystem::path& manifest)
{
    return amendmentFile(manifest, ".quarantine.txt");
}

Result<Amendments> readAmendments(const std::filesystem::path& manifest)
{
    Result<std::vector<Correction>> corrections = readCorrections(correctionsFile(manifest));
    if (!corrections)
        return corrections.error();
    Result<std::vector<std::string>> quarantined = readQuarantine(quarantineFile(manifest));
    if (!quarantined)
        return quarantined.error();
    return Amendments { std::move(*corrections), std::move(*quarantined) };
}

Result<Amendments> correctTranscript(const std::filesystem::path& manifest, const std::string& id,
    const std::string& newText, const settings::ManifestColumns& columns)
{
    std::optional<std::string> old;
    const Result<RewrittenManifest> read
        = rewriteManifest(manifest, columns, [&](const std::string& rowId, std::string& text) {
              if (rowId == id)
                  old = text;
              return false;
          });
    if (!read)
        return read.error();
    if (!old)
        return Error { inQuotes(manifest.string()) + " has no utterance " + inQuotes(id) };
    if (!isUtf8(id) || !isUtf8(*old) || !isUtf8(newText))
        return Error { "the ID or a text of " + inQuotes(id)
            + " is no UTF-8, as corrections are: write the manifest as UTF-8" };
    const Result<Descriptor> alone = lockAmendments(manifest);
    if (!alone)
        return alone.error();
    Result<Amendments> noted = readAmendments(manifest);
    if (!noted)
        return noted;
    std::vector<Correction>& all = noted->corrections;
    const auto before = std::ranges::find(all, id, &Correction::id);
    if (newText == *old) {
        if (before != all.end())
            all.erase(before);
    } else if (before != all.end()) {
        *before = { id, *old, newText };
    } else {
        all.push_back({ id, *old, newText });
    }
    const Status written = writeCorrections(manifest, all);
    return written ? noted : written.error();
}

Result<Amendments> setQuarantined(
    const std::filesystem::path& manifest, const std::vector<std::string>& ids, bool isQuarantined)
{
    const Result<Descriptor> alone = lockAmendments(manifest);
    if (!alone)
        return alone.error();
    Result<Amendments> noted = readAmendments(manifest);
    if (!noted)
        return noted;
    std::vector<std::string>& all = noted->quarantined;
    const std::unordered_set<std::string> named(ids.begin(), ids.end());
    if (!isQuarantined)
        std::erase_if(all, [&](const std::string& id) { return named.contains(id); });
    std::unordered_set<std::string> known(all.begin(), all.end());
    for (const std::string& id : ids) {
        if (id.empty() || id.find_first_of("\r\n") != std::string::npos)
            return Error { "the ID " + inQuotes(id) + " is no line of a list: give it another ID" };
        if (isQuarantined && known.insert(id).second)
            all.push_back(id);
    }
    const Status written = writeQuarantine(manifest, all);
    return written ? noted : written.error();
}

Result<AmendedManifest> writeAmendedManifest(const std::filesystem::path& manifest,
    const std::filesystem::path& out, const settings::ManifestColumns& columns)
{
    const Result<Amendments> noted = readAmendments(manifest);
    if (!noted)
        return noted.error();
    if (const Status free = mayBeWritten(manifest, out); !free)
        return free.error();
    Amender amender(*noted);
    const Result<RewrittenManifest> rewritten = rewriteManifest(manifest, columns,
        [&](const std::string& id, std::string& row) { return amender.take(id, row); });
    if (!rewritten)
        return rewritten.error();
    const Result<AmendedManifest> result = amender.result(manifest, rewritten->column, *noted);
    if (!result)
        return result;
    const Status written = writeFileAtomically(out, rewritten->text);
    return written ? result : written.error();
}

} // namespace earwright::data
