// What a hostile or broken recipe may cost: each limit is met with a diagnostic, and what comes out
// is small. (A limit that does not hold makes this test run out of its time or memory.)
#include "core/recipe/arithmetic.h"
#include "core/recipe/limits.h"
#include "core/recipe/resolve.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright;
using namespace earwright::recipe;

namespace {

std::string repeated(const std::string& text, size_t count)
{
    std::string result;
    for (size_t i = 0; i < count; ++i)
        result += text;
    return result;
}

/// "kN: TEXT" for N from 0.
std::string keys(size_t count, const std::string& text)
{
    std::string result;
    for (size_t i = 0; i < count; ++i)
        result += "k" + std::to_string(i) + ": " + text + "\n";
    return result;
}

} // namespace

class TstLimits final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hugeRecipe_isRefused_data();
    void hugeRecipe_isRefused();
    void hugeArithmetic_isRefused_data();
    void hugeArithmetic_isRefused();
    void longArithmetic_staysText();
    void includes_areLimited_data();
    void includes_areLimited();
    void specialFile_isNotIncluded_data();
    void specialFile_isNotIncluded();
    void manyReferences_takeTimeByTheirNumber();
    void longText_isNotRead();
    void manyErrors_areCut();
    void longLine_isShownInPart();
    void longNames_areNotCompared();
};

void TstLimits::hugeRecipe_isRefused_data()
{
    QTest::addColumn<QString>("recipe");
    QTest::addColumn<QString>("rule");
    const auto row = [](const char* name, const std::string& recipe, const char* rule) {
        QTest::newRow(name) << QString::fromStdString(recipe) << QString::fromUtf8(rule);
    };
    row("depth of lists", "a: " + repeated("[", 200) + repeated("]", 200), "too-deep");
    row("depth of mappings", "a: " + repeated("{b: ", 200) + repeated("}", 200), "too-deep");
    row("nodes", "a: [" + repeated("1,", kMaxNodes) + "1]", "too-large");
    std::string bomb = "a0: &a0 [x]\n";
    for (int i = 1; i < 40; ++i) {
        const std::string last = "*a" + std::to_string(i - 1);
        const std::string name = "a" + std::to_string(i);
        bomb += name + ": &" + name + " [" + last + ", " + last + "]\n";
    }
    row("aliases", bomb, "too-large");
    row("aliases of a long text",
        "a: &a " + std::string(100'000, 'x') + "\nb: [" + repeated("*a,", 1000) + "]\n",
        "too-large");
    row("merges",
        "x: &x {" + repeated("", 0) + "a: 1}\n" + "b: {<<: [" + repeated("*x,", kMaxNodes) + "]}\n",
        "too-large");
    const std::string text = "a: " + std::string(1'000'000, 'x') + "\n";
    row("references to a long text", text + keys(100, "!ref <a>"), "too-large");
    row("joins of a long text", text + keys(100, "!ref <a>y"), "too-large");
    row("joins within a join", text + "b: !ref <a><a><a>\n", "too-large");
    row("copies of a long text", text + keys(100, "!copy <a>"), "too-large");
    const std::string tuple = "a: (" + repeated("1,", 60'000) + "1)\n";
    row("tuples", tuple + keys(5, "!copy <a>"), "too-large");
    row("tuples in tuples", "a: " + repeated("(", 200'000) + "1" + repeated(")", 200'000) + "\n",
        "too-deep");
    row("quoted tuples in tuples",
        "a: '" + repeated("(", 200'000) + "1" + repeated(")", 200'000) + "'\n", "too-deep");
    row("references to tuples in tuples",
        "a: 1\nb: !ref " + repeated("(", 200'000) + "<a>" + repeated(")", 200'000) + "\n",
        "too-deep");
    row("texts of tuples in tuples",
        "a: " + repeated("(", 90) + std::string(200'000, 'x') + repeated(")", 90) + "\n",
        "too-large");
    row("joins of a long list", "a: [" + repeated("xxxx,", 100'000) + "]\nb: !ref y<a><a><a>\n",
        "too-large");
}

void TstLimits::hugeRecipe_isRefused()
{
    QFETCH(QString, recipe);
    QFETCH(QString, rule);
    const Resolved resolved = resolve(recipe.toStdString(), "x.yaml", {});
    QVERIFY(hasErrors(resolved.diagnostics));
    const Diagnostic& first = resolved.diagnostics[0];
    QCOMPARE(QString::fromStdString(first.rule), rule);
    QVERIFY(first.span.begin.line > 0);
    QVERIFY2(first.message.size() < 300, first.message.c_str());
    if (resolved.root)
        QVERIFY(emitJson(*resolved.root).size() < 8 * kMaxBytes);
}

void TstLimits::hugeArithmetic_isRefused_data()
{
    QTest::addColumn<QString>("text");
    for (const char* text : { "9**9**9", "2**64", "2**63", "0-2**63-1", "10**10**10", "1e300**2",
             "9223372036854775807*2", "99999999999999999999+1", "'a'*1000000000", "1000000000*'a'",
             "'ab'*9223372036854775807", "('a'*60000)+('b'*60000)", "(0-1)**0.5", "1//0", "1%0",
             "1/0", "0**(0-1)", "'%d'%1" })
        QTest::newRow(text) << QString::fromUtf8(text);
}

void TstLimits::hugeArithmetic_isRefused()
{
    QFETCH(QString, text);
    const auto value = evaluateArithmetic(text.toStdString());
    QVERIFY(value);
    QVERIFY(!*value);
    QVERIFY(!value->error().message.empty());
}

void TstLimits::longArithmetic_staysText()
{
    const std::string sum = "!ref <a>" + repeated("+1", kMaxArithmeticBytes);
    const Resolved resolved = resolve("a: 1\nb: " + sum + "\n", "x.yaml", {});
    QVERIFY(resolved.diagnostics.empty());
    QVERIFY(scalarType(*find(*resolved.root, "b")) == ScalarType::String);
    QVERIFY(!evaluateArithmetic(repeated("(", 5000) + "1" + repeated(")", 5000)));
    QVERIFY(!evaluateArithmetic(repeated("1**", 5000) + "1"));
}

void TstLimits::includes_areLimited_data()
{
    QTest::addColumn<int>("fanOut");
    QTest::newRow("chain") << 1;
    QTest::newRow("tree") << 3;
}

void TstLimits::includes_areLimited()
{
    QFETCH(int, fanOut);
    int files = 0;
    ResolveOptions options;
    options.readInclude = [&](const std::string&) -> Result<std::string> {
        std::string text;
        for (int i = 0; i < fanOut; ++i)
            text += "k" + std::to_string(i) + ": !include:f" + std::to_string(++files) + ".yaml\n";
        return text;
    };
    const Resolved resolved = resolve("a: !include:f.yaml\n", "x.yaml", {}, options);
    QVERIFY(hasErrors(resolved.diagnostics));
    QCOMPARE(resolved.diagnostics[0].rule, std::string("include"));
    QVERIFY(files < 1000);
}

void TstLimits::specialFile_isNotIncluded_data()
{
    QTest::addColumn<QString>("path");
    QTest::newRow("device") << "/dev/zero";
    QTest::newRow("folder") << "/tmp";
}

void TstLimits::specialFile_isNotIncluded()
{
    QFETCH(QString, path);
    const Resolved resolved = resolve("a: !include:" + path.toStdString() + "\n", "x.yaml", {});
    QCOMPARE(resolved.diagnostics.size(), size_t { 1 });
    QCOMPARE(resolved.diagnostics[0].message,
        "cannot read '" + path.toStdString() + "': it is not a file");
}

void TstLimits::manyReferences_takeTimeByTheirNumber()
{
    const Resolved resolved = resolve(keys(90'000, "!ref <z>") + "z: 1\n", "x.yaml", {});
    QVERIFY(resolved.diagnostics.empty());
    QCOMPARE(find(*resolved.root, "k89999")->text, std::string("1"));
}

void TstLimits::longText_isNotRead()
{
    const Resolved resolved = resolve("a: " + std::string(kMaxBytes, 'x'), "x.yaml", {});
    QCOMPARE(resolved.diagnostics.size(), size_t { 1 });
    QCOMPARE(resolved.diagnostics[0].message,
        std::string("the text has more than 32 MiB; is it a recipe?"));
}

void TstLimits::manyErrors_areCut()
{
    const Resolved resolved = resolve(keys(5000, "!ref <zz>"), "x.yaml", {});
    QCOMPARE(resolved.diagnostics.size(), kMaxDiagnostics + 1);
    QVERIFY(resolved.diagnostics.back().message.starts_with("there are more errors"));
}

void TstLimits::longLine_isShownInPart()
{
    const std::string text = "a: [" + repeated("1, ", 10'000) + "!ref <zz>]\n";
    const Resolved resolved = resolve(text, "x.yaml", {});
    const std::string shown = formatDiagnostic(resolved.diagnostics.at(0), text);
    QVERIFY(shown.size() < 1000);
    QVERIFY2(shown.find("!ref <zz>") != std::string::npos, shown.c_str());
    const size_t lineBegin = shown.find('\n') + 1;
    const size_t caretBegin = shown.find('\n', lineBegin) + 1;
    QCOMPARE(shown.find('^') - caretBegin, shown.find("!ref <zz>") - lineBegin);
}

void TstLimits::longNames_areNotCompared()
{
    std::string text;
    for (int i = 0; i < 30; ++i)
        text += std::string(100'000, 'x') + std::to_string(i) + ": 1\n";
    const std::string wrong(100'000, 'y');
    const Resolved resolved = resolve(text + "k: !ref <" + wrong + ">\n", "x.yaml", {});
    QCOMPARE(resolved.diagnostics.size(), size_t { 1 });
}

EARWRIGHT_TEST(TstLimits)
#include "tst_limits.moc"
