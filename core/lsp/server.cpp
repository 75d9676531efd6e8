#include "core/lsp/server.h"

#include "core/base/json_depth.h"
#include "core/lsp/features.h"

#include <algorithm>
#include <functional>

namespace earwright::lsp {
namespace {

// Codes of JSON-RPC 2.0 and of LSP 3.17.
constexpr int kParseError = -32700;
constexpr int kInvalidRequest = -32600;
constexpr int kMethodNotFound = -32601;
constexpr int kInvalidParams = -32602;
constexpr int kNotInitialized = -32002;
constexpr int kRequestFailed = -32803;

Json capabilities(Encoding encoding)
{
    enum { None, Full, Incremental };
    return { { "positionEncoding", nameOf(encoding) },
        { "textDocumentSync",
            { { "openClose", true }, { "change", Incremental }, { "save", Json::object() } } },
        { "completionProvider",
            { { "triggerCharacters", { "<", "[", "!", ":", ".", "/", " " } } } },
        { "hoverProvider", true }, { "definitionProvider", true }, { "referencesProvider", true },
        { "renameProvider", { { "prepareProvider", true } } },
        { "codeActionProvider", { { "codeActionKinds", { "quickfix" } } } },
        { "documentSymbolProvider", true }, { "foldingRangeProvider", true } };
}

Json publish(const Json& params)
{
    return { { "jsonrpc", "2.0" }, { "method", "textDocument/publishDiagnostics" },
        { "params", params } };
}

std::string uriIn(JsonReader& params)
{
    std::string uri;
    params.object("textDocument").require("uri", uri);
    return uri;
}

using Feature = std::function<Result<Json>(const Query&)>;

const std::map<std::string, Feature>& features()
{
    static const std::map<std::string, Feature> all {
        { "textDocument/completion", completion },
        { "textDocument/hover", hover },
        { "textDocument/definition", definition },
        { "textDocument/references", references },
        { "textDocument/prepareRename", prepareRename },
        { "textDocument/rename", rename },
        { "textDocument/codeAction", codeAction },
        { "textDocument/documentSymbol", documentSymbol },
        { "textDocument/foldingRange", foldingRange },
    };
    return all;
}

/// A request has a string or a number for its id; null is what an answer to no one has.
bool isId(const Json& id)
{
    return id.is_string() || id.is_number();
}

} // namespace

Server::Server(check::Machine machine, check::FileRule tokenRule)
    : m_machine(std::move(machine))
    , m_tokenRule(tokenRule)
{
}

Json Server::errorOf(const Json& id, const Failure& failure)
{
    return { { "jsonrpc", "2.0" }, { "id", id },
        { "error", { { "code", failure.code }, { "message", failure.message } } } };
}

std::vector<Json> Server::handleText(const std::string& text)
{
    const Json message = parseShallow<Json>(text);
    if (message.is_discarded())
        return { errorOf(nullptr,
            { kParseError,
                isTooDeep(text) ? "the message has more than " + std::to_string(kMostJsonLevels)
                        + " lists and objects inside each other"
                                : "the message is no JSON" }) };
    return handle(message);
}

std::vector<Json> Server::handle(const Json& message)
{
    m_out.clear();
    const bool isObject = message.is_object();
    const Json id = isObject && message.contains("id") ? message.at("id") : Json(nullptr);
    if (!isObject || !message.contains("method") || !message.at("method").is_string()) {
        const bool isAnswer = isObject && (message.contains("result") || message.contains("error"));
        return isAnswer
            ? std::vector<Json> {}
            : std::vector<Json> { errorOf(id, { kInvalidRequest, "the message has no method" }) };
    }
    const auto method = message.at("method").get<std::string>();
    const bool hasParams = message.contains("params") && !message.at("params").is_null();
    const Json params = hasParams ? message.at("params") : Json::object();
    if (!isId(id)) {
        notification(method, params);
        return std::move(m_out);
    }
    const Answer answer = request(method, params);
    const auto* const failure = std::get_if<Failure>(&answer);
    m_out.insert(m_out.begin(),
        failure
            ? errorOf(id, *failure)
            : Json { { "jsonrpc", "2.0" }, { "id", id }, { "result", std::get<Json>(answer) } });
    return std::move(m_out);
}

Server::Answer Server::request(const std::string& method, const Json& params)
{
    if (m_isShutDown)
        return Failure { kInvalidRequest, "the server is shut down" };
    Result<JsonReader> reader = JsonReader::parse(params.dump());
    if (!reader)
        return Failure { kInvalidParams, "params: " + reader.error().message };
    if (method == "initialize")
        return initialize(*reader);
    if (!m_isInitialized)
        return Failure { kNotInitialized, "initialize comes first" };
    if (method == "shutdown") {
        m_isShutDown = true;
        return Json(nullptr);
    }
    return feature(method, *reader, params);
}

Server::Answer Server::initialize(JsonReader& params)
{
    if (m_isInitialized)
        return Failure { kInvalidRequest, "initialize comes once" };
    const Encoding encoding = chosen(params.object("capabilities"));
    if (const Status read = params.status(); !read)
        return Failure { kInvalidParams, read.error().message };
    m_encoding = encoding;
    m_isInitialized = true;
    return Json { { "capabilities", capabilities(m_encoding) },
        { "serverInfo", { { "name", "earwright" } } } };
}

Server::Answer Server::feature(const std::string& method, JsonReader& params, const Json& rawParams)
{
    const auto found = features().find(method);
    if (found == features().end())
        return Failure { kMethodNotFound, "there is no request '" + method + "'" };
    const std::string uri = uriIn(params);
    if (const Status read = params.status(); !read)
        return Failure { kInvalidParams, read.error().message };
    const auto document = m_documents.find(uri);
    if (document == m_documents.end())
        return Failure { kInvalidParams, "'" + uri + "' is not open" };
    const bool wasChecked = document->second.isChecked;
    const Result<Json> result
        = found->second({ document->second, m_machine, m_encoding, params, rawParams });
    if (const Status read = params.status(); !read)
        return Failure { kInvalidParams, read.error().message };
    if (!wasChecked && document->second.isChecked) {
        std::erase(m_due, document->first);
        m_out.push_back(publish(diagnosticsOf(document->second, m_encoding)));
    }
    if (!result)
        return Failure { kRequestFailed, result.error().message };
    return *result;
}

void Server::notification(const std::string& method, const Json& params)
{
    if (method == "exit")
        m_isExited = true;
    if (!m_isInitialized || m_isShutDown || !method.starts_with("textDocument/did"))
        return;
    Result<JsonReader> reader = JsonReader::parse(params.dump());
    if (reader)
        notify(method, *reader);
    const Status read = reader ? reader->status() : reader.error();
    if (!read)
        m_out.push_back({ { "jsonrpc", "2.0" }, { "method", "window/logMessage" },
            { "params", { { "type", 1 }, { "message", method + ": " + read.error().message } } } });
}

void Server::notify(const std::string& method, JsonReader& params)
{
    if (method == "textDocument/didOpen")
        open(params);
    else if (method == "textDocument/didChange")
        change(params);
    else if (method == "textDocument/didClose")
        close(params);
    else if (method == "textDocument/didSave" && m_documents.contains(uriIn(params)))
        m_due.push_back(uriIn(params)); // files on disk may be others now
}

void Server::open(JsonReader& params)
{
    JsonReader given = params.object("textDocument");
    OpenDocument document;
    given.require("uri", document.uri);
    given.require("text", document.text);
    if (!given.isNull("version"))
        given("version", document.version);
    if (!params.status())
        return;
    document.tokenRule = m_tokenRule;
    m_due.push_back(document.uri);
    m_documents.insert_or_assign(document.uri, std::move(document));
}

void Server::change(JsonReader& params)
{
    const auto found = m_documents.find(uriIn(params));
    if (found == m_documents.end())
        return;
    OpenDocument& document = found->second;
    JsonReader given = params.object("textDocument");
    int64_t version = document.version + 1;
    if (!given.isNull("version"))
        given("version", version);
    applyChanges(document, params, m_encoding);
    if (!params.status())
        return;
    document.version = version;
    m_due.push_back(document.uri);
}

void Server::close(JsonReader& params)
{
    const std::string uri = uriIn(params);
    if (m_documents.erase(uri) > 0)
        m_out.push_back(publish({ { "uri", uri }, { "diagnostics", Json::array() } }));
    std::erase(m_due, uri);
}

std::optional<CheckJob> Server::takeJob()
{
    while (!m_due.empty()) {
        const std::string uri = m_due.front();
        std::erase(m_due, uri);
        const auto document = m_documents.find(uri);
        if (document != m_documents.end())
            return CheckJob { uri, document->second.version, document->second.request(),
                document->second.analysed };
    }
    return std::nullopt;
}

std::vector<Json> Server::finish(const CheckJob& job, language::DocumentPtr analysed)
{
    const auto found = m_documents.find(job.uri);
    if (found == m_documents.end() || found->second.text != job.request.text)
        return {};
    found->second.analysed = std::move(analysed);
    found->second.isChecked = true;
    return { publish(diagnosticsOf(found->second, m_encoding)) };
}

} // namespace earwright::lsp
