#include "core/adapter/adapt.h"
#include "core/adapter/interpolate.h"
#include "core/check/check.h"
#include "core/recipe/parse.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright;
using adapter::Toolkit;

namespace {

recipe::NodePtr parse(const std::string& text)
{
    return recipe::parse(text, "t.yaml").root;
}

const std::string kFunAsr = "model: Paraformer\n"
                            "model_conf: {ctc_weight: 0.3}\n"
                            "encoder: SANMEncoder\n"
                            "encoder_conf:\n"
                            "    output_size: 512\n"
                            "    input_layer: pe\n"
                            "predictor: none\n"
                            "predictor_conf: {}\n"
                            "train_conf:\n"
                            "    find_unused_parameters: true\n"
                            "tokens:\n"
                            "    <blank>: 0\n";

check::Findings checked(const std::string& text, const std::vector<std::string>& words)
{
    check::Request request;
    request.text = text;
    request.fileName = "t.yaml";
    request.overrides = *recipe::parseOverrides(words);
    return check::check(request, check::Machine());
}

const check::Provenance* provenance(const check::Findings& findings, const std::string& key)
{
    for (const check::Provenance& entry : findings.provenance)
        if (entry.key == key)
            return &entry;
    return nullptr;
}

std::string interpolated(const std::string& text, const char* path, std::string& rules)
{
    std::vector<recipe::Diagnostic> found;
    const recipe::NodePtr root = adapter::interpolate(parse(text), found);
    for (const recipe::Diagnostic& diagnostic : found)
        rules += diagnostic.rule + " ";
    const recipe::NodePtr node = recipe::findPath(*root, path);
    return node->tag + node->text;
}

} // namespace

class TstAdapter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void manyReferences_doNotMultiply();
    void toolkit_isToldByShape_data();
    void toolkit_isToldByShape();
    void sections_becomeObjects();
    void nodes_keepTheirPlace();
    void reference_becomesWhatItNames_data();
    void reference_becomesWhatItNames();
    void runOptions_areReadFromTrainConf();
    void override_reachesTheOption();
    void unreadOverride_isSaid();
    void names_areThoseOfTheRegistry();
};

void TstAdapter::toolkit_isToldByShape_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const std::string& text, const char* expected) {
        QTest::newRow(name) << QString::fromStdString(text) << QString(expected);
    };
    row("FunASR", kFunAsr, "FunASR");
    row("WeNet",
        "encoder: conformer\nencoder_conf: {num_blocks: 2}\ndataset_conf: {fbank_conf: {}}\n",
        "WeNet");
    row("ESPnet", "encoder: conformer\nencoder_conf: {num_blocks: 2}\n", "ESPnet");
    row("recipe", "encoder: !new:torch.nn.ReLU\nencoder_conf: {a: 1}\n", "");
    row("recipe with the names",
        "task: ctc\nmodel: x\nmodel_conf: {a: 1}\nenc: !new:torch.nn.ReLU\n", "");
    row("no sections", "lr: 0.1\ntrain_conf: {a: 1}\n", "");
    row("section without a name", "encoder_conf: {a: 1}\n", "");
    row("list", "- 1\n", "");
}

void TstAdapter::toolkit_isToldByShape()
{
    QFETCH(QString, text);
    QFETCH(QString, expected);
    const auto toolkit = adapter::toolkitOf(*parse(text.toStdString()));
    QCOMPARE(QString(toolkit ? adapter::nameOf(*toolkit) : ""), expected);
}

void TstAdapter::sections_becomeObjects()
{
    const adapter::Adapted adapted = adapter::adapt(parse(kFunAsr), Toolkit::FunAsr);
    QVERIFY(adapted.diagnostics.empty());
    const recipe::Node& root = *adapted.root;
    QCOMPARE(recipe::find(root, "encoder")->tag,
        std::string("!name:funasr.models.sanm.encoder.SANMEncoder"));
    QCOMPARE(recipe::findPath(root, "encoder.output_size")->text, std::string("512"));
    QCOMPARE(recipe::findPath(root, "model.ctc_weight")->text, std::string("0.3"));
    QVERIFY(!recipe::find(root, "encoder_conf"));
    QCOMPARE(recipe::find(root, "predictor")->text, std::string("none"));
    QCOMPARE(recipe::find(root, "train_conf")->tag, std::string("!name:funasr.sections.Trainer"));
    QCOMPARE(recipe::findPath(root, "tokens.<blank>")->text, std::string("0"));
}

void TstAdapter::nodes_keepTheirPlace()
{
    const recipe::NodePtr written = parse(kFunAsr);
    const adapter::Adapted adapted = adapter::adapt(written, Toolkit::FunAsr);
    const recipe::NodePtr encoder = recipe::find(*adapted.root, "encoder");
    QVERIFY(encoder->span.begin == (recipe::Position { 3, 10 }));
    QVERIFY(encoder->entries.front().key->span.begin == (recipe::Position { 5, 5 }));
    QCOMPARE(recipe::find(*written, "encoder")->tag, std::string());
}

void TstAdapter::reference_becomesWhatItNames_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("rules");
    const auto row = [](const char* name, const char* text, const char* value, const char* rules) {
        QTest::newRow(name) << QString(text) << QString(value) << QString(rules);
    };
    row("plain", "a: {b: 4}\nx: ${a.b}\n", "4", "");
    row("chain", "a: 4\nb: ${a}\nx: ${b}\n", "4", "");
    row("through a reference", "a: {b: 4}\nc: ${a}\nx: ${c.b}\n", "4", "");
    row("relative", "x: ${.a}\n", "!PLACEHOLDER${.a}", "");
    row("within a text", "a: 4\nx: exp/${a}/log_${a}\n", "exp/4/log_4", "");
    row("missing", "x: ${nothing}\n", "!PLACEHOLDER${nothing}", "unknown-reference ");
    row("cycle", "x: ${y}\ny: ${x}\n", "!PLACEHOLDER", "reference-cycle ");
    row("mapping within itself", "x: ${y.z}\ny: {z: {w: '${y}'}}\n", "", "reference-cycle ");
    row("resolver", "x: ${now:%Y}\n", "!PLACEHOLDER${now:%Y}", "");
    row("not closed", "x: ${a\n", "${a", "");
}

void TstAdapter::reference_becomesWhatItNames()
{
    QFETCH(QString, text);
    QFETCH(QString, value);
    QFETCH(QString, rules);
    std::string found;
    const QString result = QString::fromStdString(interpolated(text.toStdString(), "x", found));
    QVERIFY2(
        value == "!PLACEHOLDER" ? result.startsWith(value) : result == value, qPrintable(result));
    QVERIFY2(
        rules.isEmpty() ? found.empty() : found.starts_with(rules.toStdString()), found.c_str());
}

void TstAdapter::manyReferences_doNotMultiply()
{
    std::string text = "m0: {p: 1, q: 2}\n";
    for (int i = 1; i < 30; ++i) {
        const std::string before = "${m" + std::to_string(i - 1) + "}";
        text += "m" + std::to_string(i) + ":\n    p: " + before + "\n    q: " + before + "\n";
    }
    std::vector<recipe::Diagnostic> found;
    const recipe::NodePtr root = adapter::interpolate(parse(text), found);
    QVERIFY(found.empty());
    const recipe::NodePtr last = recipe::find(*root, "m29");
    QCOMPARE(recipe::find(*last, "p"), recipe::find(*last, "q"));
}

void TstAdapter::runOptions_areReadFromTrainConf()
{
    const check::Findings findings = checked(kFunAsr, {});
    QVERIFY(!recipe::hasErrors(findings.diagnostics));
    QVERIFY(findings.options.findUnusedParameters);
    QCOMPARE(provenance(findings, "find_unused_parameters")->place, std::string("t.yaml:10"));
}

void TstAdapter::override_reachesTheOption()
{
    const check::Findings findings
        = checked(kFunAsr, { "++train_conf.find_unused_parameters=false" });
    QVERIFY(!recipe::hasErrors(findings.diagnostics));
    QVERIFY(!findings.options.findUnusedParameters);
    QCOMPARE(provenance(findings, "find_unused_parameters")->source, std::string("override"));
    QVERIFY(!recipe::hasErrors(checked(kFunAsr, { "++train_conf.max_epoch=3" }).diagnostics));
}

void TstAdapter::unreadOverride_isSaid()
{
    const check::Findings findings = checked(kFunAsr, { "++train_conf.max_epochs=3" });
    QStringList rules;
    for (const recipe::Diagnostic& diagnostic : findings.diagnostics)
        rules << QString::fromStdString(diagnostic.rule);
    QVERIFY2(rules.contains("unknown-override"), qPrintable(rules.join(' ')));
}

void TstAdapter::names_areThoseOfTheRegistry()
{
    const std::vector<std::string> names = adapter::namesOf(Toolkit::FunAsr, "encoder");
    QVERIFY(std::find(names.begin(), names.end(), "SANMEncoder") != names.end());
    QCOMPARE(adapter::classOf(Toolkit::FunAsr, "seaco_decoder", "ParaformerSANMDecoder"),
        std::string("funasr.models.paraformer.decoder.ParaformerSANMDecoder"));
    QCOMPARE(adapter::classOf(Toolkit::FunAsr, "encoder", "NoSuchEncoder"), std::string());
    QCOMPARE(adapter::classOf(Toolkit::WeNet, "encoder", "conformer"),
        std::string("wenet.transformer.encoder.ConformerEncoder"));
    QVERIFY(adapter::namesOf(Toolkit::Espnet, "encoder").empty());
}

EARWRIGHT_TEST(TstAdapter)
#include "tst_adapter.moc"
