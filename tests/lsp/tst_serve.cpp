#include "core/lsp/framing.h"
#include "core/lsp/serve.h"
#include "tests/registry.h"

#include <QTest>

#include <sstream>

using namespace earwright;
using namespace earwright::lsp;

// The protocol as bytes.

/// Qt Test cannot print a Json, nor tell it from its numbers.
static std::string answerText(const Json& json)
{
    return json.dump();
}

static std::string framed(const std::string& body)
{
    return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

static std::vector<Json> messagesIn(const std::string& bytes)
{
    std::istringstream in(bytes);
    std::vector<Json> messages;
    while (const auto text = readMessage(in))
        messages.push_back(Json::parse(*text));
    return messages;
}

class TstServe final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void session_isAnsweredInOrder();
    void endOfInput_isExitCodeOne();
    void headers_areReadAsTheyCome_data();
    void headers_areReadAsTheyCome();
    void cutOffMessage_endsTheInput();
};

static const std::string kInitialize
    = framed(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})");
static const std::string kShutdown = framed(R"({"jsonrpc":"2.0","id":2,"method":"shutdown"})");
static const std::string kExit = framed(R"({"jsonrpc":"2.0","method":"exit"})");

void TstServe::session_isAnsweredInOrder()
{
    std::istringstream in(kInitialize + framed("{") + kShutdown + kExit + kInitialize);
    std::ostringstream out;
    QCOMPARE(serveLsp(in, out, check::Machine()), 0);
    const auto messages = messagesIn(out.str());
    QCOMPARE(messages.size(), size_t(3));
    QCOMPARE(answerText(messages[0].at("id")), answerText(Json(1)));
    QCOMPARE(answerText(messages[1].at("error").at("code")), answerText(Json(-32700)));
    QCOMPARE(answerText(messages[2].at("id")), answerText(Json(2)));
}

void TstServe::endOfInput_isExitCodeOne()
{
    for (const std::string& bytes : { std::string(), kInitialize, kInitialize + kShutdown,
             kInitialize + kExit, std::string("garbage\n\n") }) {
        std::istringstream in(bytes);
        std::ostringstream out;
        QCOMPARE(serveLsp(in, out, check::Machine()), 1);
    }
}

void TstServe::headers_areReadAsTheyCome_data()
{
    QTest::addColumn<QString>("bytes");
    QTest::addColumn<QString>("body");
    QTest::newRow("plain") << "Content-Length: 2\r\n\r\n{}"
                           << "{}";
    QTest::newRow("small letters") << "content-length:2\n\n{}"
                                   << "{}";
    QTest::newRow("other headers")
        << "Content-Type: x; charset=utf-8\r\nContent-Length: 2\r\n\r\n{}"
        << "{}";
    QTest::newRow("no length") << "Content-Type: x\r\n\r\n{}"
                               << "";
    QTest::newRow("no number") << "Content-Length: two\r\n\r\n"
                               << "";
    QTest::newRow("negative") << "Content-Length: -2\r\n\r\n"
                              << "";
    QTest::newRow("far too long") << "Content-Length: 99999999999999\r\n\r\n"
                                  << "";
}

void TstServe::headers_areReadAsTheyCome()
{
    QFETCH(QString, bytes);
    QFETCH(QString, body);
    std::istringstream in(bytes.toStdString());
    const auto text = readMessage(in);
    QVERIFY(text);
    QCOMPARE(QString::fromStdString(*text), body);
}

void TstServe::cutOffMessage_endsTheInput()
{
    std::istringstream in("Content-Length: 20\r\n\r\n{}");
    QVERIFY(!readMessage(in));
}

EARWRIGHT_TEST(TstServe)
#include "tst_serve.moc"
