#include "core/base/file.h"
#include "core/recipe/parse.h"
#include "core/recipe/resolve.h"
#include "core/train/task/ctc_search.h"
#include "core/train/task/task.h"
#include "tests/registry.h"

#include <QTemporaryDir>
#include <QTest>
#include <torch/utils.h>

using namespace earwright;
using namespace earwright::train;

namespace {

recipe::NodePtr recipeOf(const std::string& text)
{
    return recipe::parse(text, "recipe.yaml").root;
}

} // namespace

/// A recipe's `test_beam_search`.
class TstCtcSearch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recipeWithout_hasNone();
    void arguments_areUpstreams();
    void class_isChosenByName();
    void mistakes_areNamed_data();
    void mistakes_areNamed();
    void hotwords_areTheRecipes();
    void test_isSearchedAndValidationIsNot();
};

void TstCtcSearch::recipeWithout_hasNone()
{
    for (const char* text : { "task: ctc\n", "test_beam_search: null\n" }) {
        const auto options = testSearchOf(*recipeOf(text), 0);
        QVERIFY(options && !options->has_value());
    }
}

void TstCtcSearch::arguments_areUpstreams()
{
    const auto read = testSearchOf(
        *recipeOf(
            "test_beam_search:\n    blank_index: 0\n    beam_size: 143\n"
            "    beam_prune_logp: -12.0\n    token_prune_min_logp: -1.2\n"
            "    prune_history: False\n    blank_skip_threshold: 0.9\n    topk: 1\n"
            "    alpha: 0.8\n    beta: 1.2\n    unk_score_offset: -7\n"
            "    score_boundary: False\n    space_token: ' '\n    kenlm_model_path: 4g.arpa\n"),
        0);
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    const CtcSearchOptions& options = **read;
    QVERIFY(options.search == decode::ctcBeamSearch);
    QCOMPARE(options.beams.beamSize, int64_t { 143 });
    QCOMPARE(options.beams.beamPruneLogp, -12.0);
    QCOMPARE(options.beams.tokenPruneMinLogp, -1.2);
    QCOMPARE(options.beams.blankSkipThreshold, 0.9);
    QVERIFY(!options.beams.pruneHistory);
    QCOMPARE(options.languageModel, std::filesystem::path("4g.arpa"));
    QCOMPARE(options.weights.alpha, 0.8);
    QCOMPARE(options.weights.beta, 1.2);
    QCOMPARE(options.weights.unknownOffset, -7.0);
    QVERIFY(!options.weights.scoreBoundary);
    const auto usual = testSearchOf(*recipeOf("test_beam_search: {blank_index: 0}\n"), 0);
    QCOMPARE((*usual)->beams.beamSize, int64_t { 100 });
    QCOMPARE((*usual)->beams.tokenPruneMinLogp, -5.0);
}

void TstCtcSearch::class_isChosenByName()
{
    const auto prefix = testSearchOf(
        *recipeOf("test_beam_search: !name:speechbrain.decoders.ctc.CTCPrefixBeamSearcher\n"
                  "    beam_size: 8\n"),
        0);
    QVERIFY2(prefix, prefix ? "" : prefix.error().message.c_str());
    QVERIFY((*prefix)->search == decode::ctcPrefixBeamSearch);
    QCOMPARE((*prefix)->beams.beamSize, int64_t { 8 });
}

void TstCtcSearch::mistakes_areNamed_data()
{
    QTest::addColumn<std::string>("recipe");
    QTest::addColumn<std::string>("message");
    const auto row = [](const char* name, const std::string& search, const std::string& message) {
        QTest::newRow(name) << "test_beam_search: " + search + "\n"
                            << "recipe.yaml:1: test_beam_search: " + message;
    };
    row("class", "!name:speechbrain.decoders.scorer.CTCScorer {blank_index: 0}",
        "it takes the arguments of speechbrain.decoders.ctc.CTCBeamSearcher, or a !name: of it or "
        "of CTCPrefixBeamSearcher");
    row("no mapping", "100",
        "it takes the arguments of speechbrain.decoders.ctc.CTCBeamSearcher, or a !name: of it or "
        "of CTCPrefixBeamSearcher");
    row("blank", "{blank_index: 3}", "blank_index is 3, that of ctc_cost 0");
}

void TstCtcSearch::mistakes_areNamed()
{
    QFETCH(std::string, recipe);
    QFETCH(std::string, message);
    const auto read = testSearchOf(*recipeOf(recipe), 0);
    QVERIFY(!read);
    QCOMPARE(read.error().message, message);
}

void TstCtcSearch::hotwords_areTheRecipes()
{
    const QTemporaryDir folder;
    const std::string list = folder.filePath("list.txt").toStdString();
    QVERIFY(writeFileAtomically(list, "AB\nC\t3\n"));
    const auto ofFile = searchedHotwords(*recipeOf("hotword: " + list + "\n"));
    QVERIFY2(ofFile, ofFile ? "" : ofFile.error().message.c_str());
    QCOMPARE(ofFile->size(), size_t { 2 });
    QCOMPARE((*ofFile)[0].weight, decode::kUsualHotwordWeight);
    QCOMPARE((*ofFile)[1].weight, 3.0);
    const auto words = searchedHotwords(*recipeOf("hotword: AB C\n"));
    QCOMPARE(words->size(), size_t { 2 });
    QVERIFY(searchedHotwords(*recipeOf("task: ctc\n"))->empty());
    QVERIFY(!searchedHotwords(*recipeOf("hotword: /nowhere/list.txt\n")));
}

/// Beams of one, which is what of the best path differs from the sum over all.
void TstCtcSearch::test_isSearchedAndValidationIsNot()
{
    const auto text = readFile(EARWRIGHT_CASES_DIR "/train/equal/crdnn.yaml");
    QVERIFY(bool(text));
    data::Batch batch;
    torch::manual_seed(11);
    batch.wavs_BT = torch::randn({ 4, 8000 }) * 0.1;
    batch.wavLens_B = torch::ones({ 4 });
    const torch::NoGradGuard noGrad;
    const auto made = [&](const std::string& more) {
        torch::manual_seed(3);
        const recipe::Resolved resolved = recipe::resolve(
            *text + more, "crdnn.yaml", *recipe::parseOverrides({ "--data_folder=/nowhere" }));
        auto task = makeTask(*resolved.root,
            std::make_shared<const data::TextEncoder>(
                data::TextEncoder::fromTexts({ "ABCDEF" }, { .blank = 0 })),
            torch::kCPU, "reduction");
        if (!task)
            qFatal("%s", task.error().message.c_str());
        (*task)->features(batch, Stage::Train); // statistics to normalise by
        (*task)->modules().train(false);
        return std::move(*task);
    };
    const auto greedy = made("");
    const auto searched = made("test_beam_search: {beam_size: 50}\n");
    const auto heard = [&](Task& task, Stage stage) {
        return task.recognise(batch, task.features(batch, stage), stage);
    };
    QCOMPARE(heard(*searched, Stage::Valid), heard(*greedy, Stage::Valid));
    // Of an untrained model all texts are about as probable: the sum of their paths prefers others.
    QVERIFY(heard(*searched, Stage::Test) != heard(*greedy, Stage::Test));
    const auto listening = made("test_beam_search: {beam_size: 50}\nhotword: [FADE]\n");
    QVERIFY(heard(*listening, Stage::Test) != heard(*searched, Stage::Test));
    QCOMPARE(heard(*listening, Stage::Valid), heard(*greedy, Stage::Valid));
}

EARWRIGHT_TEST(TstCtcSearch)
#include "tst_ctc_search.moc"
