// Each case is a recipe cases/recipe/x.yaml and, in x.expected, what the user sees of it. A first
// line "# overrides: …" gives the words of the command line.
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/recipe/resolve.h"
#include "core/recipe/source.h"
#include "tests/expected.h"
#include "tests/registry.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <QTest>

using namespace earwright;
using namespace earwright::recipe;

namespace {

const std::filesystem::path kDiagnosticCases
    = std::filesystem::path(EARWRIGHT_CASES_DIR) / "recipe";

std::vector<std::string> overrideWords(const std::string& text)
{
    constexpr std::string_view kMark = "# overrides: ";
    const std::string line = text.substr(0, text.find('\n'));
    if (!line.starts_with(kMark))
        return {};
    return split(line.substr(kMark.size()), ' ');
}

/// Errors name the file as the case does, not by where this checkout lies.
Result<std::string> readCase(const std::string& path)
{
    if (!std::filesystem::exists(kDiagnosticCases / path))
        return Error { "cannot read '" + path + "': no such file" };
    return readFile(kDiagnosticCases / path);
}

/// The diagnostics and, where there is no error, the resolved recipe; then the recipe after each
/// fix.
std::string whatTheUserSees(const std::string& name, const std::string& text)
{
    const auto overrides = parseOverrides(overrideWords(text));
    if (!overrides)
        return overrides.error().message + "\n";
    ResolveOptions options;
    options.readInclude = readCase;
    const Resolved resolved = resolve(text, name, *overrides, options);
    std::string seen;
    for (const Diagnostic& diagnostic : resolved.diagnostics) {
        const bool isElsewhere = diagnostic.span.file != name;
        const auto other = isElsewhere ? readCase(diagnostic.span.file) : Result<std::string>(text);
        seen += formatDiagnostic(diagnostic, other ? *other : "");
        if (diagnostic.fix && !isElsewhere)
            seen += "--- fixed\n" + applyFix(text, *diagnostic.fix) + "---\n";
    }
    if (!hasErrors(resolved.diagnostics))
        seen += emitYaml(*resolved.root);
    return seen;
}

Diagnostic diagnosticAt(int column, int endColumn)
{
    return { Severity::Warning, "some-rule", "something is odd",
        { "x.yaml", { 1, column }, { 1, endColumn } }, std::nullopt };
}

Edit editAt(int line, int column, int endColumn, const std::string& text)
{
    Edit edit;
    edit.span.begin = { line, column };
    edit.span.end = { line, endColumn };
    edit.text = text;
    return edit;
}

} // namespace

class TstDiagnostic final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void case_isSeenAsExpected_data();
    void case_isSeenAsExpected();
    void caret_standsUnderTheText_data();
    void caret_standsUnderTheText();
    void everyPlace_isFoundAgain();
    void placeWithoutALine_hasNoCaret();
    void edits_areAppliedFromTheLast();
    void insertion_replacesNothing();
    void onlyErrors_areErrors();
    void json_holdsEveryField();
    void brokenFileName_isStillJson();
};

void TstDiagnostic::case_isSeenAsExpected_data()
{
    QTest::addColumn<QString>("name");
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(kDiagnosticCases)) {
        // Fragments are seen through the cases that include them.
        if (entry.path().extension() == ".yaml")
            names.push_back(entry.path().stem().string());
    }
    std::sort(names.begin(), names.end());
    QVERIFY(!names.empty());
    for (const std::string& name : names)
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

void TstDiagnostic::case_isSeenAsExpected()
{
    QFETCH(QString, name);
    const std::string file = name.toStdString() + ".yaml";
    const std::string seen = whatTheUserSees(file, *readCase(file));
    compareWithFile(QString::fromStdString(seen),
        QString(EARWRIGHT_CASES_DIR) + "/recipe/" + name + ".expected");
}

void TstDiagnostic::caret_standsUnderTheText_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("begin");
    QTest::addColumn<int>("end");
    QTest::addColumn<QString>("caret");
    QTest::newRow("word") << "lr: fast" << 5 << 9 << "    ^~~~";
    QTest::newRow("empty span") << "lr:" << 4 << 4 << "   ^";
    QTest::newRow("after tab") << "\tlr: x" << 6 << 7 << "\t    ^";
    QTest::newRow("after wide characters") << "语音: x" << 5 << 6 << "      ^";
    QTest::newRow("wide characters") << "a: 语音" << 4 << 6 << "   ^~~~";
    QTest::newRow("after accents") << "é: x" << 4 << 5 << "   ^";
    QTest::newRow("beyond the line") << "a: x" << 9 << 12 << "    ^";
}

void TstDiagnostic::caret_standsUnderTheText()
{
    QFETCH(QString, line);
    QFETCH(int, begin);
    QFETCH(int, end);
    QFETCH(QString, caret);
    const std::string shown
        = formatDiagnostic(diagnosticAt(begin, end), line.toStdString() + "\nnext: 1\n");
    const QString expected
        = QStringLiteral("x.yaml:1:%1: warning: something is odd [some-rule]\n  %2\n  %3\n")
              .arg(begin)
              .arg(line, caret);
    QCOMPARE(QString::fromStdString(shown), expected);
}

void TstDiagnostic::everyPlace_isFoundAgain()
{
    std::string text;
    for (int i = 0; i < 100; ++i)
        text += i % 7 == 0 ? "\n" : i % 5 == 0 ? "语音é𝄞" : "abc ";
    const SourceText source(text);
    for (size_t at = 0; at <= text.size(); ++at) {
        const Position place = source.position(at);
        const bool isPoint = at == text.size() || (text[at] & 0xc0) != 0x80;
        if (isPoint)
            QCOMPARE(source.offset(place), at);
    }
    QCOMPARE(source.offset({ 2, 1000 }), source.lineBegin(2) + source.line(2).size());
    QCOMPARE(source.offset({ 2, 0 }), source.lineBegin(2));
}

void TstDiagnostic::placeWithoutALine_hasNoCaret()
{
    Diagnostic diagnostic = diagnosticAt(0, 0);
    diagnostic.span = { "x.yaml", {}, {} };
    QCOMPARE(formatDiagnostic(diagnostic, "a: 1\n"),
        std::string("x.yaml: warning: something is odd [some-rule]\n"));
    diagnostic.span.file.clear();
    QCOMPARE(
        formatDiagnostic(diagnostic, ""), std::string("warning: something is odd [some-rule]\n"));
}

void TstDiagnostic::edits_areAppliedFromTheLast()
{
    Fix fix { "two edits", {} };
    fix.edits = { editAt(1, 1, 2, "longer"), editAt(2, 4, 5, "") };
    QCOMPARE(applyFix("é: 1\nb: 2\n", fix), std::string("longer: 1\nb: \n"));
}

void TstDiagnostic::insertion_replacesNothing()
{
    Fix fix { "insert", {} };
    fix.edits = { editAt(3, 1, 1, "c: 3\n") };
    QCOMPARE(applyFix("a: 1\nb: 2\n", fix), std::string("a: 1\nb: 2\nc: 3\n"));
    QCOMPARE(applyFix("a: 1\nb: 2\nd: 4\n", fix), std::string("a: 1\nb: 2\nc: 3\nd: 4\n"));
}

void TstDiagnostic::onlyErrors_areErrors()
{
    Diagnostic diagnostic = diagnosticAt(1, 2);
    QVERIFY(!hasErrors({ diagnostic }));
    diagnostic.severity = Severity::Error;
    QVERIFY(hasErrors({ diagnosticAt(1, 2), diagnostic }));
}

void TstDiagnostic::json_holdsEveryField()
{
    Diagnostic fixable = diagnosticAt(3, 5);
    fixable.fix = Fix { "mend", {} };
    fixable.fix->edits = { editAt(1, 3, 5, "x") };
    const auto json = nlohmann::json::parse(diagnosticsToJson({ fixable, diagnosticAt(1, 2) }));
    const auto& first = json["diagnostics"][0];
    QCOMPARE(first["rule"].get<std::string>(), std::string("some-rule"));
    QCOMPARE(first["severity"].get<std::string>(), std::string("warning"));
    QCOMPARE(first["message"].get<std::string>(), std::string("something is odd"));
    QCOMPARE(first["file"].get<std::string>(), std::string("x.yaml"));
    QCOMPARE(first["line"].get<int>(), 1);
    QCOMPARE(first["column"].get<int>(), 3);
    QCOMPARE(first["fix"]["title"].get<std::string>(), std::string("mend"));
    QCOMPARE(first["fix"]["edits"][0]["text"].get<std::string>(), std::string("x"));
    QCOMPARE(first["fix"]["edits"][0]["end_column"].get<int>(), 5);
    QVERIFY(json["diagnostics"][1]["fix"].is_null());
    QVERIFY(json["diagnostics"][1]["other_fixes"].empty());
}

void TstDiagnostic::brokenFileName_isStillJson()
{
    Diagnostic diagnostic = diagnosticAt(1, 2);
    diagnostic.span.file = "\xff.yaml";
    QVERIFY(nlohmann::json::accept(diagnosticsToJson({ diagnostic })));
}

EARWRIGHT_TEST(TstDiagnostic)
#include "tst_diagnostic.moc"
