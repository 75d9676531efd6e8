#pragma once

#include "core/catalog/field.h"
#include "core/language/completion.h"
#include "core/language/scan.h"
#include "core/recipe/source.h"

namespace earwright::language {

/// What the parts of completion look at.
struct Asked {
    const recipe::SourceText& source;
    size_t caret; ///< byte of the text
    const Document& document;
    const ListFolder& listFolder;
    const Place& place;

    std::string_view text() const { return source.text(); }
    const Frame& frame() const { return place.frames.back(); }
};

/// Completions for one word, collected in the order in which equals are shown.
class Candidates final {
public:
    /// What is chosen replaces the bytes [begin, end); those up to the caret are what was typed.
    Candidates(const Asked& asked, size_t begin, size_t end);

    std::string_view typed() const { return m_typed; }
    /// `inserted` is what is written, the label itself where it is "".
    void add(CompletionKind kind, const std::string& label, const std::string& detail,
        const std::string& help = "", const std::string& inserted = "");
    /// Best first; what does not fit the word is left out.
    std::vector<Completion> ranked() &&;

private:
    struct Ranked {
        int rank;
        Completion completion;
    };
    const Asked& m_asked;
    recipe::Span m_span;
    std::string m_typed;
    std::vector<Ranked> m_found;
};

std::vector<Completion> completeKey(const Asked& asked);
std::vector<Completion> completeTag(const Asked& asked);
std::vector<Completion> completeReference(const Asked& asked);
std::vector<Completion> completeValue(const Asked& asked);
/// Entries of a folder behind the last "/" of a path that begins at `begin`; `folder` is where it
/// starts from, "" = the current one.
std::vector<Completion> completePath(
    const Asked& asked, size_t begin, std::string_view path, const std::string& folder);

/// The class whose arguments the innermost collection holds, "" for none.
std::string_view classOf(const Frame& frame);

/// The field that says what the open entry's or item's value is; null where nobody knows.
const catalog::Field* fieldAt(const Asked& asked);

} // namespace earwright::language
