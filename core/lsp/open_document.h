#pragma once

#include "core/language/document.h"
#include "core/lsp/convert.h"

#include <cstdint>
#include <string>

namespace earwright::lsp {

/// A recipe that the client has open.
struct OpenDocument {
    std::string uri;
    int64_t version = 0; ///< the client's own; changes count it up
    std::string text;
    check::FileRule tokenRule = nullptr; ///< of each request
    language::DocumentPtr analysed; ///< of this text or of one before, null before the first
    bool isChecked = false; ///< `analysed` is of this text

    check::Request request() const;
    /// The analysis of the text as it stands; made now where there is none.
    const language::Document& current(const check::Machine& machine);
};

/// Applies the contentChanges of a didChange, each to what the one before left; none where one is
/// malformed, which is an error of the reader.
void applyChanges(OpenDocument& document, JsonReader& params, Encoding encoding);

/// The params of publishDiagnostics. What concerns an included file stands at the top, with its
/// place in words.
Json diagnosticsOf(const OpenDocument& document, Encoding encoding);

} // namespace earwright::lsp
