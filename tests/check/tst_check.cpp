#include "core/base/text.h"
#include "core/catalog/catalog.h"
#include "core/catalog/run_option_fields.h"
#include "core/check/check.h"
#include "core/check/coverage.h"
#include "core/check/rule_table.h"
#include "tests/expected.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <map>

using namespace kymo;
using namespace kymo::check;

// A fixture's first line may say what to check it with:
//   # check: files gpus=8.9,7.5 driver=550.54 devices=cuda override=seed=3 option=precision=bf16
// The .expected file holds what the user would see.

namespace {

const QString kCases = QString(KYMO_CASES_DIR) + "/check";

Machine machineWith(const QString& capabilities)
{
    Machine machine;
    machine.cpuCores = 4;
    machine.torchVersion = "2.11.0";
    for (const QString& capability : capabilities.split(',', Qt::SkipEmptyParts)) {
        Gpu gpu;
        gpu.name = "Test GPU";
        gpu.capabilityMajor = capability.section('.', 0, 0).toInt();
        gpu.capabilityMinor = capability.section('.', 1, 1).toInt();
        machine.gpus.push_back(gpu);
    }
    return machine;
}

std::vector<recipe::Override> overrides(const QString& text, recipe::Origin origin)
{
    auto parsed = recipe::parseOverrides({ text.toStdString() });
    if (!parsed)
        qFatal("%s", parsed.error().message.c_str());
    for (recipe::Override& override : *parsed) {
        override.origin = origin;
        override.value->origin = origin;
    }
    return *parsed;
}

/// The member of a version that a case may name, null for any other word.
std::string* versionOf(Machine& machine, const QString& key)
{
    const std::map<QString, std::string*> members { { "cuda", &machine.cudaVersion },
        { "torch_cuda", &machine.torchCudaVersion }, { "driver_cuda", &machine.cudaDriverVersion },
        { "driver", &machine.driverVersion }, { "nccl", &machine.ncclVersion },
        { "nccl_built", &machine.ncclBuiltVersion } };
    const auto found = members.find(key);
    return found == members.end() ? nullptr : found->second;
}

struct Case {
    Request request;
    Machine machine;
};

void append(Request& request, const std::vector<recipe::Override>& more)
{
    request.overrides.insert(request.overrides.end(), more.begin(), more.end());
}

Case readCase(const QString& name)
{
    Case result;
    const QString text = QString::fromUtf8(bytesOf(kCases + "/" + name + ".yaml"));
    result.request.text = text.toStdString();
    result.request.fileName = name.toStdString() + ".yaml";
    result.request.checkFiles = false;
    append(result.request, overrides("data_folder=" + kCases + "/data", recipe::Origin::Override));
    const QString first = text.section('\n', 0, 0);
    if (!first.startsWith("# check: "))
        return result;
    for (const QString& word : first.mid(9).split(' ', Qt::SkipEmptyParts)) {
        const QString key = word.section('=', 0, 0);
        const QString value = word.section('=', 1);
        if (key == "files")
            result.request.checkFiles = true;
        else if (key == "gpus")
            result.machine = machineWith(value);
        else if (std::string* version = versionOf(result.machine, key))
            *version = value.toStdString();
        else if (key == "devices")
            result.request.devices = value.toStdString();
        else if (key == "option")
            append(result.request, overrides("--" + value, recipe::Origin::Option));
        else
            append(result.request, overrides(value, recipe::Origin::Override));
    }
    return result;
}

QString shown(const Findings& findings, const std::string& text)
{
    QString all;
    for (const recipe::Diagnostic& diagnostic : findings.diagnostics)
        all += QString::fromStdString(recipe::formatDiagnostic(diagnostic, text)).trimmed() + "\n";
    return all.replace(KYMO_CASES_DIR, "CASES");
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

const Provenance* provenance(const Findings& findings, const std::string& key)
{
    for (const Provenance& entry : findings.provenance)
        if (entry.key == key)
            return &entry;
    return nullptr;
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

    void everyOption_hasAProvenance();
    void provenance_namesTheSourceThatWon();
    void nestedAndEpochCounterOptions_areRead();
    void overrideOfAnOption_countsWhereverItIsGiven_data();
    void overrideOfAnOption_countsWhereverItIsGiven();
    void overrideThatAnotherOneBeats_isAnError_data();
    void overrideThatAnotherOneBeats_isAnError();
    void listsByCommas_mayBeSequences();
    void weightsThatAreNone_areToldByTheirFirstBytes();
    void deviceOption_winsOverTheRecipe();
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
    // Those of the reader, the data doctor and the start have their cases in folders of their own.
    for (const char* folder : { "check", "recipe", "data", "train/start" }) {
        QDirIterator files(QString(KYMO_CASES_DIR) + "/" + folder, { "*.expected" }, QDir::Files,
            QDirIterator::Subdirectories);
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
        QDirIterator files(QString(KYMO_SOURCE_DIR) + "/" + folder, { "*.yaml" }, QDir::Files,
            QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString file = files.next();
            QTest::newRow(qPrintable(QDir(KYMO_SOURCE_DIR).relativeFilePath(file))) << file;
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

void TstCheck::everyOption_hasAProvenance()
{
    const Case one = readCase("clean_minimal");
    Findings findings = check::check(one.request, one.machine);
    findings.options.visit([&](const char* key, auto&, const char* consumer) {
        const Provenance* entry = provenance(findings, key);
        QVERIFY2(entry, key);
        QCOMPARE(entry->consumer, std::string(consumer));
        QVERIFY2(!entry->source.empty(), key);
    });
    QCOMPARE(provenance(findings, "devices")->value, std::string("auto"));
    QCOMPARE(findings.devices, std::vector<std::string> { "cpu" });
}

void TstCheck::provenance_namesTheSourceThatWon()
{
    Case one = readCase("clean_minimal");
    append(one.request, overrides("seed=11", recipe::Origin::Override));
    append(one.request, overrides("--precision=bf16", recipe::Origin::Option));
    const Findings findings = check::check(one.request, one.machine);
    QVERIFY(!recipe::hasErrors(findings.diagnostics));
    QCOMPARE(findings.options.seed, int64_t { 11 });
    QCOMPARE(findings.options.precision, std::string("bf16"));

    const Provenance* seed = provenance(findings, "seed");
    QCOMPARE(seed->source, std::string("override"));
    QCOMPARE(seed->place, std::string("seed=11"));
    QCOMPARE(seed->value, std::string("11"));
    const Provenance* precision = provenance(findings, "precision");
    QCOMPARE(precision->source, std::string("option"));
    QCOMPARE(precision->place, std::string("--precision=bf16"));
    const Provenance* epochs = provenance(findings, "number_of_epochs");
    QCOMPARE(epochs->source, std::string("recipe"));
    QCOMPARE(epochs->place, std::string("clean_minimal.yaml:7"));
    const Provenance* norm = provenance(findings, "max_grad_norm");
    QCOMPARE(norm->source, std::string("default"));
    QCOMPARE(norm->value, std::string("5.0"));
    QCOMPARE(norm->place, std::string());
}

void TstCheck::nestedAndEpochCounterOptions_areRead()
{
    Case one = readCase("clean_minimal");
    one.request.text += "train_conf:\n    find_unused_parameters: True\n"
                        "epoch_counter: !new:speechbrain.utils.epoch_loop.EpochCounter\n"
                        "    limit: 9\n";
    const Findings findings = check::check(one.request, one.machine);
    QVERIFY(findings.options.findUnusedParameters);
    QCOMPARE(
        provenance(findings, "find_unused_parameters")->consumer, std::string("c10d::Reducer"));
    QCOMPARE(findings.options.numberOfEpochs, int64_t { 9 });
}

void TstCheck::overrideOfAnOption_countsWhereverItIsGiven_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("usual");
    QTest::addColumn<QString>("asked");
    for (const catalog::Field& field : catalog::runOptionFields()) {
        const QString usual = QString::fromStdString(field.defaultText);
        const auto& choices = field.facts.choices;
        const bool isLogical = field.type == catalog::FieldType::Bool;
        const QString other = isLogical ? (usual == "True" ? "False" : "True") : "7";
        const bool isText = field.type == catalog::FieldType::String;
        QTest::newRow(field.name.c_str())
            << QString::fromStdString(field.name) << (usual.isEmpty() ? "null" : usual)
            << (!choices.empty() ? QString::fromStdString(choices.back())
                       : isText  ? "x"
                                 : other);
    }
}

void TstCheck::overrideOfAnOption_countsWhereverItIsGiven()
{
    QFETCH(QString, key);
    QFETCH(QString, usual);
    QFETCH(QString, asked);
    const QString own = key + ": " + usual + "\n";
    const QString counter = "epoch_counter: !new:speechbrain.utils.epoch_loop.EpochCounter\n"
                            "    limit: !ref <number_of_epochs>\n";
    for (const QString& override :
        { "++train_conf." + key + "=" + asked, "--" + key + "=" + asked }) {
        for (const QString& nested : { QString(), "train_conf:\n    " + own }) {
            Request request;
            const QString epochs = key == "number_of_epochs" ? "" : "number_of_epochs: 3\n";
            request.text = (own + epochs + counter + nested).toStdString();
            append(request, overrides(override, recipe::Origin::Override));
            const Findings findings = check::check(request, Machine());
            const Provenance* entry = provenance(findings, key.toStdString());
            QCOMPARE(QString::fromStdString(entry->place), override);
            QCOMPARE(
                QString::fromStdString(entry->value).remove(QRegularExpression("\\.0$")), asked);
        }
    }
}

void TstCheck::overrideThatAnotherOneBeats_isAnError_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("limit");
    QTest::addColumn<QString>("said");
    const QString usual = "!ref <number_of_epochs>";
    QTest::newRow("top first")
        << QStringList { "--seed=1", "++train_conf.seed=2" } << usual
        << "'++train_conf.seed=2' has no effect: '--seed=1' sets the same option; leave one of "
           "them out";
    QTest::newRow("top last")
        << QStringList { "++train_conf.seed=2", "--seed=1" } << usual
        << "'++train_conf.seed=2' has no effect: '--seed=1' sets the same option; leave one of "
           "them out";
    QTest::newRow("one value") << QStringList { "--static_graph=True",
        "++train_conf.static_graph=true" }
                               << usual << "";
    QTest::newRow("epochs twice")
        << QStringList { "++train_conf.number_of_epochs=2", "--number_of_epochs=3" } << usual
        << "'++train_conf.number_of_epochs=2' has no effect: '--number_of_epochs=3' sets the same "
           "option; leave one of them out";
    QTest::newRow("the counter's own number")
        << QStringList { "--number_of_epochs=3" } << "9"
        << "'--number_of_epochs=3' has no effect: 'epoch_counter.limit' counts; override that "
           "instead";
    QTest::newRow("the counter and what it referred to")
        << QStringList { "--epoch_counter.limit=4", "--number_of_epochs=3" } << usual
        << "'--number_of_epochs=3' has no effect: '--epoch_counter.limit=4' sets the same option; "
           "leave one of them out";
    QTest::newRow("the counter by a formula")
        << QStringList { "--number_of_epochs=3" } << usual + " * 2"
        << "";
}

void TstCheck::overrideThatAnotherOneBeats_isAnError()
{
    QFETCH(QStringList, words);
    QFETCH(QString, limit);
    QFETCH(QString, said);
    Request request;
    request.text = "number_of_epochs: 5\n"
                   "epoch_counter: !new:speechbrain.utils.epoch_loop.EpochCounter\n"
                   "    limit: "
        + limit.toStdString() + "\n";
    for (const QString& word : words)
        append(request, overrides(word, recipe::Origin::Override));
    QStringList told;
    for (const recipe::Diagnostic& diagnostic : check::check(request, Machine()).diagnostics)
        if (diagnostic.rule == "unknown-override")
            told << QString::fromStdString(diagnostic.message);
    QCOMPARE(told.join('\n'), said);
}

void TstCheck::listsByCommas_mayBeSequences()
{
    Case one = readCase("clean_minimal");
    one.request.text += "init_param: [a.ckpt, b.ckpt]\nfreeze_param: [enc, ctc_lin]\n";
    const Findings findings = check::check(one.request, one.machine);
    QVERIFY(!recipe::hasErrors(findings.diagnostics));
    QCOMPARE(findings.options.initParam, std::string("a.ckpt,b.ckpt"));
    QCOMPARE(findings.options.freezeParam, std::string("enc,ctc_lin"));
    QVERIFY(provenance(findings, "init_param")->place.starts_with("clean_minimal.yaml:"));
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

void TstCheck::deviceOption_winsOverTheRecipe()
{
    Case one = readCase("device_missing_gpu");
    one.request.devices = "cpu:2";
    const Findings findings = check::check(one.request, one.machine);
    QVERIFY(!recipe::hasErrors(findings.diagnostics));
    QCOMPARE(findings.devices, std::vector<std::string>({ "cpu", "cpu" }));
    QCOMPARE(provenance(findings, "devices")->place, std::string("--devices=cpu:2"));
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

QTEST_GUILESS_MAIN(TstCheck)
#include "tst_check.moc"
