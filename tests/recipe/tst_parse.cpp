#include "core/recipe/diagnostic.h"
#include "core/recipe/parse.h"
#include "core/recipe/source.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright::recipe;

namespace {

/// What the node's span covers.
std::string sourceOf(const Node& node, const std::string& text)
{
    const SourceText source(text);
    const size_t begin = source.offset(node.span.begin);
    return text.substr(begin, source.offset(node.span.end) - begin);
}

std::string ruleOf(const std::string& text)
{
    const Parsed parsed = parse(text, "x.yaml");
    return parsed.diagnostics.empty() ? "" : parsed.diagnostics[0].rule;
}

} // namespace

class TstParse final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tags_areKeptAsWritten_data();
    void tags_areKeptAsWritten();
    void spans_coverWhatIsWritten_data();
    void spans_coverWhatIsWritten();
    void columns_countCodePoints();
    void scalars_haveTheTypeOfYaml12_data();
    void scalars_haveTheTypeOfYaml12();
    void numbers_areRead();
    void aliases_shareOneNode();
    void merge_addsTheKeysThatAreMissing();
    void mergeList_prefersTheFirst();
    void merge_ofNoMapping_isReported();
    void sameKeyTwice_isReportedWhereItRepeats();
    void numberAndText_areTwoKeys();
    void emptyText_isNull();
    void lineEndsOfWindows_doNotMoveSpans();
    void byteOrderMark_doesNotMoveSpans();
    void endlessInput_isRefused_data();
    void endlessInput_isRefused();
    void anyCutOfARecipe_neverThrows();
};

void TstParse::tags_areKeptAsWritten_data()
{
    QTest::addColumn<QString>("written");
    QTest::addColumn<QString>("tag");
    QTest::addColumn<QString>("text");
    QTest::newRow("ref") << "!ref <a[b]>"
                         << "!ref"
                         << "<a[b]>";
    QTest::newRow("copy") << "!copy <a>"
                          << "!copy"
                          << "<a>";
    QTest::newRow("new") << "!new:a.b.C"
                         << "!new:a.b.C"
                         << "";
    QTest::newRow("name") << "!name:a.b"
                          << "!name:a.b"
                          << "";
    QTest::newRow("module") << "!module:os"
                            << "!module:os"
                            << "";
    QTest::newRow("include") << "!include:path/x-y_z.yaml"
                             << "!include:path/x-y_z.yaml"
                             << "";
    QTest::newRow("placeholder") << "!PLACEHOLDER # path"
                                 << "!PLACEHOLDER"
                                 << "";
    QTest::newRow("tuple") << "!tuple (1, 2)"
                           << "!tuple"
                           << "(1, 2)";
    QTest::newRow("core") << "!!str 3"
                          << "!!str"
                          << "3";
    QTest::newRow("quoted") << "'a'"
                            << ""
                            << "a";
    QTest::newRow("quoted ref") << "!ref \"<a> # b\""
                                << "!ref"
                                << "<a> # b";
    QTest::newRow("plain") << "a # b"
                           << ""
                           << "a";
    QTest::newRow("applyref") << "!applyref:sorted"
                              << "!applyref:sorted"
                              << "";
}

void TstParse::tags_areKeptAsWritten()
{
    QFETCH(QString, written);
    QFETCH(QString, tag);
    QFETCH(QString, text);
    const Parsed parsed = parse("k: " + written.toStdString() + "\n", "x.yaml");
    QVERIFY(parsed.root);
    const NodePtr value = find(*parsed.root, "k");
    QVERIFY(value && value->kind == Kind::Scalar);
    QCOMPARE(QString::fromStdString(value->tag), tag);
    QCOMPARE(QString::fromStdString(value->text), text);
}

void TstParse::spans_coverWhatIsWritten_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("value");
    QTest::newRow("plain") << "k: abc  # c\nl: 1\n"
                           << "abc";
    QTest::newRow("tag") << "k: !ref <a>/x # c\nl: 1\n"
                         << "!ref <a>/x";
    QTest::newRow("tag alone") << "k: !new:a.B # c\nl: 1\n"
                               << "!new:a.B";
    QTest::newRow("anchor") << "k: &a !new:a.B\nl: 1\n"
                            << "&a !new:a.B";
    QTest::newRow("single quotes") << "k: 'it''s' # c\nl: 1\n"
                                   << "'it''s'";
    QTest::newRow("double quotes") << "k: \"a\\\"b\" # c\nl: 1\n"
                                   << "\"a\\\"b\"";
    QTest::newRow("two lines") << "k: a b\n  c\nl: 1\n"
                               << "a b\n  c";
    QTest::newRow("block") << "k: |\n  a\n\n  b\nl: 1\n"
                           << "|\n  a\n\n  b";
    QTest::newRow("empty") << "k:\nnull: 1\n"
                           << "";
    QTest::newRow("null") << "k: null\nl: 1\n"
                          << "null";
    QTest::newRow("flow list") << "k: [1, # ]\n  2 ]\nl: 1\n"
                               << "[1, # ]\n  2 ]";
    QTest::newRow("flow map") << "k: !new:a.B {x: [1], y: } # c\nl: 1\n"
                              << "!new:a.B {x: [1], y: }";
    QTest::newRow("list") << "k:\n  - 1\n  - a # c\nl: 1\n"
                          << "- 1\n  - a";
    QTest::newRow("map") << "k: !new:a.B\n  x: 1\n  y: 'b'\nl: 1\n"
                         << "!new:a.B\n  x: 1\n  y: 'b'";
}

void TstParse::spans_coverWhatIsWritten()
{
    QFETCH(QString, text);
    QFETCH(QString, value);
    const Parsed parsed = parse(text.toStdString(), "x.yaml");
    QVERIFY(parsed.root);
    const NodePtr node = find(*parsed.root, "k");
    QCOMPARE(QString::fromStdString(sourceOf(*node, text.toStdString())), value);
    QCOMPARE(node->span.file, std::string("x.yaml"));
}

void TstParse::columns_countCodePoints()
{
    const Parsed parsed = parse("{é: 语音, b: x}\n", "x.yaml");
    const NodePtr value = find(*parsed.root, "b");
    QCOMPARE(value->span.begin.column, 12);
    QCOMPARE(find(*parsed.root, "é")->span.end.column, 7);
}

void TstParse::scalars_haveTheTypeOfYaml12_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("type");
    const auto add = [](ScalarType type, std::initializer_list<const char*> texts) {
        for (const char* text : texts)
            QTest::newRow(text) << text << static_cast<int>(type);
    };
    add(ScalarType::Null, { "~", "null", "Null", "NULL" });
    add(ScalarType::Bool, { "true", "True", "TRUE", "false", "False", "FALSE" });
    add(ScalarType::Int, { "0", "-1", "+1", "010", "0o17", "0x1F", "0b11", "16_000", "08" });
    add(ScalarType::Float,
        { "1.", "1.5", ".5", "-.5", "1e5", "1e-4", "1.e-8", "1_0.5", ".5e-3", "+1.5E+3", ".inf",
            "-.inf", ".nan", "1E5" });
    add(ScalarType::String,
        { "yes", "no", "on", "off", "none", "None", "12:30", "2024-01-02", ".5e3", "1e", "e5",
            "0o8", "0x", "1.2.3", "tRUE", "-", "nan", "inf", "0xZ", "1 2", "-.nan", "'1'",
            "\"true\"", "!!str 1" });
}

void TstParse::scalars_haveTheTypeOfYaml12()
{
    QFETCH(QString, text);
    QFETCH(int, type);
    const Parsed parsed = parse("[" + text.toStdString() + "]", "x.yaml");
    QVERIFY(parsed.root);
    QCOMPARE(static_cast<int>(scalarType(*parsed.root->items[0])), type);
}

void TstParse::numbers_areRead()
{
    const Parsed parsed
        = parse("[010, 0o17, -0x1F, 0b11, 16_000, 1_0.5, -.inf, 99999999999999999999]", "x.yaml");
    const auto& items = parsed.root->items;
    QCOMPARE(asInt(*items[0]), std::optional<int64_t>(10));
    QCOMPARE(asInt(*items[1]), std::optional<int64_t>(15));
    QCOMPARE(asInt(*items[2]), std::optional<int64_t>(-31));
    QCOMPARE(asInt(*items[3]), std::optional<int64_t>(3));
    QCOMPARE(asDouble(*items[4]), std::optional<double>(16000.0));
    QCOMPARE(asDouble(*items[5]), std::optional<double>(10.5));
    QVERIFY(*asDouble(*items[6]) < -1e308);
    QVERIFY(!asInt(*items[7]));
    QCOMPARE(asDouble(*items[7]), std::optional<double>(1e20));
    QVERIFY(!asInt(*makeScalar("1.0")) && !asDouble(*makeScalar("x")) && !asBool(*makeScalar("1")));
}

void TstParse::aliases_shareOneNode()
{
    const Parsed parsed = parse("a: &x {p: 1}\nb: *x\nc: [*x]\n", "x.yaml");
    QCOMPARE(find(*parsed.root, "a"), find(*parsed.root, "b"));
    QCOMPARE(find(*parsed.root, "c")->items[0], find(*parsed.root, "a"));
}

void TstParse::merge_addsTheKeysThatAreMissing()
{
    const Parsed parsed = parse("a: &x {b: 1, c: 2}\nd:\n  q: 1\n  <<: *x\n  c: 5\n", "x.yaml");
    QVERIFY(parsed.diagnostics.empty());
    const NodePtr d = find(*parsed.root, "d");
    QCOMPARE(d->entries.size(), size_t { 3 });
    QCOMPARE(find(*d, "b")->text, std::string("1"));
    QCOMPARE(find(*d, "c")->text, std::string("5"));
    QVERIFY(!find(*d, "<<"));
}

void TstParse::mergeList_prefersTheFirst()
{
    const Parsed parsed = parse("a: &x {k: 1}\nb: &y {k: 2, l: 3}\nc: {<<: [*x, *y]}\n", "x.yaml");
    const NodePtr c = find(*parsed.root, "c");
    QCOMPARE(find(*c, "k")->text, std::string("1"));
    QCOMPARE(find(*c, "l")->text, std::string("3"));
}

void TstParse::merge_ofNoMapping_isReported()
{
    QCOMPARE(ruleOf("a: {<<: 3}\n"), "syntax");
}

void TstParse::sameKeyTwice_isReportedWhereItRepeats()
{
    const Parsed parsed = parse("lr: 1\nb: 2\nlr: 3\n", "x.yaml");
    QCOMPARE(parsed.diagnostics.size(), size_t { 1 });
    QCOMPARE(parsed.diagnostics[0].rule, std::string("duplicate-key"));
    QCOMPARE(parsed.diagnostics[0].span.begin, (Position { 3, 1 }));
    QVERIFY(parsed.root);
}

void TstParse::numberAndText_areTwoKeys()
{
    QCOMPARE(ruleOf("{1: a, '1': b}"), std::string());
}

void TstParse::emptyText_isNull()
{
    for (const char* text : { "", "\n", "# only a comment\n", "---\n" }) {
        const Parsed parsed = parse(text, "x.yaml");
        QVERIFY(parsed.root && isNull(*parsed.root) && parsed.diagnostics.empty());
    }
}

void TstParse::lineEndsOfWindows_doNotMoveSpans()
{
    const Parsed parsed = parse("a: 1\r\nb: xy\r\nc:\r\n  - z\r\n", "x.yaml");
    const NodePtr b = find(*parsed.root, "b");
    QCOMPARE(b->text, std::string("xy"));
    QCOMPARE(b->span.begin, (Position { 2, 4 }));
    QCOMPARE(b->span.end, (Position { 2, 6 }));
}

void TstParse::byteOrderMark_doesNotMoveSpans()
{
    const Parsed parsed = parse("\xef\xbb\xbf"
                                "a: 1\n",
        "x.yaml");
    QCOMPARE(find(*parsed.root, "a")->span.begin, (Position { 1, 4 }));
}

void TstParse::endlessInput_isRefused_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("rule");
    QTest::newRow("brackets") << QByteArray(100'000, '[') << "too-deep";
    QByteArray dashes;
    for (int i = 0; i < 50'000; ++i)
        dashes += "- ";
    QTest::newRow("dashes") << dashes + "1"
                            << "too-deep";
    QByteArray bomb = "a: &a [x, x]\n";
    for (char c = 'b'; c <= 'z'; ++c)
        bomb += QByteArray(1, c) + ": &" + c + " [*" + char(c - 1) + ", *" + char(c - 1) + "]\n";
    QTest::newRow("alias bomb") << bomb << "too-large";
    QByteArray tower = "k0: &k0 [x]\n";
    for (int i = 1; i < 5000; ++i) {
        const QByteArray n = QByteArray::number(i);
        tower += "k" + n + ": &k" + n + " [*k" + QByteArray::number(i - 1) + "]\n";
    }
    QTest::newRow("alias tower") << tower << "too-deep";
    QTest::newRow("itself") << QByteArray("{k: &d [*d]}") << "reference-cycle";
    QTest::newRow("many values") << "[" + QByteArray("1,").repeated(200'001) + "]"
                                 << "too-large";
}

void TstParse::endlessInput_isRefused()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, rule);
    QCOMPARE(QString::fromStdString(ruleOf(text.toStdString())), rule);
}

void TstParse::anyCutOfARecipe_neverThrows()
{
    const std::string text = "a: !new:x.Y\n  b: [1, 'q', \"r\\n\"]\n  c: {d: *e, <<: &e}\n"
                             "f: |\n  block\n# c\ng: &h !ref <a>\n? i\n: - j\n\tk\n\x01\xff";
    for (size_t i = 0; i < text.size(); ++i) {
        for (size_t length = 0; i + length <= text.size(); ++length) {
            const Parsed parsed = parse(text.substr(i, length), "x.yaml");
            QVERIFY(parsed.root || hasErrors(parsed.diagnostics));
        }
    }
}

EARWRIGHT_TEST(TstParse)
#include "tst_parse.moc"
