#include "core/lsp/server.h"
#include "core/lsp/uri.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright;
using namespace earwright::lsp;

// The protocol without streams and threads: messages in, messages out.

/// Qt Test cannot print a Json, nor tell it from its numbers.
static std::string textOf(const Json& json)
{
    return json.dump();
}

namespace {

const std::string kUri = "file:///tmp/recipe.yaml";
const std::string kRecipe = "seed: 1\nn_mels: 40\nenc: !new:speechbrain.lobes.features.Fbank\n"
                            "    n_mels: !ref <n_mels>\n";

Json place(int line, int character)
{
    return { { "line", line }, { "character", character } };
}

Json range(int line, int begin, int end)
{
    return { { "start", place(line, begin) }, { "end", place(line, end) } };
}

/// A server that is initialized and has one document open.
class Client final {
public:
    explicit Client(const std::string& text = kRecipe, const Json& encodings = Json(),
        check::FileRule tokenRule = nullptr)
        : server(check::Machine(), tokenRule)
    {
        Json capabilities = Json::object();
        if (!encodings.is_null())
            capabilities["general"] = { { "positionEncodings", encodings } };
        initialized = request("initialize", { { "capabilities", capabilities } });
        notify("initialized", Json::object());
        notify("textDocument/didOpen",
            { { "textDocument",
                { { "uri", kUri }, { "languageId", "yaml" }, { "version", 1 },
                    { "text", text } } } });
    }

    /// The answer's "result", or its "error".
    Json request(const std::string& method, const Json& params)
    {
        const std::vector<Json> out = server.handle(
            { { "jsonrpc", "2.0" }, { "id", ++m_id }, { "method", method }, { "params", params } });
        if (out.empty() || out[0].value("id", 0) != m_id)
            qFatal("no answer to %s", method.c_str());
        published.insert(published.end(), out.begin() + 1, out.end());
        return out[0].contains("result") ? out[0].at("result") : out[0].at("error");
    }
    Json at(const std::string& method, int line, int character, const Json& more = Json::object())
    {
        Json params { { "textDocument", { { "uri", kUri } } },
            { "position", place(line, character) } };
        params.update(more);
        return request("textDocument/" + method, params);
    }
    std::vector<Json> notify(const std::string& method, const Json& params)
    {
        return server.handle({ { "jsonrpc", "2.0" }, { "method", method }, { "params", params } });
    }
    void change(const Json& changes)
    {
        notify("textDocument/didChange",
            { { "textDocument", { { "uri", kUri }, { "version", ++m_version } } },
                { "contentChanges", changes } });
    }
    /// The diagnostics of the checks that are due, as they are published.
    Json check()
    {
        Json last;
        while (const auto job = server.takeJob())
            for (const Json& message : server.finish(
                     *job, language::analyse(job->request, server.machine(), job->previous)))
                last = message.at("params");
        return last;
    }
    std::string text()
    {
        change(Json::array()); // no change, but a job that holds the text
        return server.takeJob()->request.text;
    }

    Server server;
    Json initialized;
    std::vector<Json> published;

private:
    int m_id = 0;
    int m_version = 1;
};

Json withRule(const Json& published, const std::string& rule)
{
    for (const Json& diagnostic : published.at("diagnostics"))
        if (diagnostic.at("code") == rule)
            return diagnostic;
    return nullptr;
}

} // namespace

class TstServer final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initialize_tellsWhatThereIs();
    void positionEncoding_isTheClientsFirstKnown();
    void order_isEnforced();
    void exitCode_isZeroOnlyAfterShutdown();
    void malformedMessages_getErrors_data();
    void malformedMessages_getErrors();
    void malformedChange_isToldAndChangesNothing_data();
    void malformedChange_isToldAndChangesNothing();
    void unknownNotifications_areIgnored();
    void diagnostics_carryRuleAndFix();
    void diagnosticsOfAnOldText_areDropped();
    void tokenRule_isAskedWithEveryCheck();
    void incrementalChanges_areApplied();
    void wideCharacters_areCountedInTheAgreedUnits_data();
    void wideCharacters_areCountedInTheAgreedUnits();
    void codeAction_offersTheFix();
    void completion_needsNoCheck();
    void hover_isMarkdown();
    void definitionAndReferences_arePlaces();
    void rename_editsOrSaysWhyNot();
    void symbolsAndFolds_areNested();
    void closedDocument_hasNoDiagnosticsLeft();
    void uris_andFiles_areEachOther();
};

void TstServer::initialize_tellsWhatThereIs()
{
    Client client;
    const Json& capabilities = client.initialized.at("capabilities");
    QCOMPARE(textOf(capabilities.at("positionEncoding")), textOf(Json("utf-16")));
    QCOMPARE(textOf(capabilities.at("textDocumentSync").at("change")), textOf(Json(2)));
    QVERIFY(!capabilities.contains("documentFormattingProvider"));
    for (const char* const name : { "completionProvider", "hoverProvider", "definitionProvider",
             "referencesProvider", "renameProvider", "codeActionProvider", "documentSymbolProvider",
             "foldingRangeProvider" })
        QVERIFY2(capabilities.contains(name), name);
    QCOMPARE(textOf(client.request("initialize", Json::object()).at("code")), textOf(Json(-32600)));
}

void TstServer::positionEncoding_isTheClientsFirstKnown()
{
    const auto agreed = [](const Json& offered) {
        return Client("a: 1\n", offered).initialized.at("capabilities").at("positionEncoding");
    };
    QCOMPARE(textOf(agreed({ "utf-7", "utf-8", "utf-16" })), textOf(Json("utf-8")));
    QCOMPARE(textOf(agreed({ "utf-32" })), textOf(Json("utf-32")));
    QCOMPARE(textOf(agreed(Json::array())), textOf(Json("utf-16")));
}

void TstServer::order_isEnforced()
{
    Server server { check::Machine() };
    const auto code = [&](const char* method) {
        return server.handle({ { "id", 1 }, { "method", method } }).at(0).at("error").at("code");
    };
    QCOMPARE(textOf(code("textDocument/hover")), textOf(Json(-32002)));
    QCOMPARE(textOf(code("shutdown")), textOf(Json(-32002)));
    server.handle({ { "id", 2 }, { "method", "initialize" }, { "params", Json::object() } });
    QVERIFY(server.handle({ { "id", 3 }, { "method", "shutdown" } }).at(0).contains("result"));
    QCOMPARE(textOf(code("textDocument/hover")), textOf(Json(-32600)));
}

void TstServer::exitCode_isZeroOnlyAfterShutdown()
{
    Client rude;
    rude.notify("exit", Json::object());
    QVERIFY(rude.server.isExited());
    QCOMPARE(rude.server.exitCode(), 1);
    Client polite;
    QVERIFY(polite.request("shutdown", Json::object()).is_null());
    QVERIFY(!polite.server.isExited());
    polite.notify("exit", Json::object());
    QCOMPARE(polite.server.exitCode(), 0);
}

void TstServer::malformedMessages_getErrors_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("code");
    QTest::newRow("no JSON") << QByteArray("{") << -32700;
    QTest::newRow("empty") << QByteArray("") << -32700;
    QTest::newRow("broken UTF-8") << QByteArray("\"\xff\"") << -32700;
    QTest::newRow("a number") << QByteArray("3") << -32600;
    QTest::newRow("a batch") << QByteArray("[]") << -32600;
    QTest::newRow("no method") << QByteArray(R"({"id":1})") << -32600;
    QTest::newRow("method of a wrong type") << QByteArray(R"({"id":1,"method":3})") << -32600;
    QTest::newRow("unknown method")
        << QByteArray(R"({"id":1,"method":"textDocument/formatting"})") << -32601;
    QTest::newRow("no params") << QByteArray(R"({"id":1,"method":"textDocument/hover"})") << -32602;
    QTest::newRow("params of a wrong type")
        << QByteArray(R"({"id":1,"method":"textDocument/hover","params":[1]})") << -32602;
    QTest::newRow("document not open") << QByteArray(
        R"({"id":1,"method":"textDocument/hover","params":{"textDocument":{"uri":"x"}}})")
                                       << -32602;
    QTest::newRow("no position") << QByteArray(
        R"({"id":1,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///tmp/recipe.yaml"}}})")
                                 << -32602;
    QTest::newRow("position of a wrong type") << QByteArray(
        R"({"id":1,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///tmp/recipe.yaml"},"position":{"line":"x","character":0}}})")
                                              << -32602;
    const QByteArray deep = QByteArray("[").repeated(100'000) + QByteArray("]").repeated(100'000);
    QTest::newRow("deep message") << QByteArray(
                                         R"({"id":1,"method":"textDocument/hover","params":)")
            + deep + "}" << -32700;
    const auto row = [](const char* name, const char* method, const char* more) {
        QTest::newRow(name) << QByteArray(R"({"id":1,"method":"textDocument/)") + method
                + R"(","params":{"textDocument":{"uri":"file:///tmp/recipe.yaml"},)" + more
                + "}}" << -32602;
    };
    row("position as a list", "hover", R"("position":[0,0])");
    row("negative line", "hover", R"("position":{"line":-1,"character":0})");
    row("endless line", "hover", R"("position":{"line":1e30,"character":0})");
    row("name as a number", "rename", R"("position":{"line":0,"character":0},"newName":3)");
    row("no name", "rename", R"("position":{"line":0,"character":0})");
    row("context as a text", "references", R"("position":{"line":0,"character":0},"context":"x")");
    row("declaration as a text", "references",
        R"("position":{"line":0,"character":0},"context":{"includeDeclaration":"x"})");
    row("range as a list", "codeAction", R"("range":[],"context":{})");
    row("only as a number", "codeAction",
        R"("range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"context":{"only":3})");
}

void TstServer::malformedMessages_getErrors()
{
    QFETCH(QByteArray, text);
    QFETCH(int, code);
    Client client;
    const std::vector<Json> out = client.server.handleText(text.toStdString());
    QCOMPARE(out.size(), size_t(1));
    QCOMPARE(textOf(out[0].at("error").at("code")), textOf(Json(code)));
    const std::string words = textOf(out[0].at("error").at("message"));
    QVERIFY2(words.find("json.exception") == std::string::npos, words.c_str());
    QVERIFY(client.at("hover", 0, 0).contains("contents")); // and goes on
}

void TstServer::malformedChange_isToldAndChangesNothing_data()
{
    QTest::addColumn<QByteArray>("changes");
    QTest::addColumn<QString>("words");
    QTest::newRow("no list") << QByteArray("3") << "'contentChanges' is no list";
    QTest::newRow("no object") << QByteArray("[3]") << "'contentChanges[0]' is no object";
    QTest::newRow("no text") << QByteArray(R"([{"text":""},{}])")
                             << "'contentChanges[1].text' is missing";
    QTest::newRow("text as a list")
        << QByteArray(R"([{"text":[]}])") << "'contentChanges[0].text' has the wrong type";
    QTest::newRow("range as a text")
        << QByteArray(R"([{"text":"","range":"x"}])") << "'contentChanges[0].range' is no object";
}

void TstServer::malformedChange_isToldAndChangesNothing()
{
    QFETCH(QByteArray, changes);
    QFETCH(QString, words);
    Client client;
    const auto out = client.notify("textDocument/didChange",
        { { "textDocument", { { "uri", kUri }, { "version", 2 } } },
            { "contentChanges", Json::parse(changes.toStdString()) } });
    QCOMPARE(textOf(out.at(0).at("method")), textOf(Json("window/logMessage")));
    const std::string told = textOf(out.at(0).at("params").at("message"));
    QVERIFY2(told.find(words.toStdString()) != std::string::npos, told.c_str());
    QCOMPARE(client.text(), kRecipe);
}

void TstServer::unknownNotifications_areIgnored()
{
    Client client;
    QVERIFY(client.notify("$/setTrace", { { "value", "off" } }).empty());
    QVERIFY(client.notify("workspace/didChangeConfiguration", nullptr).empty());
    QVERIFY(client.server.handle({ { "id", 1 }, { "result", nullptr } }).empty());
    const auto out = client.notify("textDocument/didChange", { { "contentChanges", 3 } });
    QCOMPARE(textOf(out.at(0).at("method")), textOf(Json("window/logMessage")));
}

void TstServer::diagnostics_carryRuleAndFix()
{
    Client client;
    QVERIFY(withRule(client.check(), "unknown-reference").is_null());
    client.change({ { { "range", range(3, 20, 24) }, { "text", "mesl" } } });
    const Json published = client.check();
    QCOMPARE(textOf(published.at("version")), textOf(Json(2)));
    const Json diagnostic = withRule(published, "unknown-reference");
    QCOMPARE(textOf(diagnostic.at("severity")), textOf(Json(1)));
    QCOMPARE(textOf(diagnostic.at("range")), textOf(range(3, 18, 24)));
    QCOMPARE(textOf(diagnostic.at("data").at("edits").at(0).at("newText")), textOf(Json("n_mels")));
}

void TstServer::diagnosticsOfAnOldText_areDropped()
{
    Client client;
    const auto job = client.server.takeJob();
    QVERIFY(job);
    client.change({ { { "text", "a: 1\n" } } });
    QVERIFY(client.server.finish(*job, language::analyse(job->request, {}, nullptr)).empty());
    QCOMPARE(client.server.takeJob()->request.text, std::string("a: 1\n"));
    QVERIFY(!client.server.takeJob());
}

void TstServer::tokenRule_isAskedWithEveryCheck()
{
    Client client(kRecipe, Json(), [](const recipe::Node& recipe, const std::string& fileName) {
        const recipe::Span place { fileName, { 2, 1 }, { 2, 7 } };
        return std::vector<recipe::Diagnostic> { { recipe::Severity::Error, "label-index",
            recipe::find(recipe, "n_mels")->text, place, {}, {} } };
    });
    const Json diagnostic = withRule(client.check(), "label-index");
    QCOMPARE(textOf(diagnostic.at("message")), textOf(Json("40")));
    QCOMPARE(textOf(diagnostic.at("range")), textOf(range(1, 0, 6)));
    client.change(Json::array({ { { "range", range(1, 8, 10) }, { "text", "41" } } }));
    QCOMPARE(textOf(withRule(client.check(), "label-index").at("message")), textOf(Json("41")));
}

void TstServer::incrementalChanges_areApplied()
{
    Client client("a: 1\nb: 2\n");
    client.change({ { { "range", range(0, 3, 4) }, { "text", "10\nc: 3" } },
        { { "range", range(2, 0, 1) }, { "text", "d" } } });
    QCOMPARE(client.text(), std::string("a: 10\nc: 3\nd: 2\n"));
    client.change(
        { { { "range", { { "start", place(1, 0) }, { "end", place(9, 9) } } }, { "text", "" } } });
    QCOMPARE(client.text(), std::string("a: 10\n"));
    client.change({ { { "range", range(0, 99, 99) }, { "text", "0" } } });
    QCOMPARE(client.text(), std::string("a: 100\n"));
}

void TstServer::wideCharacters_areCountedInTheAgreedUnits_data()
{
    QTest::addColumn<QString>("encoding");
    QTest::addColumn<int>("begin");
    // "k: [小, 😀, !ref <lr>]" up to "lr"
    QTest::newRow("utf-8") << "utf-8" << 21;
    QTest::newRow("utf-16") << "utf-16" << 17;
    QTest::newRow("utf-32") << "utf-32" << 16;
}

void TstServer::wideCharacters_areCountedInTheAgreedUnits()
{
    QFETCH(QString, encoding);
    QFETCH(int, begin);
    Client client("lr: 1\nk: [小, 😀, !ref <lr>]\n", Json::array({ encoding.toStdString() }));
    const Json found = client.at("hover", 1, begin + 1);
    QCOMPARE(textOf(found.at("range")), textOf(range(1, begin, begin + 2)));
    QCOMPARE(textOf(client.at("definition", 1, begin + 1).at("range")), textOf(range(0, 0, 2)));
    client.change({ { { "range", range(1, begin, begin + 2) }, { "text", "率" } } });
    QCOMPARE(client.text(), std::string("lr: 1\nk: [小, 😀, !ref <率>]\n"));
}

void TstServer::codeAction_offersTheFix()
{
    Client client("n_mels: 40\na: !ref <n_mesl>\n");
    const Json diagnostic = withRule(client.check(), "unknown-reference");
    const Json params { { "textDocument", { { "uri", kUri } } }, { "range", range(1, 10, 10) },
        { "context", { { "diagnostics", { diagnostic } } } } };
    const Json actions = client.request("textDocument/codeAction", params);
    QCOMPARE(actions.size(), size_t(1));
    QCOMPARE(textOf(actions[0].at("title")), textOf(Json("Replace 'n_mesl' by 'n_mels'")));
    QCOMPARE(textOf(actions[0].at("diagnostics").at(0)), textOf(diagnostic));
    const Json edit = actions[0].at("edit").at("changes").at(kUri).at(0);
    QCOMPARE(textOf(edit), textOf(Json({ { "range", range(1, 9, 15) }, { "newText", "n_mels" } })));
    Json refactorings = params;
    refactorings["context"]["only"] = { "refactor" };
    QVERIFY(client.request("textDocument/codeAction", refactorings).empty());
}

void TstServer::completion_needsNoCheck()
{
    Client client("n_mels: 40\na: !ref <me\n");
    const Json items = client.at("completion", 1, 11).at("items");
    QCOMPARE(textOf(items.at(0).at("label")), textOf(Json("n_mels")));
    QCOMPARE(textOf(items.at(0).at("textEdit").at("range")), textOf(range(1, 9, 11)));
    QCOMPARE(textOf(items.at(0).at("textEdit").at("newText")), textOf(Json("n_mels>")));
    QVERIFY(client.published.empty());
    client.change({ { { "text", "a: !new:Linear" } } });
    const Json classes = client.at("completion", 0, 14).at("items");
    QCOMPARE(
        textOf(classes.at(0).at("filterText")), textOf(Json("speechbrain.nnet.linear.Linear")));
}

void TstServer::hover_isMarkdown()
{
    Client client;
    const Json found = client.at("hover", 3, 5);
    QVERIFY(
        found.at("contents").at("value").get<std::string>().starts_with("**n_mels: int** = `40`"));
    QCOMPARE(textOf(found.at("contents").at("kind")), textOf(Json("markdown")));
    QVERIFY(client.at("hover", 9, 0).is_null());
    QCOMPARE(client.published.size(), size_t(1)); // it was checked on the way
    QVERIFY(!client.server.takeJob());
}

void TstServer::definitionAndReferences_arePlaces()
{
    Client client;
    const Json found = client.at("definition", 3, 20);
    QCOMPARE(textOf(found.at("uri")), textOf(Json(kUri)));
    QCOMPARE(textOf(found.at("range")), textOf(range(1, 0, 6)));
    QCOMPARE(client.at("references", 3, 20).size(), size_t(2));
    const Json uses
        = client.at("references", 1, 0, { { "context", { { "includeDeclaration", false } } } });
    QCOMPARE(uses.size(), size_t(1));
    QCOMPARE(textOf(uses[0].at("range")), textOf(range(3, 18, 24)));
}

void TstServer::rename_editsOrSaysWhyNot()
{
    Client client;
    const Json prepared = client.at("prepareRename", 3, 20);
    QCOMPARE(textOf(prepared.at("placeholder")), textOf(Json("n_mels")));
    QCOMPARE(textOf(prepared.at("range")), textOf(range(3, 18, 24)));
    QVERIFY(client.at("prepareRename", 0, 6).is_null());
    const Json edits = client.at("rename", 3, 20, { { "newName", "mels" } });
    QCOMPARE(edits.at("changes").at(kUri).size(), size_t(2));
    const Json refused = client.at("rename", 3, 20, { { "newName", "seed" } });
    QCOMPARE(textOf(refused.at("code")), textOf(Json(-32803)));
    QCOMPARE(textOf(refused.at("message")), textOf(Json("'seed' is already there, in line 1")));
}

void TstServer::symbolsAndFolds_areNested()
{
    Client client("# ### Model ###\nenc: !new:torch.nn.LeakyReLU\n    inplace: True\n");
    const Json symbols = client.request(
        "textDocument/documentSymbol", { { "textDocument", { { "uri", kUri } } } });
    QCOMPARE(textOf(symbols.at(0).at("detail")), textOf(Json("LeakyReLU")));
    QCOMPARE(textOf(symbols.at(0).at("kind")), textOf(Json(5)));
    QCOMPARE(
        textOf(symbols.at(0).at("children").at(0).at("selectionRange")), textOf(range(2, 4, 11)));
    const Json folds
        = client.request("textDocument/foldingRange", { { "textDocument", { { "uri", kUri } } } });
    QCOMPARE(textOf(folds.at(0)), textOf(Json({ { "startLine", 1 }, { "endLine", 2 } })));
    QCOMPARE(textOf(folds.at(1)),
        textOf(Json({ { "startLine", 0 }, { "endLine", 2 }, { "kind", "region" } })));
}

void TstServer::closedDocument_hasNoDiagnosticsLeft()
{
    Client client;
    const auto out
        = client.notify("textDocument/didClose", { { "textDocument", { { "uri", kUri } } } });
    QCOMPARE(textOf(out.at(0).at("params").at("diagnostics")), textOf(Json::array()));
    QVERIFY(!client.server.takeJob());
    QCOMPARE(textOf(client.at("hover", 0, 0).at("code")), textOf(Json(-32602)));
}

void TstServer::uris_andFiles_areEachOther()
{
    QCOMPARE(fileOf("file:///a%20b/%E5%B0%8F.yaml"), std::string("/a b/小.yaml"));
    QCOMPARE(uriOf("/a b/小.yaml"), std::string("file:///a%20b/%E5%B0%8F.yaml"));
    QCOMPARE(fileOf("file:///50%.yaml"), std::string("/50%.yaml"));
    QCOMPARE(fileOf("untitled:1"), std::string("untitled:1"));
}

EARWRIGHT_TEST(TstServer)
#include "tst_server.moc"
