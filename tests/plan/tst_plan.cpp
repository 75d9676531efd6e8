#include "core/plan/checked.h"
#include "core/recipe/resolve.h"
#include "tests/registry.h"

#include <nlohmann/json.hpp>
#include <QFile>
#include <QTest>

using namespace earwright;

namespace {

check::Request requestOf(const QString& name)
{
    QFile file(QString(EARWRIGHT_CASES_DIR) + "/check/" + name);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no fixture %s", qPrintable(name));
    check::Request request;
    request.text = file.readAll().toStdString() + "train_conf: {}\n";
    request.fileName = "recipes/" + name.toStdString();
    request.checkFiles = false;
    request.devices = "cpu:2";
    auto overrides
        = recipe::parseOverrides({ "data_folder=d", "--train_conf.find_unused_parameters=True" });
    if (overrides)
        request.overrides = *overrides;
    return request;
}

plan::Plan planOf(const QString& name)
{
    const plan::Checked checked = plan::checkRecipe(requestOf(name), check::Machine());
    for (const recipe::Diagnostic& diagnostic : checked.diagnostics)
        qInfo("%s", recipe::formatDiagnostic(diagnostic, "").c_str());
    return checked.plan.value_or(plan::Plan());
}

std::string edited(const std::string& json, const std::function<void(nlohmann::json&)>& edit)
{
    auto object = nlohmann::json::parse(json);
    edit(object);
    return object.dump();
}

} // namespace

class TstPlan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanRecipe_becomesAPlan();
    void askedOption_countsBeforeTheRecipes();
    void addedKey_isInThePlanWithWhatAddedIt();
    void recipeWithAnError_becomesNone();
    void plan_survivesItsJson();
    void settings_areReadWithTheRecipe();
    void sharedObjects_stayShared();
    void newerPlan_isRefusedInWords();
    void olderPlan_getsDefaults();
    void brokenPlan_isRefused_data();
    void brokenPlan_isRefused();
    void brokenRecipe_isRefused();
};

void TstPlan::cleanRecipe_becomesAPlan()
{
    const check::Request request = requestOf("clean_conformer.yaml");
    const plan::Checked checked = plan::checkRecipe(request, check::Machine());
    QVERIFY(checked.plan);
    QCOMPARE(checked.plan->name, std::string("clean_conformer"));
    QCOMPARE(checked.plan->recipeFile, std::string("recipes/clean_conformer.yaml"));
    QCOMPARE(checked.plan->recipeText, request.text);
    QCOMPARE(checked.plan->devices, std::vector<std::string>({ "cpu", "cpu" }));
    QCOMPARE(checked.plan->options.task, std::string("ctc"));
    QVERIFY(checked.plan->options.findUnusedParameters);
    QCOMPARE(checked.plan->overrides,
        std::vector<std::string>({ "data_folder=d", "--train_conf.find_unused_parameters=True" }));
}

/// FunASR's `++train_conf.KEY` beside a KEY at the top of the recipe.
void TstPlan::askedOption_countsBeforeTheRecipes()
{
    check::Request request = requestOf("clean_crdnn.yaml");
    request.text += "find_unused_parameters: False\n";
    const plan::Checked asked = plan::checkRecipe(request, check::Machine());
    QVERIFY(asked.plan && asked.plan->options.findUnusedParameters);
    request.overrides = *recipe::parseOverrides({ "data_folder=d" });
    const plan::Checked own = plan::checkRecipe(request, check::Machine());
    QVERIFY(own.plan && !own.plan->options.findUnusedParameters);
}

void TstPlan::addedKey_isInThePlanWithWhatAddedIt()
{
    check::Request request = requestOf("clean_conformer.yaml");
    request.overrides.push_back(recipe::parseOverrides({ "++add_unk=True" })->front());
    const plan::Checked checked = plan::checkRecipe(request, check::Machine());
    QVERIFY(checked.plan);
    QCOMPARE(recipe::find(*checked.plan->recipe, "add_unk")->text, std::string("True"));
    QCOMPARE(checked.plan->overrides.back(), std::string("++add_unk=True"));
    QCOMPARE(checked.plan->places.at("add_unk"), std::string("++add_unk=True"));
    QVERIFY(checked.plan->places.at("task").starts_with("clean_conformer.yaml:"));
}

void TstPlan::recipeWithAnError_becomesNone()
{
    const plan::Checked checked
        = plan::checkRecipe(requestOf("coverage_not_in_modules.yaml"), check::Machine());
    QVERIFY(!checked.plan);
    QVERIFY(recipe::hasErrors(checked.diagnostics));
}

void TstPlan::plan_survivesItsJson()
{
    const plan::Checked checked
        = plan::checkRecipe(requestOf("clean_crdnn.yaml"), check::Machine());
    QVERIFY(checked.plan);
    const std::string json = plan::planToJson(*checked.plan);
    const std::string yaml = recipe::emitYaml(*checked.plan->recipe);
    const auto read = plan::planFromJson(json, yaml);
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QCOMPARE(plan::planToJson(*read), json);
    QCOMPARE(recipe::emitYaml(*read->recipe), yaml);
    QCOMPARE(read->options.findUnusedParameters, true);
    QCOMPARE(read->provenance.size(), checked.plan->provenance.size());
    const auto entry = nlohmann::json::parse(json);
    for (const auto& provenance : entry["provenance"])
        if (provenance["key"] == "find_unused_parameters") {
            QCOMPARE(provenance["source"].get<std::string>(), std::string("override"));
            QCOMPARE(provenance["place"].get<std::string>(),
                std::string("--train_conf.find_unused_parameters=True"));
            QCOMPARE(provenance["consumer"].get<std::string>(), std::string("c10d::Reducer"));
        }
}

void TstPlan::sharedObjects_stayShared()
{
    const plan::Plan plan = planOf("clean_crdnn.yaml");
    QVERIFY(plan.recipe);
    const auto read = plan::planFromJson(plan::planToJson(plan), recipe::emitYaml(*plan.recipe));
    QVERIFY(read);
    const recipe::Node& root = *read->recipe;
    QVERIFY(recipe::find(root, "enc"));
    QCOMPARE(recipe::findPath(root, "modules.enc").get(), recipe::find(root, "enc").get());
}

void TstPlan::newerPlan_isRefusedInWords()
{
    const std::string json
        = edited(plan::planToJson({}), [](auto& object) { object["version"] = 2; });
    const auto read = plan::planFromJson(json, "a: 1\n");
    QVERIFY(!read);
    QCOMPARE(read.error().message,
        std::string(
            "this run was planned by a newer Earwright (plan version 2; this one reads up to 1): "
            "open it with that one"));
}

void TstPlan::olderPlan_getsDefaults()
{
    const std::string json = edited(plan::planToJson({}), [](auto& object) {
        object.erase("working_folder");
        object["options"].erase("bucket_cap_mb");
        object["options"]["seed"] = 5;
        object["options"]["of_the_future"] = 1;
    });
    const auto read = plan::planFromJson(json, "a: 1\n");
    QVERIFY(read);
    QCOMPARE(read->workingFolder, std::string());
    QCOMPARE(read->options.bucketCapMb, 25.0);
    QCOMPARE(read->options.seed, int64_t { 5 });
}

void TstPlan::brokenPlan_isRefused_data()
{
    QTest::addColumn<QString>("json");
    QTest::newRow("empty") << "";
    QTest::newRow("cut") << QString::fromStdString(plan::planToJson({})).left(100);
    QTest::newRow("list") << "[1]";
    QTest::newRow("deep") << "{\"version\": 1, \"name\": " + QString(100'000, '[')
            + QString(100'000, ']') + "}";
    QTest::newRow("no members") << "{\"version\": 1}";
    QTest::newRow("mistyped option") << QString::fromStdString(
        edited(plan::planToJson({}), [](auto& object) { object["options"]["seed"] = "x"; }));
}

void TstPlan::brokenPlan_isRefused()
{
    QFETCH(QString, json);
    const auto read = plan::planFromJson(json.toStdString(), "a: 1\n");
    QVERIFY(!read);
    QVERIFY(read.error().message.starts_with("the plan of this run cannot be read: "));
}

void TstPlan::brokenRecipe_isRefused()
{
    const auto read = plan::planFromJson(plan::planToJson({}), "a: [1, 2\n");
    QVERIFY(!read);
    QVERIFY(
        read.error().message.starts_with("the resolved recipe of this run cannot be read: line "));
}

/// A resumed run has the settings of the one that began.
void TstPlan::settings_areReadWithTheRecipe()
{
    plan::Plan plan;
    plan.setRecipe(recipe::resolve("sample_rate: 8000\ntrain_dataloader_opts: {batch_size: 3}\n"
                                   "opt_class: !name:torch.optim.SGD\n    lr: 1\n",
                       "r.yaml", {})
                       .root,
        { .sorting = "ascending" });
    const auto read = plan::planFromJson(plan::planToJson(plan), recipe::emitYaml(*plan.recipe));
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    for (const plan::Plan& one : { plan, *read }) {
        QCOMPARE(one.settings.features.sampleRateHz, 8000);
        QCOMPARE(one.settings.data.sampleRateHz, 8000);
        QCOMPARE(one.settings.data.train.batching.batchSize, int64_t { 3 });
        QCOMPARE(one.settings.data.train.batching.sorting, std::string("ascending"));
        QVERIFY(one.settings.optimizer.optimizer);
    }
    plan.setRecipe(nullptr, {});
    QVERIFY(!plan.settings.optimizer.optimizer);
    QCOMPARE(plan.settings.features.sampleRateHz, 16000);
}

EARWRIGHT_TEST(TstPlan)
#include "tst_plan.moc"
