#include "core/check/explain.h"
#include "core/plan/checked.h"
#include "tests/registry.h"

#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

using namespace earwright;
using namespace earwright::check;

namespace {

const char* const kRecipe = R"(task: ctc
seed: 7
base_lr: 0.001
lr: !ref <base_lr> * 2
train_csv: train.csv
unused: !ref <train_conf[find_unused_parameters]>
train_conf:
    find_unused_parameters: True
number_of_epochs: !ref <epochs>
epochs: 3
__hidden: 1
opt_class: !name:torch.optim.AdamW
    lr: !ref <lr>
lr_copy: !ref <opt_class[lr]>
speeds: [95, 100]
name: ''
parts: !include:parts.yaml
    width: !ref <epochs>
size: !ref <parts[width]>
a: !ref <b>
b: !ref <a>
)";

Request requestWith(const std::vector<std::string>& overrides)
{
    Request request;
    request.text = kRecipe;
    request.fileName = "demo/ctc.yaml";
    request.checkFiles = false;
    auto parsed = recipe::parseOverrides(overrides);
    if (!parsed)
        qFatal("%s", parsed.error().message.c_str());
    request.overrides = *parsed;
    return request;
}

QString told(const std::string& key, const std::vector<std::string>& overrides = {})
{
    const Request request = requestWith(overrides);
    const Findings findings = check::check(request, Machine());
    const auto explained = explain(request, findings, key);
    return QString::fromStdString(
        explained ? explanationText(*explained) : "error: " + explained.error().message);
}

} // namespace

class TstExplain : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void key_isExplained_data();
    void key_isExplained();
    void override_isNamedWithWhatWasTyped();
    void overrideByReference_isFollowed();
    void include_isNamedWithItsFile();
    void inferredTask_isToldWithItsReason();
    void keyOfASection_hasAReaderOnlyWhereThereIsOne_data();
    void keyOfASection_hasAReaderOnlyWhereThereIsOne();
    void runOption_hasThePlansProvenance();
    void everySetting_isThereOnce();
    void json_holdsEveryField();
    void unreadableRecipe_isAnError();
};

void TstExplain::key_isExplained_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("text");
    QTest::newRow("option below a section")
        << "find_unused_parameters"
        << "find_unused_parameters: True\n"
           "  from      recipe, ctc.yaml:8\n"
           "  read by   c10d::Reducer\n"
           "  chain     ctc.yaml:8: train_conf.find_unused_parameters: True\n"
           "  used by   ctc.yaml:6: unused\n";
    QTest::newRow("the same by its path")
        << "train_conf.find_unused_parameters" << told("find_unused_parameters");
    QTest::newRow("default") << "max_grad_norm"
                             << "max_grad_norm: 5.0\n  from      default\n  read by   train\n";
    QTest::newRow("through two references") << "opt_class.lr"
                                            << "opt_class.lr: 0.002\n"
                                               "  from      recipe, ctc.yaml:4\n"
                                               "  read by   torch.optim.AdamW\n"
                                               "  chain     ctc.yaml:13: opt_class.lr: !ref <lr>\n"
                                               "            ctc.yaml:4: lr: !ref <base_lr> * 2\n"
                                               "            ctc.yaml:3: base_lr: 0.001\n"
                                               "  used by   ctc.yaml:14: lr_copy\n";
    QTest::newRow("as a reference writes it") << "opt_class[lr]" << told("opt_class.lr");
    QTest::newRow("a class's default")
        << "opt_class.weight_decay"
        << "opt_class.weight_decay: 0.01\n  from      default\n  read by   torch.optim.AdamW\n";
    QTest::newRow("read by references only") << "base_lr"
                                             << "base_lr: 0.001\n"
                                                "  from      recipe, ctc.yaml:3\n"
                                                "  read by   the keys that refer to it\n"
                                                "  chain     ctc.yaml:3: base_lr: 0.001\n"
                                                "  used by   ctc.yaml:4: lr\n";
    QTest::newRow("a list") << "speeds"
                            << "speeds: [95, 100]\n"
                               "  from      recipe, ctc.yaml:15\n"
                               "  read by   nothing known\n"
                               "  chain     ctc.yaml:15: speeds: [95, 100]\n";
    QTest::newRow("an empty text") << "name"
                                   << "name: ''\n"
                                      "  from      recipe, ctc.yaml:16\n"
                                      "  read by   SpeechBrain's train scripts\n"
                                      "  chain     ctc.yaml:16: name: ''\n";
    QTest::newRow("devices") << "devices"
                             << "devices: auto\n  from      default\n  read by   engine\n";
    QTest::newRow("misspelt") << "find_unused_parameter"
                              << "error: the recipe has no key 'find_unused_parameter', and no run "
                                 "option is called so; did you mean 'find_unused_parameters'?";
    QTest::newRow("unknown") << "qwertzuiop"
                             << "error: the recipe has no key 'qwertzuiop', and no run option is "
                                "called so";
}

void TstExplain::key_isExplained()
{
    QFETCH(QString, key);
    QFETCH(QString, text);
    QCOMPARE(told(key.toStdString()), text);
}

void TstExplain::override_isNamedWithWhatWasTyped()
{
    QCOMPARE(told("find_unused_parameters", { "--train_conf.find_unused_parameters=False" }),
        QString("find_unused_parameters: False\n"
                "  from      override, --train_conf.find_unused_parameters=False\n"
                "  read by   c10d::Reducer\n"
                "  chain     --train_conf.find_unused_parameters=False: "
                "train_conf.find_unused_parameters: False\n"
                "  used by   ctc.yaml:6: unused\n"));
    // The key that an override changes is found from the keys that refer to it.
    QVERIFY(told("opt_class.lr", { "base_lr=3" }).contains("base_lr=3: base_lr: 3\n"));
}

void TstExplain::overrideByReference_isFollowed()
{
    const QString text = told("seed", { "seed=!ref <epochs>" });
    QVERIFY2(text.startsWith("seed: 3\n"), qPrintable(text));
    QVERIFY2(text.contains("chain     seed=!ref <epochs>: seed: !ref <epochs>\n"
                           "            ctc.yaml:10: epochs: 3\n"),
        qPrintable(text));
}

void TstExplain::include_isNamedWithItsFile()
{
    QTemporaryDir folder;
    QFile parts(folder.filePath("parts.yaml"));
    QVERIFY(parts.open(QIODevice::WriteOnly));
    parts.write("depth: 4\nwidth: 1\nhalf: !ref <width> / 2\ntwice: !ref <depth> * 2\n");
    parts.close();
    Request request = requestWith({});
    request.fileName = folder.filePath("ctc.yaml").toStdString();
    const Findings findings = check::check(request, Machine());
    const auto depth = explain(request, findings, "parts.depth");
    QVERIFY(depth);
    QCOMPARE(depth->setting.source, std::string("include"));
    QCOMPARE(depth->setting.place, std::string("parts.yaml:1"));
    QCOMPARE(depth->chain,
        (std::vector<std::string> {
            "ctc.yaml:17: parts: !include:parts.yaml", "parts.yaml:1: parts.depth: 4" }));
    const auto width = explain(request, findings, "size"); // the include's body overrides it
    QVERIFY(width);
    QCOMPARE(width->setting.value, std::string("3"));
    // A reference in the file means the file's keys; one in the body means the recipe's.
    const auto half = explain(request, findings, "parts.half");
    QVERIFY(half);
    QCOMPARE(half->chain,
        (std::vector<std::string> { "ctc.yaml:17: parts: !include:parts.yaml",
            "parts.yaml:3: parts.half: !ref <width> / 2", "ctc.yaml:18: parts.width: !ref <epochs>",
            "ctc.yaml:10: epochs: 3" }));
    const auto overrides = recipe::parseOverrides({ "parts.depth=8" });
    QVERIFY(overrides);
    request.overrides = *overrides;
    const auto twice = explain(request, check::check(request, Machine()), "parts.twice");
    QVERIFY(twice);
    QCOMPARE(twice->setting.value, std::string("16"));
    QCOMPARE(twice->chain.back(), std::string("parts.depth=8: parts.depth: 8"));
}

void TstExplain::inferredTask_isToldWithItsReason()
{
    Request request = requestWith({});
    request.text.erase(0, request.text.find('\n') + 1); // task: ctc
    request.text += "ctc_cost: !name:speechbrain.nnet.losses.ctc_loss\n";
    const auto textNow = [&] {
        const auto explained = explain(request, check::check(request, Machine()), "task");
        return QString::fromStdString(
            explained ? explanationText(*explained) : explained.error().message);
    };
    QCOMPARE(textNow(),
        QString("task: ctc\n  from      inferred, the recipe has 'ctc_cost' and no decoder\n"
                "  read by   train\n"));
    request.overrides = *recipe::parseOverrides({ "--task=ctc_attention" });
    QCOMPARE(textNow(),
        QString("task: ctc_attention\n  from      override, --task=ctc_attention\n"
                "  read by   train\n  chain     --task=ctc_attention: task: ctc_attention\n"));
}

/// A section's reader reads some of it.
void TstExplain::keyOfASection_hasAReaderOnlyWhereThereIsOne_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("reader");
    QTest::newRow("read") << "train_dataloader_opts.prefetch_factor"
                          << "data::Loader";
    QTest::newRow("known") << "train_dataloader_opts.pin_memory"
                           << "SpeechBrain's train scripts";
    QTest::newRow("unknown") << "train_dataloader_opts.bogus"
                             << "nothing known";
    QTest::newRow("old") << "dynamic_batch_sampler.left_bucket_length"
                         << "SpeechBrain's train scripts";
    QTest::newRow("sampler") << "dynamic_batch_sampler.num_buckets"
                             << "data::Batching";
}

void TstExplain::keyOfASection_hasAReaderOnlyWhereThereIsOne()
{
    QFETCH(QString, key);
    QFETCH(QString, reader);
    Request request = requestWith({});
    request.text
        = "task: ctc\ntrain_dataloader_opts:\n    prefetch_factor: 2\n    pin_memory: True\n"
          "    bogus: 1\ndynamic_batch_sampler:\n    left_bucket_length: 1\n"
          "    num_buckets: 4\n";
    const auto explained = explain(request, check::check(request, Machine()), key.toStdString());
    QVERIFY2(explained, explained ? "" : explained.error().message.c_str());
    QVERIFY2(QString::fromStdString(explanationText(*explained)).contains("read by   " + reader),
        explanationText(*explained).c_str());
}

/// One provenance: what the plan file keeps is what is told.
void TstExplain::runOption_hasThePlansProvenance()
{
    const Request request = requestWith({ "seed=11" });
    const Findings findings = check::check(request, Machine());
    const auto all = explainAll(request, findings);
    QVERIFY(all.size() > findings.provenance.size());
    for (size_t i = 0; i < findings.provenance.size(); ++i) {
        QCOMPARE(all[i].setting.key, findings.provenance[i].key);
        QCOMPARE(all[i].setting.value, findings.provenance[i].value);
        QCOMPARE(all[i].setting.source, findings.provenance[i].source);
        QCOMPARE(all[i].setting.place, findings.provenance[i].place);
        QCOMPARE(all[i].setting.consumer, findings.provenance[i].consumer);
    }
}

void TstExplain::everySetting_isThereOnce()
{
    const Request request = requestWith({});
    const Findings findings = check::check(request, Machine());
    QStringList keys;
    for (const Explanation& explanation : explainAll(request, findings)) {
        const QString key = QString::fromStdString(explanation.setting.key);
        QVERIFY2(!keys.contains(key), qPrintable(key));
        QVERIFY2(!explanation.setting.consumer.empty(), qPrintable(key));
        keys << key;
    }
    for (const char* key : { "devices", "seed", "opt_class", "opt_class.lr", "opt_class.betas",
             "opt_class.weight_decay", "speeds", "train_csv", "base_lr", "name" })
        QVERIFY2(keys.contains(key), key);
    QVERIFY(!keys.contains("train_conf.find_unused_parameters")); // told as the option
    const QString table = QString::fromStdString(explanationTable(explainAll(request, findings)));
    QVERIFY2(
        table.contains(QRegularExpression("(?m)^seed +7 +recipe +ctc.yaml:2  -> train, data$")),
        qPrintable(table));
}

void TstExplain::json_holdsEveryField()
{
    const Request request = requestWith({});
    const Findings findings = check::check(request, Machine());
    const auto one = explain(request, findings, "opt_class.lr");
    QVERIFY(one);
    const auto json = nlohmann::json::parse(explanationsToJson({ *one }));
    const auto& setting = json.at("settings").at(0);
    QCOMPARE(setting.at("key").get<std::string>(), std::string("opt_class.lr"));
    QCOMPARE(setting.at("value").get<std::string>(), std::string("0.002"));
    QCOMPARE(setting.at("source").get<std::string>(), std::string("recipe"));
    QCOMPARE(setting.at("place").get<std::string>(), std::string("ctc.yaml:4"));
    QCOMPARE(setting.at("consumer").get<std::string>(), std::string("torch.optim.AdamW"));
    QCOMPARE(setting.at("chain").size(), size_t { 3 });
    QCOMPARE(setting.at("used_by").at(0).get<std::string>(), std::string("ctc.yaml:14: lr_copy"));
}

void TstExplain::unreadableRecipe_isAnError()
{
    Request request;
    request.text = "a: [";
    request.fileName = "x.yaml";
    const Findings findings = check::check(request, Machine());
    QVERIFY(!explain(request, findings, "a"));
    QVERIFY(explainAll(request, findings).empty());
}

EARWRIGHT_TEST(TstExplain)
#include "tst_explain.moc"
