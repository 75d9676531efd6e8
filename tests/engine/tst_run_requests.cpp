#include <QTest>

#include "core/base/json_fields.h"
#include "core/engine/run_requests.h"
#include "tests/registry.h"

using namespace earwright;

/// One line on the control socket ended the supervisor: {"command":5}.
class TstRunRequests final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wrongRequest_isRefused_data();
    void wrongRequest_isRefused();
    void rightRequest_isTaken();
};

void TstRunRequests::wrongRequest_isRefused_data()
{
    QTest::addColumn<QByteArray>("request");
    QTest::newRow("number") << QByteArray(R"({"command":5})");
    QTest::newRow("null") << QByteArray(R"({"command":null})");
    QTest::newRow("list") << QByteArray(R"({"command":["stop"]})");
    QTest::newRow("nothing") << QByteArray("{}");
    QTest::newRow("no object") << QByteArray("[]");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("broken UTF-8") << QByteArray("{\"command\":\"\xff\xfe\"}");
    QTest::newRow("cut inside a character")
        << QByteArray("{\"command\": ") + QByteArray("\xE7\x8E\x8B").repeated(40);
    QTest::newRow("unknown") << QByteArray(R"({"command":"fly"})");
    QTest::newRow("deep") << R"({"command":)" + QByteArray(500'000, '[') + QByteArray(500'000, ']')
            + "}";
    QTest::newRow("rate beyond all") << QByteArray(R"({"command":"set-lr","value":1e400})");
    QTest::newRow("rate of another type") << QByteArray(R"({"command":"set-lr","value":"1"})");
    QTest::newRow("no rate") << QByteArray(R"({"command":"set-lr"})");
    QTest::newRow("negative rate") << QByteArray(R"({"command":"set-lr","value":-1})");
}

void TstRunRequests::wrongRequest_isRefused()
{
    QFETCH(QByteArray, request);
    engine::RunRequests requests;
    Result<JsonReader> answer = JsonReader::parse(requests.answer(request.toStdString()));
    QVERIFY(bool(answer));
    bool isDone = true;
    std::string error;
    answer->require("ok", isDone);
    answer->require("error", error);
    QVERIFY(bool(answer->status()));
    QVERIFY(!isDone);
    QVERIFY(!error.empty() && error.size() < 300);
    QVERIFY(!requests.isKilled());
}

void TstRunRequests::rightRequest_isTaken()
{
    engine::RunRequests requests;
    for (const char* request : { R"({"command":"status"})", R"({"command":"set-lr","value":0.5})",
             R"({"command":"pause"})", R"({"command":"continue"})" }) {
        Result<JsonReader> answer = JsonReader::parse(requests.answer(request));
        bool isDone = false;
        answer->require("ok", isDone);
        QVERIFY2(isDone, request);
    }
}

EARWRIGHT_TEST(TstRunRequests)
#include "tst_run_requests.moc"
