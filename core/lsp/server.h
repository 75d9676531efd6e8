#pragma once

#include "core/lsp/open_document.h"

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace earwright::lsp {

/// A check that is due: of one text, to be done on any thread.
struct CheckJob {
    std::string uri;
    int64_t version = 0;
    check::Request request;
    language::DocumentPtr previous;
};

/// The Language Server Protocol 3.17 as messages in, messages out. No threads and no streams; not
/// safe from several threads at once. Diagnostics come from jobs, so that no request waits for a
/// check: takeJob(), analyse() wherever it suits, finish().
class Server final {
public:
    /// `tokenRule`: data::checkTokens where the program links it.
    explicit Server(check::Machine machine, check::FileRule tokenRule = nullptr);

    /// Answers to one message, in order. A malformed one gets a JSON-RPC error.
    std::vector<Json> handle(const Json& message);
    /// The same for a message's text; what is no JSON gets a parse error.
    std::vector<Json> handleText(const std::string& text);

    /// The next check that is due; none where all are done or taken. The latest version only.
    std::optional<CheckJob> takeJob();
    /// Publishes what the job found; nothing where the text has changed since.
    std::vector<Json> finish(const CheckJob& job, language::DocumentPtr analysed);

    const check::Machine& machine() const { return m_machine; }
    bool isExited() const { return m_isExited; }
    /// 0 where the client said `shutdown` before `exit`, else 1.
    int exitCode() const { return m_isShutDown ? 0 : 1; }

private:
    struct Failure {
        int code;
        std::string message;
    };
    using Answer = std::variant<Json, Failure>;

    Answer request(const std::string& method, const Json& params);
    Answer initialize(JsonReader& params);
    Answer feature(const std::string& method, JsonReader& params, const Json& rawParams);
    void notification(const std::string& method, const Json& params);
    void notify(const std::string& method, JsonReader& params);
    void open(JsonReader& params);
    void change(JsonReader& params);
    void close(JsonReader& params);
    static Json errorOf(const Json& id, const Failure& failure);

    // Constant after construction
    check::Machine m_machine;
    check::FileRule m_tokenRule;

    Encoding m_encoding = Encoding::Utf16;
    bool m_isInitialized = false;
    bool m_isShutDown = false;
    bool m_isExited = false;
    std::map<std::string, OpenDocument> m_documents; ///< by URI
    std::vector<std::string> m_due; ///< URIs to check, oldest first
    std::vector<Json> m_out; ///< notifications that the message at hand brings about
};

} // namespace earwright::lsp
