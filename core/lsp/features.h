#pragma once

#include "core/base/result.h"
#include "core/lsp/convert.h"
#include "core/lsp/open_document.h"

namespace earwright::lsp {

/// What a request is answered from.
struct Query {
    OpenDocument& document;
    const check::Machine& machine;
    Encoding encoding;
    JsonReader& params;
    const Json& rawParams; ///< for what is given back as it came

    const language::Document& current() const { return document.current(machine); }
};

/// One function for each request, by the protocol's names (LSP 3.17); the Json is its result, null
/// where there is nothing. Params that are malformed are an error of their reader.
Json completion(const Query& query); ///< never waits for a check
Json hover(const Query& query);
Json definition(const Query& query);
Json references(const Query& query);
Json prepareRename(const Query& query);
Result<Json> rename(const Query& query);
Json codeAction(const Query& query);
Json documentSymbol(const Query& query);
Json foldingRange(const Query& query);

} // namespace earwright::lsp
