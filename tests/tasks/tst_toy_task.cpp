#include <QTemporaryDir>
#include <QTest>

#include "core/check/explain.h"
#include "core/language/completion.h"
#include "core/tasks/spec.h"
#include "core/train/recogniser.h"
#include "tests/registry.h"
#include "tests/train/rank_run.h"

#include <algorithm>

using namespace earwright;

namespace earwright::tasks::toy {
Spec spec();
Result<std::unique_ptr<train::Task>> make(const recipe::Node& recipe,
    std::shared_ptr<const data::TextEncoder> encoder, c10::Device device,
    const std::string& lossWeighting);
} // namespace earwright::tasks::toy

namespace {

const bool kIsRegistered = [] {
    tasks::add(tasks::toy::spec());
    train::taskMakers().push_back({ "toy", tasks::toy::make });
    return true;
}();

constexpr const char* kRecipe = EARWRIGHT_CASES_DIR "/tasks/toy.yaml";

check::Request requestOf(std::string text, const std::vector<std::string>& overrides = {})
{
    check::Request request;
    request.text = std::move(text);
    request.fileName = kRecipe;
    request.overrides = *recipe::parseOverrides(overrides);
    request.devices = "cpu";
    request.checkFiles = false;
    return request;
}

std::string replaced(std::string text, const std::string& what, const std::string& by)
{
    const size_t place = text.find(what);
    return place == std::string::npos ? text : text.replace(place, what.size(), by);
}

QStringList errorsOf(const check::Request& request)
{
    QStringList errors;
    for (const recipe::Diagnostic& diagnostic : check::check(request, {}).diagnostics)
        if (diagnostic.severity == recipe::Severity::Error && diagnostic.rule != "placeholder")
            errors << QString::fromStdString(diagnostic.message);
    return errors;
}

} // namespace

/// A task that is a folder, and a line where it is registered, is a task everywhere.
class TstToyTask final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void check_knowsIt_data();
    void check_knowsIt();
    void recipeThatNamesNoTask_isLikelyForIt();
    void recipeForTwoTasks_isAskedWhich();
    void keyOfAnotherTask_isTold();
    void explain_saysWhoReadsItsKeys();
    void editor_completesIt();
    void training_recognisesMoreThanItsStart();

private:
    std::string path(const char* name) const { return m_folder.filePath(name).toStdString(); }

    QTemporaryDir m_folder;
    std::string m_text;
};

void TstToyTask::initTestCase()
{
    QVERIFY(kIsRegistered);
    m_text = *readFile(kRecipe);
    tests::writeNoises(path("data"), 8);
}

void TstToyTask::check_knowsIt_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("by");
    QTest::addColumn<QStringList>("errors");
    QTest::newRow("as it is") << ""
                              << "" << QStringList();
    QTest::newRow("its own rule") << "toy_gain: 1.5"
                                  << "toy_gain: 0"
                                  << QStringList { "toy_gain must be a number above 0, not 0" };
    QTest::newRow("a layer's size")
        << "input_size: 16"
        << "input_size: 17"
        << QStringList {
               "'toy_head' takes 17 features a frame (input_size), but 'normalize' gives 16"
           };
    QTest::newRow("what it needs") << "label_encoder:"
                                   << "labels:"
                                   << QStringList { "task 'toy' needs the text encoder: the recipe "
                                                    "has no key 'label_encoder'" };
}

void TstToyTask::check_knowsIt()
{
    QFETCH(QString, what);
    QFETCH(QString, by);
    QFETCH(QStringList, errors);
    QCOMPARE(errorsOf(requestOf(replaced(m_text, what.toStdString(), by.toStdString()))), errors);
}

void TstToyTask::recipeThatNamesNoTask_isLikelyForIt()
{
    const check::Findings findings
        = check::check(requestOf(replaced(m_text, "task: toy\n", "")), {});
    QCOMPARE(findings.options.task, std::string("toy"));
    QCOMPARE(recipe::asString(*recipe::find(*findings.recipe, "task")), std::string("toy"));
    QCOMPARE(errorsOf(requestOf(replaced(m_text, "task: toy\n", ""))), QStringList());
}

void TstToyTask::recipeForTwoTasks_isAskedWhich()
{
    const QStringList errors = errorsOf(requestOf(
        replaced(m_text, "task: toy\n", "ctc_cost: !name:speechbrain.nnet.losses.ctc_loss\n")));
    QCOMPARE(errors,
        QStringList { "the recipe does not say which training procedure it is for; add a key "
                      "'task' (it may be ctc or toy)" });
}

void TstToyTask::keyOfAnotherTask_isTold()
{
    const check::Findings findings = check::check(requestOf(m_text + "seaco_weight: 0.5\n"), {});
    const auto told = std::find_if(findings.diagnostics.begin(), findings.diagnostics.end(),
        [](const auto& diagnostic) { return diagnostic.rule == "unread-key"; });
    QVERIFY(told != findings.diagnostics.end());
    QCOMPARE(told->message,
        std::string("task 'toy' does not read 'seaco_weight'; task seaco_paraformer does"));
}

void TstToyTask::explain_saysWhoReadsItsKeys()
{
    const check::Request request = requestOf(m_text, { "--toy_gain=2.5" });
    const auto gain = check::explain(request, check::check(request, {}), "toy_gain");
    QVERIFY2(gain, gain ? "" : gain.error().message.c_str());
    QCOMPARE(gain->setting.value, std::string("2.5"));
    QCOMPARE(gain->setting.consumer, std::string("toy::ToyTask"));
}

void TstToyTask::editor_completesIt()
{
    const auto labelsAt = [&](const std::string& line) {
        const std::string text = line + "\n" + replaced(m_text, "task: toy\n", "");
        const language::DocumentPtr document = language::analyse(requestOf(text), {}, nullptr);
        QStringList labels;
        for (const language::Completion& completion :
            language::complete(text, { 1, static_cast<int>(line.size()) + 1 }, *document))
            labels << QString::fromStdString(completion.label);
        return labels;
    };
    QVERIFY(labelsAt("task: ").contains("toy"));
    QVERIFY(labelsAt("toy_b").contains("toy_blank"));
}

void TstToyTask::training_recognisesMoreThanItsStart()
{
    const tests::RankRun training {
        .folder = path("run"), .data = path("data"), .recipe = kRecipe, .overrides = {}
    };
    QCOMPARE(training.train(), QString());
    const auto& losses = training.snapshot().series.at("valid/loss").points();
    QVERIFY(losses.back().value < 0.9 * losses.front().value);
    std::string errors;
    auto recogniser = train::Recogniser::load(training.plan(errors), training.folder,
        *train::lastCheckpoint(run::RunFolder { training.folder }.checkpoints()), at::kCPU, {});
    QVERIFY2(recogniser, recogniser ? "" : recogniser.error().message.c_str());
    const auto utterances = *data::readManifest(path("data/train.csv"), "");
    const auto heard = recogniser->recognise(utterances, 4);
    QVERIFY2(heard, heard ? "" : heard.error().message.c_str());
    QCOMPARE(heard->size(), utterances.size());
    QVERIFY(std::any_of(
        heard->begin(), heard->end(), [](const train::Heard& one) { return !one.text().empty(); }));
}

EARWRIGHT_TEST(TstToyTask)
#include "tst_toy_task.moc"
