#pragma once

#include "core/base/result.h"
#include "core/recipe/node.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::recipe {

class SourceText;

enum class Severity { Error, Warning, Info };

/// A replacement of text: `span` is replaced by `text` (an empty span inserts).
struct Edit {
    Span span;
    std::string text;
};

/// What would mend it, with a title to click ("Add ctc_lin to modules").
struct Fix {
    std::string title;
    std::vector<Edit> edits;
};

/// The user's text is wrong: which rule says so, where, and what to do.
struct Diagnostic {
    Severity severity = Severity::Error;
    std::string rule; ///< stable id such as "coverage-not-in-modules", "device-spelling", "syntax"
    std::string message; ///< one sentence, without place
    Span span;
    std::optional<Fix> fix; ///< the one to take first
    std::vector<Fix> otherFixes {}; ///< what would mend it too
};

/// All fixes, the first to take first.
std::vector<Fix> fixesOf(const Diagnostic& diagnostic);

bool hasErrors(const std::vector<Diagnostic>& diagnostics);
/// The first of them as "file:line: message"; done where none is one.
Status firstError(const std::vector<Diagnostic>& diagnostics);

/// As the user sees them: "file:line:column: error: message [rule]", the line itself, a caret, the
/// fix's title. `sourceOf` gives the text of a file (may be empty).
std::string formatDiagnostic(const Diagnostic& diagnostic, std::string_view sourceText);
/// The same for one of many of a file.
std::string formatDiagnostic(const Diagnostic& diagnostic, const SourceText& source);

/// {"diagnostics": [{rule, severity, message, file, line, column, fix, other_fixes}]}; fix is null
/// or {title, edits}, other_fixes a list of such.
std::string diagnosticsToJson(const std::vector<Diagnostic>& diagnostics);

/// The text after the fix: edits are applied from the last to the first.
std::string applyFix(std::string_view text, const Fix& fix);

} // namespace earwright::recipe
