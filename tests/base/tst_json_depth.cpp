#include "core/base/json_depth.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright;
using nlohmann::json;

namespace {

std::string nested(int levels)
{
    std::string text;
    for (int i = 0; i < levels; ++i)
        text += i % 2 == 0 ? "[" : "{\"a\":";
    for (int i = levels; i-- > 0;)
        text += i % 2 == 0 ? "]" : i == levels - 1 ? "1}" : "}";
    return text;
}

} // namespace

class TstJsonDepth final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void levels_areReadToTheLimit();
    void bracketsInTexts_areNoLevels();
    void listsBesideEachOther_areOneLevel();
    void brokenText_isDiscarded_data();
    void brokenText_isDiscarded();
};

void TstJsonDepth::levels_areReadToTheLimit()
{
    QVERIFY(parseShallow<json>(nested(kMostJsonLevels)).is_array());
    QVERIFY(json::accept(nested(kMostJsonLevels + 1)));
    QVERIFY(parseShallow<json>(nested(kMostJsonLevels + 1)).is_discarded());
    QVERIFY(parseShallow<nlohmann::ordered_json>(nested(1'000'000)).is_discarded());
}

void TstJsonDepth::bracketsInTexts_areNoLevels()
{
    const std::string brackets(1000, '[');
    for (const std::string& value : { brackets, "\\\"" + brackets, brackets + "\\\\" })
        QVERIFY(parseShallow<json>("{\"" + value + "\": \"" + value + "\"}").is_object());
    // The quote ends the text: behind it are levels.
    QVERIFY(isTooDeep("[\"\\\\\", " + brackets));
}

void TstJsonDepth::listsBesideEachOther_areOneLevel()
{
    std::string text = "[[]";
    for (int i = 0; i < 1000; ++i)
        text += ",[{}]";
    QCOMPARE(parseShallow<json>(text + "]").size(), size_t { 1001 });
}

void TstJsonDepth::brokenText_isDiscarded_data()
{
    QTest::addColumn<QString>("text");
    for (const char* text : { "", "{", "]", "\"", "\"\\", "[1,]", "[\"a]" })
        QTest::newRow(*text == 0 ? "empty" : text) << text;
}

void TstJsonDepth::brokenText_isDiscarded()
{
    QFETCH(QString, text);
    QVERIFY(parseShallow<json>(text.toStdString()).is_discarded());
}

EARWRIGHT_TEST(TstJsonDepth)
#include "tst_json_depth.moc"
