#include "core/base/file.h"
#include "core/base/text.h"
#include "core/plan/checked.h"
#include "core/plan/revise.h"
#include "core/plan/test_search.h"
#include "core/recipe/resolve.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright;

namespace {

using Words = std::vector<std::string>;

const std::string kSchedule = "lr_annealing: !new:earwright.schedulers.WarmupHoldDecay\n"
                              "    warmup: 0.05\n    decay: 0.4\n";

/// configs/fsdd/ctc_conv.yaml with some of its text replaced.
std::string textWith(const std::string& before = "", const std::string& after = "")
{
    Result<std::string> text = readFile(EARWRIGHT_SOURCE_DIR "/configs/fsdd/ctc_conv.yaml");
    if (!text || text->find(before) == std::string::npos)
        qFatal("the recipe is another");
    return before.empty() ? *text : text->replace(text->find(before), before.size(), after);
}

/// As a run's folder gives it back.
plan::Plan plannedRun(const std::string& text, Words words = {})
{
    words.insert(words.end(), { "data_folder=d", "--channels", "32" });
    check::Request request { .text = text, .fileName = "ctc_conv.yaml", .overrides = {} };
    request.devices = "cpu:2";
    request.checkFiles = false;
    request.overrides = *recipe::parseOverrides(words);
    const plan::Checked checked = plan::checkRecipe(request, {});
    if (!checked.plan)
        qFatal("%s", checked.diagnostics.front().message.c_str());
    Result<plan::Plan> plan = plan::planFromJson(
        plan::planToJson(*checked.plan), recipe::emitYaml(*checked.plan->recipe));
    if (!plan)
        qFatal("%s", plan.error().message.c_str());
    plan->recipeText = text;
    plan->recipeSha256 = sha256Hex(text);
    return *plan;
}

Result<plan::Revised> revised(const plan::Plan& plan, const std::string& text, const Words& words)
{
    std::vector<recipe::Diagnostic> found;
    Result<plan::Revised> revised = plan::revise(
        plan, { .recipeText = text, .words = words, .checkFiles = false }, {}, found);
    if (!revised && !found.empty())
        return Error { found.front().message };
    return revised;
}

} // namespace

Q_DECLARE_METATYPE(Words)

/// What a resume may change, and what it refuses.
class TstRevise : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void words_changeWhatTheyMay_data();
    void words_changeWhatTheyMay();
    void words_areRefusedByName_data();
    void words_areRefusedByName();
    void editedRecipe_isObeyed_data();
    void editedRecipe_isObeyed();
    void schedule_followsTheEpochs();
    void otherArguments_mayNotFollowTheEpochs();
    void testSearch_followsItsVariables();
    void testSearchTime_isOfTheLastChangeOfIt_data();
    void testSearchTime_isOfTheLastChangeOfIt();
    void wordsOfEarlierResumes_areReplaced();
    void inferredTask_isKept();
    void judgeOfAnOlderRun_isKept();
    void revisions_surviveTheirJson();
};

void TstRevise::words_changeWhatTheyMay_data()
{
    QTest::addColumn<Words>("words");
    QTest::addColumn<QString>("changes");
    const auto row = [](const char* name, const Words& words, const char* changes) {
        QTest::newRow(name) << words << QString(changes);
    };
    row("epochs", { "--number_of_epochs=20" }, "number_of_epochs: 20 in place of 14");
    row("in two words", { "--number_of_epochs", "20" }, "number_of_epochs: 20 in place of 14");
    row("FunASR's place", { "++train_conf.number_of_epochs=20" },
        "number_of_epochs: 20 in place of 14");
    row("the same as before", { "--number_of_epochs=14" }, "");
    row("steps", { "--optimizer_step_limit=900" }, "optimizer_step_limit: 900 in place of 0");
    row("checkpoints", { "--ckpt_interval_minutes=2.5" },
        "ckpt_interval_minutes: 2.5 in place of 0.0");
    row("failures", { "--heartbeat_timeout=60", "--max_restarts=2", "--min_nproc_per_node=1" },
        "heartbeat_timeout: 60.0 in place of 30.0; max_restarts: 2 in place of 0; "
        "min_nproc_per_node: 1 in place of 0");
    row("workers", { "--num_workers=0" },
        "num_workers: 0 in place of 2; train_dataloader_opts.num_workers: 0 in place of 2");
    row("workers of one split", { "--valid_dataloader_opts.num_workers=1" },
        "valid_dataloader_opts.num_workers: 1 in place of nothing");
}

void TstRevise::words_changeWhatTheyMay()
{
    QFETCH(Words, words);
    QFETCH(QString, changes);
    const plan::Plan plan = plannedRun(textWith());
    const auto result = revised(plan, plan.recipeText, words);
    QVERIFY2(result, result ? "" : result.error().message.c_str());
    QCOMPARE(QString::fromStdString(join(result->changes, "; ")), changes);
    QCOMPARE(result->plan.options.task, std::string("ctc"));
    QCOMPARE(result->plan.devices, plan.devices);
    QCOMPARE(result->plan.overrides.size(),
        plan.overrides.size()
            + (changes.isEmpty()                       ? 0
                    : words[0] == "--number_of_epochs" ? 1
                                                       : words.size()));
}

void TstRevise::words_areRefusedByName_data()
{
    QTest::addColumn<Words>("words");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const Words& words, const char* said) {
        QTest::newRow(name) << words << QString(said);
    };
    row("seed", { "--seed=3" }, "cannot change seed ('--seed=3')");
    row("the same seed", { "--seed=1986" }, "cannot change seed ('--seed=1986')");
    row("with what may", { "--number_of_epochs=20", "--seed=3" }, "cannot change seed");
    row("a variable", { "--lr=0.1" }, "cannot change opt_class.lr, lr ('--lr=0.1')");
    row("an argument", { "--opt_class.lr=0.1" }, "cannot change opt_class.lr");
    row("what nothing refers to", { "--output_neurons=21" }, "output_neurons");
    row("a folder", { "--output_folder=x" }, "output_folder");
    row("manifests", { "--train_csv=x.csv" }, "cannot change train_csv");
    row("batches", { "--dynamic_batch_sampler.max_batch_length=8" },
        "dynamic_batch_sampler.max_batch_length");
    row("a section with more than it may",
        { "--train_dataloader_opts={num_workers: 0, shuffle: False}" },
        "cannot change train_dataloader_opts.shuffle");
    row("precision", { "--precision=bf16" }, "cannot change precision");
    row("the schedule itself", { "--lr_annealing.warmup=0.5" }, "lr_annealing.warmup");
    row("weights to start from", { "--init_param=x" }, "cannot change init_param");
    row("an unknown key", { "--number_of_epoch=3" }, "cannot change number_of_epoch ");
    row("a value out of range", { "--number_of_epochs=-1" },
        "'number_of_epochs' must be at least 0, not -1");
    row("a value of another type", { "--max_restarts=x" }, "'max_restarts' must be");
    row("a section of the schedule and more", { "--epoch_counter={limit: 3, x: 4}" },
        "epoch_counter");
    row("no override", { "x" }, "'x' is no override");
}

void TstRevise::words_areRefusedByName()
{
    QFETCH(Words, words);
    QFETCH(QString, said);
    const plan::Plan plan = plannedRun(textWith());
    const auto result = revised(plan, plan.recipeText, words);
    QVERIFY(!result);
    const QString message = QString::fromStdString(result.error().message);
    QVERIFY2(message.contains(said), qPrintable(message));
}

void TstRevise::editedRecipe_isObeyed_data()
{
    QTest::addColumn<Words>("start");
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    QTest::addColumn<QString>("changes");
    QTest::addColumn<QString>("refused");
    const auto row = [](const char* name, const Words& start, const char* before, const char* after,
                         const char* changes, const char* refused) {
        QTest::newRow(name) << start << QString(before) << QString(after) << QString(changes)
                            << QString(refused);
    };
    row("epochs", {}, "number_of_epochs: 14", "number_of_epochs: 16",
        "number_of_epochs: 16 in place of 14", "");
    row("a comment", {}, "seed: 1986", "seed: 1986 # of old", "", "");
    row("seed", {}, "seed: 1986", "seed: 7", "", "cannot change seed");
    row("a rate", {}, "lr: 0.002", "lr: 0.1", "", "cannot change opt_class.lr, lr (recipe.yaml");
    row("what an override hides", { "--number_of_epochs=3" }, "number_of_epochs: 14",
        "number_of_epochs: 16", "",
        "says number_of_epochs: 16, but '--number_of_epochs=3', given when it was started or "
        "resumed, counts");
    row("what an override says already", { "--number_of_epochs=3" }, "number_of_epochs: 14",
        "number_of_epochs: 3", "", "");
    row("beside an override", { "--number_of_epochs=3" }, "num_workers: 2", "num_workers: 0",
        "num_workers: 0 in place of 2; train_dataloader_opts.num_workers: 0 in place of 2", "");
    row("what another override hides", { "--seed=3" }, "seed: 1986", "seed: 7", "",
        "says seed: 7, but '--seed=3', given when it was started or resumed, counts; put it back "
        "to "
        "1986");
    row("a comment beside an override", { "--seed=3" }, "n_mels: 64", "n_mels: 64 # of old", "",
        "");
    row("what does not parse", {}, "lr: 0.002", "lr: [0.002", "", "");
}

void TstRevise::editedRecipe_isObeyed()
{
    QFETCH(Words, start);
    QFETCH(QString, before);
    QFETCH(QString, after);
    QFETCH(QString, changes);
    QFETCH(QString, refused);
    const plan::Plan plan = plannedRun(textWith(), start);
    const std::string text = textWith(before.toStdString(), after.toStdString());
    const auto result = revised(plan, text, {});
    const bool isBroken = after.contains('[');
    QCOMPARE(bool(result), refused.isEmpty() && !isBroken);
    if (!result) {
        const QString message = QString::fromStdString(result.error().message);
        QVERIFY2(message.contains(refused), qPrintable(message));
        return;
    }
    QCOMPARE(QString::fromStdString(join(result->changes, "; ")), changes);
    QCOMPARE(result->plan.recipeText, text);
}

void TstRevise::schedule_followsTheEpochs()
{
    const std::string text = textWith(kSchedule,
        "lr_annealing: !new:speechbrain.nnet.schedulers.LinearScheduler\n"
        "    initial_value: !ref <lr>\n    final_value: 0.0\n"
        "    epoch_count: !ref <number_of_epochs>\n");
    const plan::Plan plan = plannedRun(text);
    const auto result = revised(plan, text, { "--number_of_epochs=20" });
    QVERIFY2(result, result ? "" : result.error().message.c_str());
    QCOMPARE(join(result->changes, "; "),
        std::string("number_of_epochs: 20 in place of 14; lr_annealing.epoch_count: 20 in place of "
                    "14"));
    QCOMPARE(recipe::findPath(*result->plan.recipe, "lr_annealing.epoch_count")->text,
        std::string("20"));
}

void TstRevise::otherArguments_mayNotFollowTheEpochs()
{
    const std::string text
        = textWith("    dropout: 0.1\n", "    dropout: !ref <number_of_epochs> / 140\n");
    const plan::Plan plan = plannedRun(text);
    const auto result = revised(plan, text, { "--number_of_epochs=28" });
    QVERIFY(!result);
    QVERIFY2(result.error().message.find("cannot change enc.dropout") != std::string::npos,
        result.error().message.c_str());
}

void TstRevise::testSearch_followsItsVariables()
{
    const std::string text = textWith("ctc_cost:",
        "test_beam_size: 10\ntest_beam_search:\n    beam_size: !ref <test_beam_size>\nctc_cost:");
    const plan::Plan plan = plannedRun(text);
    const auto result = revised(plan, text, { "--test_beam_size=50" });
    QVERIFY2(result, result ? "" : result.error().message.c_str());
    QCOMPARE(
        join(result->changes, "; "), std::string("test_beam_search.beam_size: 50 in place of 10"));
}

void TstRevise::testSearchTime_isOfTheLastChangeOfIt_data()
{
    QTest::addColumn<Words>("times");
    QTest::addColumn<Words>("changes");
    QTest::addColumn<double>("seconds");
    const std::string beam = "test_search.beam_size: 20 in place of 10";
    const std::string epochs = "number_of_epochs: 20 in place of 10";
    const std::string early = "1970-01-02T00:00:00+0000";
    const std::string late = "1970-01-03T02:00:00+0200";
    QTest::newRow("none") << Words {} << Words {} << 0.0;
    QTest::newRow("others") << Words { early } << Words { epochs } << 0.0;
    QTest::newRow("FunASR's place") << Words { early } << Words { "train_conf." + beam } << 86400.0;
    QTest::newRow("one") << Words { early, late } << Words { beam, epochs } << 86400.0;
    QTest::newRow("the last") << Words { early, late } << Words { beam, beam } << 172800.0;
    QTest::newRow("no time") << Words { "soon" } << Words { beam }
                             << std::numeric_limits<double>::infinity();
}

void TstRevise::testSearchTime_isOfTheLastChangeOfIt()
{
    QFETCH(Words, times);
    QFETCH(Words, changes);
    QFETCH(double, seconds);
    plan::Plan plan;
    for (size_t i = 0; i < times.size(); ++i)
        plan.revisions.push_back({ times[i], 1, { "max_restarts: 1 in place of 0", changes[i] } });
    QCOMPARE(plan::testSearchTime(plan), seconds);
}

void TstRevise::wordsOfEarlierResumes_areReplaced()
{
    const std::string text = textWith();
    plan::Plan plan = plannedRun(text, { "--epoch_counter.limit=3" });
    for (const char* word : { "--number_of_epochs=5", "--number_of_epochs=8" }) {
        const auto result = revised(plan, text, { word });
        QVERIFY2(result, result ? "" : result.error().message.c_str());
        plan = result->plan;
    }
    QCOMPARE(plan.options.numberOfEpochs, int64_t { 8 });
    QCOMPARE(plan.overrides,
        std::vector<std::string>({ "data_folder=d", "--channels 32", "--number_of_epochs=8" }));
}

/// Also where the recipe is later taken for another one.
void TstRevise::inferredTask_isKept()
{
    const std::string text = textWith("\ntask: ctc\n", "\n");
    plan::Plan plan = plannedRun(text);
    QCOMPARE(plan.options.task, std::string("ctc"));
    QCOMPARE(recipe::asString(*recipe::find(*plan.recipe, "task")), std::string("ctc"));
    const auto more = revised(plan, text, { "--number_of_epochs=20" });
    QVERIFY2(more, more ? "" : more.error().message.c_str());
    QCOMPARE(join(more->changes, "; "), std::string("number_of_epochs: 20 in place of 14"));
    QCOMPARE(more->plan.overrides,
        std::vector<std::string>({ "data_folder=d", "--channels 32", "--number_of_epochs=20" }));
    const auto named = revised(plan, "task: ctc_attention\n" + text, {});
    QVERIFY(!named);
}

/// Its checkpoints hold error rates, which are no accuracies.
void TstRevise::judgeOfAnOlderRun_isKept()
{
    const std::string text = *readFile(EARWRIGHT_CASES_DIR "/check/clean_joint.yaml")
        + "acc_computer: !name:speechbrain.utils.Accuracy.AccuracyStats\n";
    check::Request request { .text = text, .fileName = "joint.yaml", .overrides = {} };
    request.checkFiles = false;
    request.overrides = *recipe::parseOverrides({ "data_folder=d" });
    const plan::Checked checked = plan::checkRecipe(request, {});
    QVERIFY(checked.plan);
    QCOMPARE(checked.plan->options.maxKey, std::string("ACC"));
    plan::Plan older = *checked.plan;
    older.options.maxKey.clear();
    Result<plan::Plan> run
        = plan::planFromJson(plan::planToJson(older), recipe::emitYaml(*older.recipe));
    QVERIFY(run);
    run->recipeText = text;
    run->recipeSha256 = sha256Hex(text);
    const auto more = revised(*run, text, { "--number_of_epochs=9" });
    QVERIFY2(more, more ? "" : more.error().message.c_str());
    QCOMPARE(more->plan.options.maxKey, std::string());
    QCOMPARE(join(more->changes, "; "), std::string("number_of_epochs: 9 in place of 7"));
}

void TstRevise::revisions_surviveTheirJson()
{
    plan::Plan plan = plannedRun(textWith());
    plan.revisions.push_back({ "2026-11-27T16:40:00+0000", 12, { "number_of_epochs: 20" } });
    const auto read = plan::settingsFromJson(plan::planToJson(plan));
    QVERIFY(read);
    QCOMPARE(read->revisions.size(), size_t { 1 });
    QCOMPARE(read->revisions[0].time, plan.revisions[0].time);
    QCOMPARE(read->revisions[0].step, int64_t { 12 });
    QCOMPARE(read->revisions[0].changes, plan.revisions[0].changes);
    QCOMPARE(read->recipeSha256, plan.recipeSha256);
}

EARWRIGHT_TEST(TstRevise)
#include "tst_revise.moc"
