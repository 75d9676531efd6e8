#include <QTest>
#include <torch/utils.h>

#include "tests/registry.h"
#include "tests/train/paraformer_tasks.h"

#include <algorithm>
#include <limits>
#include <set>

using namespace earwright;
using namespace earwright::train;

namespace {

std::vector<std::string> textsOf(Task& task)
{
    const data::Batch batch = batchOf();
    task.modules().train(false);
    return task.recognise(batch, task.features(batch, Stage::Test), Stage::Test);
}

} // namespace

/// What task: seaco_paraformer does with hotwords.
class TstSeacoTask : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// So little work that more threads only wait for one another.
    void initTestCase() { at::set_num_threads(1); }
    void hotwordsOfOtherTexts_areLabelsWhereAsked();
    void hotwordsGivenLater_areInsteadOfTheRecipes();
    void hotwordWeight_isOfWholeHotwords();
    void hotwordWeight_leavesWhatNobodySays();
    void ofManyHotwords_thoseLookedAtCount();
};

void TstSeacoTask::hotwordsOfOtherTexts_areLabelsWhereAsked()
{
    const std::string text = recipeText("seaco_paraformer");
    const auto task = taskOf(text);
    const auto thorough
        = taskOf(with(text, "sampling_ratio: 0.0", "sampling_ratio: 0.0\nhotword_labels: all"));
    data::Batch batch = batchOf();
    batch.hotwords = { *encoder()->encode("AB"), *encoder()->encode("C") };
    batch.hotwordSpans = { { { 0, 1 } }, {}, {}, {}, { { 0, 0 } } };
    const double own = task->run(batch, Stage::Train).loss.item<double>();
    const double all = thorough->run(batch, Stage::Train).loss.item<double>();
    QVERIFY(std::abs(all - own) > 1e-3);
    batch.hotwordSpans
        = { { { 0, 1 }, { 2, 2 } }, {}, { { 3, 3 } }, { { 0, 1 } }, { { 0, 0 }, { 1, 1 } } };
    QCOMPARE(task->run(batch, Stage::Train).loss.item<double>(), all);
    QCOMPARE(thorough->run(batch, Stage::Train).loss.item<double>(), all);
}

void TstSeacoTask::hotwordsGivenLater_areInsteadOfTheRecipes()
{
    const std::string text = recipeText("seaco_paraformer");
    const torch::NoGradGuard noGrad;
    const auto task = taskOf(text);
    auto& listener = dynamic_cast<HotwordListener&>(*task);
    const auto ofTheRecipe = textsOf(*task);
    QVERIFY(leftOutText(listener.leftOut()).empty());
    QVERIFY(listener.listenFor({}));
    const auto ofNone = textsOf(*task);
    QVERIFY(listener.listenFor({ "EF", "字" }));
    QVERIFY(leftOutText(listener.leftOut()).ends_with("characters: 字"));
    QCOMPARE(listener.hint(), std::string());
    const auto ofOther = textsOf(*task);
    QVERIFY(listener.listenFor({ "EF", "ab" }));
    QCOMPARE(listener.leftOut(), (std::vector<std::string> { "ab" }));
    QVERIFY(listener.hint().ends_with("writes upper case"));
    QVERIFY(listener.listenFor({ "EF 20" }));
    QVERIFY(listener.hint().ends_with("a weight stands behind a tab"));
    QCOMPARE(ofTheRecipe, textsOf(*taskOf(text)));
    QCOMPARE(ofNone, textsOf(*taskOf(with(text, "hotword: AB CD", "hotword: null"))));
    QCOMPARE(ofOther, textsOf(*taskOf(with(text, "hotword: AB CD", "hotword: EF"))));
    QVERIFY(ofNone != ofTheRecipe || ofNone != ofOther);
    const auto plain = taskOf(recipeText("paraformer"));
    QVERIFY(dynamic_cast<HotwordListener&>(*plain).listenFor({})); // an empty list is none
    const Status refused = dynamic_cast<HotwordListener&>(*plain).listenFor({ "EF" });
    QVERIFY(!refused);
    QVERIFY(refused.error().message.find("seaco_paraformer") != std::string::npos);
}

/// The bias decoder says "A" or, less likely, none, and hardly ever "B": by tokens "A" is written
/// everywhere, as a phrase "AB" where it weighs enough.
void TstSeacoTask::hotwordWeight_isOfWholeHotwords()
{
    const torch::NoGradGuard noGrad;
    const auto task = taskOf(recipeText("seaco_paraformer"));
    auto& listener = dynamic_cast<HotwordListener&>(*task);
    const torch::Tensor bias = named(*task, "hotword_output_layer.bias");
    bias.fill_(-1000);
    bias[encoder()->encode("A")->front()] = 1000;
    bias[encoder()->encode("B")->front()] = 990;
    const auto byToken = textsOf(*task);
    QVERIFY(listener.prefer(5));
    QCOMPARE(textsOf(*task), byToken);
    QVERIFY(listener.prefer(15));
    const auto byPhrase = textsOf(*task);
    QVERIFY(byPhrase != byToken);
    for (size_t row = 0; row < byPhrase.size(); ++row) {
        QCOMPARE(byToken[row], std::string(byToken[row].size(), 'A'));
        const QString left = QString::fromStdString(byPhrase[row]).remove(QStringLiteral("AB"));
        QCOMPARE(left, QString(static_cast<qsizetype>(byToken[row].size() % 2), QLatin1Char('A')));
    }
    QVERIFY(listener.prefer(0));
    QCOMPARE(textsOf(*task), byToken);
    const Status tooMuch = listener.prefer(1e308);
    QVERIFY(!tooMuch);
    QVERIFY2(tooMuch.error().message.find("-10000 to 10000") != std::string::npos,
        tooMuch.error().message.c_str());
    QVERIFY(!listener.prefer(std::numeric_limits<double>::quiet_NaN()));
    QVERIFY(!dynamic_cast<HotwordListener&>(*taskOf(recipeText("paraformer"))).prefer(1));
}

/// Where the bias decoder says none the recogniser is heard, whatever a hotword weighs.
void TstSeacoTask::hotwordWeight_leavesWhatNobodySays()
{
    const std::string text = recipeText("seaco_paraformer");
    const torch::NoGradGuard noGrad;
    const auto task = taskOf(text);
    const auto ofNone = textsOf(*taskOf(with(text, "hotword: AB CD", "hotword: null")));
    named(*task, "hotword_output_layer.bias")[9].fill_(1000);
    QVERIFY(dynamic_cast<HotwordListener&>(*task).prefer(-5));
    QCOMPARE(textsOf(*task), ofNone);
}

/// Of 60 hotwords 50 take part, by the sixth or, of fewer, the last layer of the bias decoder.
void TstSeacoTask::ofManyHotwords_thoseLookedAtCount()
{
    const std::string text = recipeText("seaco_paraformer");
    const torch::NoGradGuard noGrad;
    std::vector<std::string> many;
    for (const char first : std::string("ABCDEF"))
        for (const char second : std::string("ABCDE"))
            for (const char third : std::string("CD"))
                many.push_back({ first, second, third });
    for (const std::string& recipe : { text,
             with(text, "num_blocks: 2\n    att_layer_num: 6",
                 "num_blocks: 2\n    att_layer_num: 2") }) {
        const auto task = taskOf(recipe);
        auto& listener = dynamic_cast<HotwordListener&>(*task);
        QVERIFY(listener.listenFor(many));
        QVERIFY(listener.prefer(1000));
        std::set<std::string> heard;
        for (const std::string& row : textsOf(*task))
            for (size_t at = 0; at + 3 <= row.size(); at += 3)
                heard.insert(row.substr(at, 3));
        QVERIFY(!heard.empty());
        for (const std::string& phrase : heard)
            QVERIFY2(std::find(many.begin(), many.end(), phrase) != many.end(), phrase.c_str());
    }
}

EARWRIGHT_TEST(TstSeacoTask)
#include "tst_seaco_task.moc"
