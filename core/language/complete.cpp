#include "core/language/complete_impl.h"
#include "core/language/match.h"
#include "core/recipe/reference.h"

#include <algorithm>
#include <filesystem>

namespace earwright::language {

Candidates::Candidates(const Asked& asked, size_t begin, size_t end)
    : m_asked(asked)
    , m_span(asked.source.span(asked.document.request.fileName, begin, end))
    , m_typed(asked.text().substr(begin, std::max(begin, asked.caret) - begin))
{
}

void Candidates::add(CompletionKind kind, const std::string& label, const std::string& detail,
    const std::string& help, const std::string& inserted)
{
    const std::string& text = inserted.empty() ? label : inserted;
    // A class is found by any part of its whole name.
    auto rank = matchRank(label, m_typed);
    if (!rank && kind == CompletionKind::Class)
        rank = matchRank(text, m_typed);
    if (!rank)
        return;
    // Directly behind the colon or the tag a space is missing.
    const char before
        = m_typed.empty() && m_asked.caret > 0 ? m_asked.text()[m_asked.caret - 1] : ' ';
    const bool needsSpace = before == ':' && kind != CompletionKind::Class;
    m_found.push_back(
        { *rank, { kind, label, detail, help, { m_span, (needsSpace ? " " : "") + text } } });
}

std::vector<Completion> Candidates::ranked() &&
{
    std::stable_sort(m_found.begin(), m_found.end(),
        [](const Ranked& a, const Ranked& b) { return a.rank < b.rank; });
    std::vector<Completion> best;
    best.reserve(m_found.size());
    for (Ranked& one : m_found)
        best.push_back(std::move(one.completion));
    return best;
}

std::string_view classOf(const Frame& frame)
{
    for (const std::string_view prefix : { "!new:", "!name:", "!apply:" })
        if (frame.tag.starts_with(prefix))
            return std::string_view(frame.tag).substr(prefix.size());
    return {};
}

std::vector<Completion> completePath(
    const Asked& asked, size_t begin, std::string_view path, const std::string& folder)
{
    const size_t slash = path.rfind('/');
    const size_t name = slash == std::string_view::npos ? 0 : slash + 1;
    Candidates candidates(asked, begin + name, std::max(asked.caret, begin + name));
    if (!asked.listFolder)
        return {};
    const std::string below(path.substr(0, name));
    const std::string where = (std::filesystem::path(folder) / below).string();
    std::vector<std::string> entries = asked.listFolder(where.empty() ? "." : where);
    std::sort(entries.begin(), entries.end());
    for (const std::string& entry : entries)
        if (!entry.starts_with('.') || candidates.typed().starts_with('.'))
            candidates.add(CompletionKind::File, entry, entry.ends_with('/') ? "folder" : "file");
    return std::move(candidates).ranked();
}

std::vector<std::string> entriesOf(const std::string& folder)
{
    std::vector<std::string> names;
    std::error_code failed;
    for (std::filesystem::directory_iterator entry(folder, failed), end; !failed && entry != end;
         entry.increment(failed)) {
        std::error_code unknown;
        const bool isFolder = entry->is_directory(unknown);
        names.push_back(entry->path().filename().string() + (isFolder ? "/" : ""));
    }
    return names;
}

std::vector<Completion> complete(std::string_view text, recipe::Position caret,
    const Document& document, const ListFolder& listFolder)
{
    const recipe::SourceText source(text);
    const size_t at = source.offset(caret);
    const Place place = scan(text, at);
    const Asked asked { source, at, document, listFolder, place };
    switch (place.role) {
    case Role::Key:
        return completeKey(asked);
    case Role::Tag:
        return completeTag(asked);
    case Role::Value:
        return recipe::isReferenceTag(asked.frame().valueTag) ? completeReference(asked)
                                                              : completeValue(asked);
    case Role::None:
        break;
    }
    return {};
}

} // namespace earwright::language
