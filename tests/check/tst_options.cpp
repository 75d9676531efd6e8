#include "core/tasks/run_option_fields.h"
#include "tests/check/case.h"
#include "tests/registry.h"

#include <QRegularExpression>
#include <QTest>

using namespace earwright;
using namespace earwright::check;
using namespace earwright::tests;

namespace {

const Provenance* provenance(const Findings& findings, const std::string& key)
{
    for (const Provenance& entry : findings.provenance)
        if (entry.key == key)
            return &entry;
    return nullptr;
}

} // namespace

/// The run's options: what they are, and whose word counts.
class TstOptions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyOption_hasAProvenance();
    void provenance_namesTheSourceThatWon();
    void nestedAndEpochCounterOptions_areRead();
    void overrideOfAnOption_countsWhereverItIsGiven_data();
    void overrideOfAnOption_countsWhereverItIsGiven();
    void overrideThatAnotherOneBeats_isAnError_data();
    void overrideThatAnotherOneBeats_isAnError();
    void listsByCommas_mayBeSequences();
    void deviceOption_winsOverTheRecipe();
    void bestCheckpoint_isJudgedAsUpstreamsScriptDoes_data();
    void bestCheckpoint_isJudgedAsUpstreamsScriptDoes();
    void averaging_isThatOfUpstreamsScript_data();
    void averaging_isThatOfUpstreamsScript();
};

void TstOptions::everyOption_hasAProvenance()
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

void TstOptions::provenance_namesTheSourceThatWon()
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

void TstOptions::nestedAndEpochCounterOptions_areRead()
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

void TstOptions::overrideOfAnOption_countsWhereverItIsGiven_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("usual");
    QTest::addColumn<QString>("asked");
    for (const catalog::Field& field : tasks::runOptionFields()) {
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

void TstOptions::overrideOfAnOption_countsWhereverItIsGiven()
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

void TstOptions::overrideThatAnotherOneBeats_isAnError_data()
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

void TstOptions::overrideThatAnotherOneBeats_isAnError()
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

void TstOptions::listsByCommas_mayBeSequences()
{
    Case one = readCase("clean_minimal");
    one.request.text += "init_param: [a.ckpt, b.ckpt]\nfreeze_param: [enc, ctc_lin]\n";
    const Findings findings = check::check(one.request, one.machine);
    QVERIFY(!recipe::hasErrors(findings.diagnostics));
    QCOMPARE(findings.options.initParam, std::string("a.ckpt,b.ckpt"));
    QCOMPARE(findings.options.freezeParam, std::string("enc,ctc_lin"));
    QVERIFY(provenance(findings, "init_param")->place.starts_with("clean_minimal.yaml:"));
}

void TstOptions::deviceOption_winsOverTheRecipe()
{
    Case one = readCase("device_missing_gpu");
    one.request.devices = "cpu:2";
    const Findings findings = check::check(one.request, one.machine);
    QVERIFY(!recipe::hasErrors(findings.diagnostics));
    QCOMPARE(findings.devices, std::vector<std::string>({ "cpu", "cpu" }));
    QCOMPARE(provenance(findings, "devices")->place, std::string("--devices=cpu:2"));
}

void TstOptions::bestCheckpoint_isJudgedAsUpstreamsScriptDoes_data()
{
    QTest::addColumn<QString>("base");
    QTest::addColumn<QString>("more");
    QTest::addColumn<QString>("maxKey");
    QTest::addColumn<QString>("source");
    const QString computer = "acc_computer: !name:speechbrain.utils.Accuracy.AccuracyStats\n";
    const auto row = [](const char* name, const QString& more, const char* maxKey,
                         const char* source, const char* base = "clean_joint") {
        QTest::newRow(name) << QString(base) << more << QString(maxKey) << QString(source);
    };
    row("nothing says it", "", "", "default");
    row("accuracy is counted", computer, "ACC", "inferred");
    row("null", "acc_computer: null\n", "", "default");
    row("epochs without texts", "valid_search_interval: 2\n", "ACC", "inferred");
    row("all epochs with texts", "valid_search_interval: 1\n", "", "default");
    row("the least is asked for", computer + "min_key: loss\n", "", "default");
    row("the most is asked for", computer + "max_key: ACC\n", "ACC", "recipe");
    row("null is asked for", computer + "max_key: null\n", "ACC", "inferred");
    row("a task that counts none", computer, "", "default", "clean_minimal");
}

void TstOptions::bestCheckpoint_isJudgedAsUpstreamsScriptDoes()
{
    QFETCH(QString, base);
    QFETCH(QString, more);
    Case one = readCase(base);
    one.request.text += more.toStdString();
    const Findings findings = check::check(one.request, one.machine);
    QVERIFY(!recipe::hasErrors(findings.diagnostics));
    QTEST(QString::fromStdString(findings.options.maxKey), "maxKey");
    const Provenance* entry = provenance(findings, "max_key");
    QCOMPARE(entry->value, findings.options.maxKey);
    QTEST(QString::fromStdString(entry->source), "source");
    if (entry->source == "inferred")
        QVERIFY2(entry->place.find("ACC") != std::string::npos, entry->place.c_str());
    // A resume compares the trees.
    const recipe::NodePtr key = recipe::find(*findings.recipe, "max_key");
    QCOMPARE(key != nullptr, more.contains("max_key"));
}

void TstOptions::averaging_isThatOfUpstreamsScript_data()
{
    QTest::addColumn<QString>("more");
    QTest::addColumn<int>("averaged");
    QTest::addColumn<QString>("source");
    QTest::newRow("Tedlium2") << "clipped_utt_folder: here\n" << 10 << "inferred";
    QTest::newRow("null") << "clipped_utt_folder: null\n" << 1 << "default";
    QTest::newRow("another number") << "clipped_utt_folder: here\navg_checkpoints: 3\n"
                                    << 3 << "recipe";
    QTest::newRow("null number") << "clipped_utt_folder: here\navg_checkpoints: null\n"
                                 << 10 << "inferred";
}

void TstOptions::averaging_isThatOfUpstreamsScript()
{
    QFETCH(QString, more);
    Case one = readCase("clean_minimal");
    one.request.text += more.toStdString();
    const Findings findings = check::check(one.request, one.machine);
    QTEST(int(findings.options.avgCheckpoints), "averaged");
    const Provenance* entry = provenance(findings, "avg_checkpoints");
    QTEST(QString::fromStdString(entry->source), "source");
    QCOMPARE(entry->value, std::to_string(findings.options.avgCheckpoints));
    if (entry->source == "inferred")
        QCOMPARE(entry->place,
            std::string("the script of recipes with 'clipped_utt_folder' averages 10"));
}

EARWRIGHT_TEST(TstOptions)
#include "tst_options.moc"
