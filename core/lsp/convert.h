#pragma once

#include "core/base/json_fields.h"
#include "core/lsp/json.h"
#include "core/recipe/diagnostic.h"
#include "core/recipe/source.h"

#include <string>
#include <string_view>
#include <vector>

namespace earwright::lsp {

/// What a `character` of a position counts; agreed upon at initialize, UTF-16 by default.
enum class Encoding { Utf8, Utf16, Utf32 };
std::string nameOf(Encoding encoding);
/// The first of the client's list that there is; UTF-16 where there is none.
Encoding chosen(JsonReader clientCapabilities);

/// Turns places of one text into the protocol's and back. Keeps the text's view.
class Converter final {
public:
    Converter(std::string_view text, Encoding encoding);

    /// A position past the end of a line is its end; one past the text is the text's. What is
    /// none is the text's beginning, and an error of the reader.
    recipe::Position position(JsonReader position) const;
    size_t offset(JsonReader position) const;
    recipe::Span span(JsonReader range, const std::string& file) const;

    /// "Nowhere" is the beginning of the text.
    Json position(recipe::Position position) const;
    Json range(const recipe::Span& span) const;
    Json edits(const std::vector<recipe::Edit>& edits) const;

private:
    recipe::SourceText m_source;
    Encoding m_encoding;
};

} // namespace earwright::lsp
