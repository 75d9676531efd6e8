#include "core/check/check.h"

#include "core/check/coverage.h"
#include "core/check/rule_table.h"
#include "tests/check/case.h"
#include "tests/expected.h"
#include "tests/registry.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace earwright;
using namespace earwright::check;
using namespace earwright::tests;

// A case's .expected file holds what the user would see.

namespace {

QString shown(const Findings& findings, const std::string& text)
{
    QString all;
    for (const recipe::Diagnostic& diagnostic : findings.diagnostics)
        all += QString::fromStdString(recipe::formatDiagnostic(diagnostic, text)).trimmed() + "\n";
    return all.replace(EARWRIGHT_CASES_DIR, "CASES");
}

auto errorCount(const Findings& findings)
{
    return std::count_if(findings.diagnostics.begin(), findings.diagnostics.end(),
        [](const auto& d) { return d.severity == recipe::Severity::Error; });
}

QStringList caseNames()
{
    QStringList names;
    for (const QString& file : QDir(kCases).entryList({ "*.yaml" }, QDir::Files, QDir::Name))
        names << file.chopped(5);
    return names;
}

} // namespace

class TstCheck : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recipe_givesTheExpectedText_data();
    void recipe_givesTheExpectedText();
    void fix_mendsWhatItIsFor_data();
    void fix_mendsWhatItIsFor();
    void everyRule_hasACase_data();
    void everyRule_hasACase();
    void everyDiagnostic_isOfTheTable_data();
    void everyDiagnostic_isOfTheTable();
    void cleanRecipes_haveNoFindings_data();
    void cleanRecipes_haveNoFindings();
    void shippedRecipes_haveNoFindings_data();
    void shippedRecipes_haveNoFindings();
    void brokenText_neverThrows_data();
    void brokenText_neverThrows();
    void weightsThatAreNone_areToldByTheirFirstBytes();
    void manifestThatIsNoText_isNamed();
    void manifestOfOneLongLine_isNotReadWhole();
    void wrapper_coversWhatItWraps();
    void coverage_hasFourFactsAnObject();
};

void TstCheck::recipe_givesTheExpectedText_data()
{
    QTest::addColumn<QString>("name");
    for (const QString& name : caseNames())
        QTest::newRow(qPrintable(name)) << name;
}

void TstCheck::recipe_givesTheExpectedText()
{
    QFETCH(QString, name);
    const Case one = readCase(name);
    const QString text = shown(check::check(one.request, one.machine), one.request.text);
    compareWithFile(text, kCases + "/" + name + ".expected");
}

void TstCheck::fix_mendsWhatItIsFor_data()
{
    recipe_givesTheExpectedText_data();
}

void TstCheck::fix_mendsWhatItIsFor()
{
    QFETCH(QString, name);
    Case one = readCase(name);
    const Findings before = check::check(one.request, one.machine);
    for (const recipe::Diagnostic& diagnostic : before.diagnostics) {
        for (const recipe::Fix& fix : recipe::fixesOf(diagnostic)) {
            Case mended = one;
            mended.request.text = recipe::applyFix(one.request.text, fix);
            const Findings after = check::check(mended.request, mended.machine);
            for (const recipe::Diagnostic& left : after.diagnostics) {
                QVERIFY2(left.message != diagnostic.message, left.message.c_str());
                QVERIFY2(left.rule != "syntax", left.message.c_str());
            }
            // A fix may bring to light what the mistake hid (a class that cannot be trained).
            QVERIFY(errorCount(after) <= errorCount(before));
        }
    }
}

void TstCheck::everyRule_hasACase_data()
{
    QTest::addColumn<QString>("rule");
    for (const RuleInfo& rule : ruleTable())
        QTest::newRow(rule.id) << QString(rule.id);
}

void TstCheck::everyRule_hasACase()
{
    QFETCH(QString, rule);
    if (rule == "set-up") // a row of tst_inspect_setup each
        return;
    // Those of the reader, the data doctor and the start have their cases in folders of their own.
    for (const char* folder : { "check", "recipe", "data", "train/start" }) {
        QDirIterator files(QString(EARWRIGHT_CASES_DIR) + "/" + folder, { "*.expected" },
            QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext())
            if (bytesOf(files.next()).contains(("[" + rule + "]").toUtf8()))
                return;
    }
    QFAIL("no case in tests/cases shows this rule");
}

void TstCheck::everyDiagnostic_isOfTheTable_data()
{
    recipe_givesTheExpectedText_data();
}

void TstCheck::everyDiagnostic_isOfTheTable()
{
    QFETCH(QString, name);
    const Case one = readCase(name);
    for (const recipe::Diagnostic& diagnostic : check::check(one.request, one.machine).diagnostics)
        QVERIFY2(findRule(diagnostic.rule), diagnostic.rule.c_str());
}

void TstCheck::cleanRecipes_haveNoFindings_data()
{
    QTest::addColumn<QString>("name");
    for (const QString& name : caseNames())
        if (name.startsWith("clean_"))
            QTest::newRow(qPrintable(name)) << name;
}

void TstCheck::cleanRecipes_haveNoFindings()
{
    QFETCH(QString, name);
    const Case one = readCase(name);
    QCOMPARE(shown(check::check(one.request, one.machine), one.request.text), QString());
}

void TstCheck::shippedRecipes_haveNoFindings_data()
{
    QTest::addColumn<QString>("file");
    for (const char* folder : { "configs", "tests/bench/recipes" }) {
        QDirIterator files(QString(EARWRIGHT_SOURCE_DIR) + "/" + folder, { "*.yaml" }, QDir::Files,
            QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString file = files.next();
            QTest::newRow(qPrintable(QDir(EARWRIGHT_SOURCE_DIR).relativeFilePath(file))) << file;
        }
    }
}

void TstCheck::shippedRecipes_haveNoFindings()
{
    QFETCH(QString, file);
    Request request;
    request.text = bytesOf(file).toStdString();
    request.fileName = file.toStdString();
    request.checkFiles = false;
    append(request, overrides("data_folder=anywhere", recipe::Origin::Override));
    if (request.text.find("\ninit_param:") != std::string::npos)
        append(request, overrides("init_param=anywhere", recipe::Origin::Override));
    if (request.text.find("\ncmvn_file:") != std::string::npos)
        append(request, overrides("cmvn_file=null", recipe::Origin::Override));
    if (request.text.find("\nwhisper_hub:") != std::string::npos)
        append(request, overrides("whisper_hub=anywhere", recipe::Origin::Override));
    const Findings findings = check::check(request, Machine());
    QCOMPARE(shown(findings, request.text), QString());
    // The file's name begins with its task's.
    const std::string& task = findings.options.task;
    QVERIFY2(!task.empty() && QFileInfo(file).fileName().startsWith(QString::fromStdString(task)),
        task.c_str());
}

void TstCheck::brokenText_neverThrows_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("empty") << "";
    QTest::newRow("scalar") << "hello";
    QTest::newRow("list") << "- 1\n- 2\n";
    QTest::newRow("open bracket") << "a: [1, 2\n";
    QTest::newRow("modules is a list") << "task: ctc\nmodules: [1]\n";
    QTest::newRow("modules is null") << "task: ctc\nmodules:\n";
    QTest::newRow("task is a list") << "task: [ctc]\n";
    QTest::newRow("precision is a mapping") << "task: ctc\nprecision: {a: b}\n";
    QTest::newRow("device is a list") << "device: [cuda]\n";
    QTest::newRow("class without a name") << "a: !new:\nmodules: {a: !ref <a>}\n";
    QTest::newRow("cycle") << "a: !ref <b>\nb: !ref <a>\n";
    QTest::newRow("manifest is a folder") << "task: ctc\ntrain_csv: /\n";
}

void TstCheck::brokenText_neverThrows()
{
    QFETCH(QString, text);
    Request request;
    request.text = text.toStdString();
    request.fileName = "broken.yaml";
    const Findings findings = check::check(request, Machine());
    QVERIFY(!findings.diagnostics.empty());
}

/// Before a run finds it, which may have to wait for its devices.
void TstCheck::weightsThatAreNone_areToldByTheirFirstBytes()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath("model.pt"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("version https://git-lfs.github.com/spec/v1\noid sha256:a1\nsize 9\n");
    file.close();
    Case one = readCase("clean_minimal");
    one.request.checkFiles = true;
    one.request.text += "init_param: " + file.fileName().toStdString() + "\n";
    const Findings findings = check::check(one.request, one.machine);
    std::string told;
    for (const recipe::Diagnostic& diagnostic : findings.diagnostics)
        told += diagnostic.rule == "missing-file" ? diagnostic.message : "";
    QVERIFY2(
        told.starts_with("'init_param' names '") && told.find("git lfs pull") != std::string::npos,
        told.c_str());
}

/// Nothing of its bytes is shown.
void TstCheck::manifestThatIsNoText_isNamed()
{
    const QTemporaryDir folder;
    for (const auto& [bytes, what] :
        { std::pair { QByteArray::fromHex("fffe490044002c00"), "UTF-16" },
            { QByteArray::fromHex("1f8b0808000000000003"), "packed by gzip" } }) {
        QFile file(folder.filePath("train.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(bytes);
        file.close();
        Case one = readCase("clean_minimal");
        one.request.checkFiles = true;
        const std::string named = "train_csv: !ref <data_folder>/train.csv";
        one.request.text.replace(one.request.text.find(named), named.size(),
            "train_csv: " + file.fileName().toStdString());
        std::string told;
        for (const recipe::Diagnostic& diagnostic :
            check::check(one.request, one.machine).diagnostics)
            told += diagnostic.rule.starts_with("manifest") || diagnostic.rule == "data-manifest"
                ? diagnostic.message
                : "";
        QVERIFY2(
            told.starts_with("'" + file.fileName().toStdString() + "' is " + what), told.c_str());
    }
}

/// It is looked at while one types.
void TstCheck::manifestOfOneLongLine_isNotReadWhole()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath("train.jsonl"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"source\": \"a.wav\", \"source_len\": 9, \"target\": \""
        + QByteArray(2 << 20, 'a') + "\"}\n");
    file.close();
    Case one = readCase("clean_minimal");
    one.request.checkFiles = true;
    const std::string named = "train_csv: !ref <data_folder>/train.csv";
    one.request.text.replace(
        one.request.text.find(named), named.size(), "train_csv: " + file.fileName().toStdString());
    const Findings findings = check::check(one.request, one.machine);
    QCOMPARE(findings.diagnostics.size(), size_t(1));
    QVERIFY2(findings.diagnostics.front().message.ends_with("its first line is no JSON object"),
        findings.diagnostics.front().message.c_str());
}

void TstCheck::wrapper_coversWhatItWraps()
{
    const Case one = readCase("clean_conformer");
    const Findings findings = check::check(one.request, one.machine);
    QStringList rows;
    for (const Coverage& row : coverageOf(*findings.recipe))
        rows << QString("%1 %2%3")
                    .arg(QString::fromStdString(row.key))
                    .arg(row.isMoved)
                    .arg(row.isCheckpointed);
    QCOMPARE(rows.join(", "), QString("CNN 11, enc 11, ctc_lin 11"));
}

void TstCheck::coverage_hasFourFactsAnObject()
{
    Case one = readCase("coverage_frozen");
    const std::string moved = "    ctc_lin: !ref <ctc_lin>\n    student: !ref <student>\n";
    one.request.text.replace(one.request.text.find("    ctc_lin: !ref"), 28, moved);
    const Findings findings = check::check(one.request, one.machine);
    QCOMPARE(QString::fromStdString(coverageTable(coverageOf(*findings.recipe))),
        QString("object   moved        optimised    checkpointed DDP\n"
                "enc      yes          yes          yes          yes\n"
                "ctc_lin  yes          yes          yes          yes\n"
                "teacher  no           no           no           no  (it is frozen)\n"
                "student  yes          yes          no           yes\n"));

    const Case list = readCase("coverage_not_in_modules");
    const Findings dropped = check::check(list.request, list.machine);
    QCOMPARE(QString::fromStdString(coverageTable(coverageOf(*dropped.recipe))),
        QString("object   moved        optimised    checkpointed DDP\n"
                "enc      yes          yes          yes          yes\n"
                "ctc_lin  no           yes          yes          no\n"));
}

EARWRIGHT_TEST(TstCheck)
#include "tst_check.moc"
