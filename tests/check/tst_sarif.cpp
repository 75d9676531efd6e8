#include "core/check/check.h"
#include "core/check/rule_table.h"
#include "core/check/sarif.h"
#include "tests/registry.h"

#include <QDir>
#include <QFile>
#include <QSet>
#include <QTest>

#include <nlohmann/json.hpp>

using namespace earwright;
using nlohmann::json;

// The structure is held against SARIF 2.1.0 (OASIS, 27 March 2020): the sections are named.

namespace {

bool isRegion(const json& region)
{
    // §3.30: line numbers and columns begin with 1, the end is not before the begin.
    const int line = region.at("startLine");
    const int column = region.at("startColumn");
    const int endLine = region.value("endLine", line);
    const int endColumn = region.value("endColumn", column);
    return line >= 1 && column >= 1 && endLine >= line && (endLine > line || endColumn >= column);
}

/// Throws json::exception where a property that the standard requires is missing.
void checkFix(const json& fix)
{
    QVERIFY(fix.at("description").at("text").is_string()); // §3.55.2
    QVERIFY(!fix.at("artifactChanges").empty()); // §3.55.3: at least one
    for (const json& change : fix.at("artifactChanges")) {
        QVERIFY(change.at("artifactLocation").at("uri").is_string()); // §3.56.2
        QVERIFY(!change.at("replacements").empty()); // §3.56.3
        for (const json& replacement : change.at("replacements")) {
            QVERIFY(isRegion(replacement.at("deletedRegion"))); // §3.57.3
            QVERIFY(replacement.at("insertedContent").at("text").is_string());
        }
    }
}

void checkLog(const json& log)
{
    QCOMPARE(log.at("version").get<std::string>(), std::string("2.1.0")); // §3.13.2
    QVERIFY(log.at("runs").is_array()); // §3.13.4
    const json& run = log.at("runs").at(0);
    const json& driver = run.at("tool").at("driver"); // §3.14.6, §3.18.2
    QCOMPARE(driver.at("name").get<std::string>(), std::string("earwright")); // §3.19.8
    const json& rules = driver.at("rules");
    QSet<QString> ids;
    for (const json& rule : rules) {
        ids.insert(QString::fromStdString(rule.at("id"))); // §3.49.3
        QVERIFY(!rule.at("shortDescription").at("text").get<std::string>().empty());
    }
    QCOMPARE(static_cast<size_t>(ids.size()), rules.size()); // §3.19.23: unique
    for (const json& result : run.at("results")) {
        const std::string id = result.at("ruleId");
        const size_t index = result.at("ruleIndex"); // §3.27.6
        QCOMPARE(rules.at(index).at("id").get<std::string>(), id);
        const std::string level = result.at("level"); // §3.27.10
        QVERIFY(level == "error" || level == "warning" || level == "note");
        QVERIFY(!result.at("message").at("text").get<std::string>().empty()); // §3.27.11
        for (const json& location : result.at("locations")) { // §3.27.12
            const json& physical = location.at("physicalLocation");
            QVERIFY(physical.at("artifactLocation").at("uri").is_string());
            QVERIFY(!physical.contains("region") || isRegion(physical.at("region")));
        }
        for (const json& fix : result.value("fixes", json::array()))
            checkFix(fix);
    }
}

check::Findings findingsOf(const QString& name, const std::string& fileName)
{
    QFile file(QString(EARWRIGHT_CASES_DIR) + "/check/" + name + ".yaml");
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s", qPrintable(file.fileName()));
    check::Request request;
    request.text = file.readAll().toStdString();
    request.fileName = fileName;
    request.checkFiles = false;
    return check::check(request, check::Machine());
}

} // namespace

class TstSarif : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCase_isAValidLog_data();
    void everyCase_isAValidLog();
    void cleanRecipe_hasNoResults();
    void diagnostic_keepsRegionAndFixes();
    void fileName_isEscapedAsAUri();
    void everyRule_isInTheLog();
};

void TstSarif::everyCase_isAValidLog_data()
{
    QTest::addColumn<QString>("name");
    const QDir cases(QString(EARWRIGHT_CASES_DIR) + "/check");
    for (const QString& file : cases.entryList({ "*.yaml" }, QDir::Files, QDir::Name))
        QTest::newRow(qPrintable(file)) << file.chopped(5);
}

void TstSarif::everyCase_isAValidLog()
{
    QFETCH(QString, name);
    const check::Findings findings = findingsOf(name, name.toStdString() + ".yaml");
    const json log = json::parse(check::diagnosticsToSarif(findings.diagnostics, "1.2.3"));
    try {
        checkLog(log);
    } catch (const json::exception& exception) {
        QFAIL(exception.what());
    }
    QCOMPARE(log["runs"][0]["results"].size(), findings.diagnostics.size());
}

void TstSarif::cleanRecipe_hasNoResults()
{
    const json log = json::parse(check::diagnosticsToSarif({}, "1.2.3"));
    QCOMPARE(log["$schema"].get<std::string>(),
        std::string("https://json.schemastore.org/sarif-2.1.0.json"));
    const json& run = log["runs"][0];
    QVERIFY(run["results"].is_array()); // §3.14.23: an empty array says that nothing was found
    QVERIFY(run["results"].empty());
    QCOMPARE(run["tool"]["driver"]["version"].get<std::string>(), std::string("1.2.3"));
    QCOMPARE(run["columnKind"].get<std::string>(), std::string("unicodeCodePoints"));
}

void TstSarif::diagnostic_keepsRegionAndFixes()
{
    const check::Findings findings = findingsOf("coverage_not_in_modules", "a.yaml");
    const json log = json::parse(check::diagnosticsToSarif(findings.diagnostics, ""));
    const json& results = log["runs"][0]["results"];
    const auto found = std::find_if(results.begin(), results.end(),
        [](const json& result) { return result["ruleId"] == "coverage-not-in-modules"; });
    QVERIFY(found != results.end());
    QCOMPARE((*found)["level"].get<std::string>(), std::string("error"));
    const json region = (*found)["locations"][0]["physicalLocation"]["region"];
    QCOMPARE(region["startLine"].get<int>(), 19);
    QCOMPARE(region["startColumn"].get<int>(), 1);
    QCOMPARE(region["endColumn"].get<int>(), 8);
    QCOMPARE((*found)["fixes"].size(), size_t { 2 });
    const json& replacement = (*found)["fixes"][0]["artifactChanges"][0]["replacements"][0];
    QCOMPARE(replacement["insertedContent"]["text"].get<std::string>(),
        std::string("    ctc_lin: !ref <ctc_lin>\n"));
}

void TstSarif::fileName_isEscapedAsAUri()
{
    const auto uri = [](const std::string& file) {
        const recipe::Diagnostic diagnostic { recipe::Severity::Info, "syntax", "m",
            { file, { 1, 1 }, { 1, 2 } }, std::nullopt, {} };
        const json log = json::parse(check::diagnosticsToSarif({ diagnostic }, ""));
        return log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
                  ["uri"]
                      .get<std::string>();
    };
    QCOMPARE(uri("a b/c#1.yaml"), std::string("a%20b/c%231.yaml"));
    QCOMPARE(uri("/home/me/x.yaml"), std::string("file:///home/me/x.yaml"));
    QCOMPARE(uri("ä.yaml"), std::string("%C3%A4.yaml"));
}

void TstSarif::everyRule_isInTheLog()
{
    const json log = json::parse(check::diagnosticsToSarif({}, ""));
    const json& rules = log["runs"][0]["tool"]["driver"]["rules"];
    QCOMPARE(rules.size(), check::ruleTable().size());
    for (size_t i = 0; i < rules.size(); ++i)
        QCOMPARE(rules[i]["id"].get<std::string>(), std::string(check::ruleTable()[i].id));
}

EARWRIGHT_TEST(TstSarif)
#include "tst_sarif.moc"
