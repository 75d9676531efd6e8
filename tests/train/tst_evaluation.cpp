#include "core/run/test_scores.h"
#include "core/run/utterances.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include "tests/data/piece_texts.h"
#include "tests/registry.h"
#include "tests/train/rank_run.h"

using namespace earwright;
using earwright::tests::RankRun;
using train::Evaluation;

namespace {

/// 3 of 10 words and 4 of 10 characters are wrong.
Evaluation scoresOf(const std::string& rate, double loss = 2)
{
    Evaluation scores;
    scores.wer.substitutions = 3;
    scores.wer.tokens = 10;
    scores.cer.substitutions = 4;
    scores.cer.tokens = 10;
    scores.rate = rate;
    scores.loss = loss;
    scores.hotwords = { { "hotword_recall", 75 } };
    return scores;
}

catalog::RunOptions optionsOf(const std::string& minKey, const std::string& maxKey = "")
{
    catalog::RunOptions options;
    options.minKey = minKey;
    options.maxKey = maxKey;
    return options;
}

std::vector<run::Point> pointsOf(const run::Snapshot& snapshot, const std::string& tag)
{
    const auto found = snapshot.series.find(tag);
    return found == snapshot.series.end() ? std::vector<run::Point> {} : found->second.points();
}

/// What the rows of an evaluation do not agree in with its rates, and with its alignments, of which
/// a run that kept no rows has them; "" = nothing.
std::string rowsDiffer(const run::RunFolder& folder, const run::Evaluated& evaluated)
{
    const auto rows = run::readUtterances(folder, evaluated);
    if (!rows)
        return rows.error().message;
    score::ErrorRate words;
    score::ErrorRate characters;
    for (const run::Utterance& row : *rows) {
        words.add(*row.byWord);
        characters.add(*row.byCharacter);
    }
    if (words.percent() != evaluated.wer || characters.percent() != evaluated.cer)
        return "their edits are not those of the evaluation";
    std::filesystem::remove(run::utterancesFile(folder, evaluated));
    const auto older = run::readUtterances(folder, evaluated);
    if (!older)
        return older.error().message;
    for (size_t i = 0; i < std::max(rows->size(), older->size()); ++i) {
        if (i >= std::min(rows->size(), older->size()) || (*rows)[i].id != (*older)[i].id
            || run::countedEdits((*rows)[i], evaluated.rate)
                != run::countedEdits((*older)[i], evaluated.rate))
            return "row " + std::to_string(i) + " is not that of the alignments";
    }
    return "";
}

/// A SentencePiece model with many pieces more, which no text has: repeated fields of a protobuf
/// may stand at its end.
std::string modelWithPieces(const std::string& beginning, int count)
{
    catalog::SentencePieceConfig config = tests::bpe();
    config.padId = 0; // the blank
    config.unkId = 1;
    std::string model = tests::trained(config).modelBytes();
    for (int i = 0; i < count; ++i) {
        const std::string piece = beginning + std::to_string(i);
        const auto size = static_cast<char>(piece.size());
        model += std::string({ '\x0a', static_cast<char>(size + 7), '\x0a', size }) + piece
            + std::string("\x15\0\0\x80\xbf", 5); // its score, -1
    }
    return model;
}

} // namespace

/// What the best checkpoint of a run is the best by.
class TstEvaluation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void badness_isOfTheKeyOrTheErrorRate();
    void badness_ofNoNumberIsTheMost();
    void badness_isOfTheAccuracyWhereAsked();
    void badness_withoutTextsIsTheMost();
    void evaluationWithoutTexts_hasNoErrorRates();
    void best_isByTheKeyOfTheRecipe_data();
    void best_isByTheKeyOfTheRecipe();
    void best_byHotwordsNeedsSome();
    void tests_areEachScored();
    void ideographs_areCountedWithoutBlanks();
    void piecesThatAreNoUtf8_areScored();
    void intervals_areAmongTheFigures();
};

void TstEvaluation::badness_isOfTheKeyOrTheErrorRate()
{
    QCOMPARE(badnessOf(scoresOf("WER"), optionsOf("")), 30.04);
    QCOMPARE(badnessOf(scoresOf("CER"), optionsOf("")), 40.0);
    QCOMPARE(badnessOf(scoresOf("WER"), optionsOf("CER")), 40.0);
    QCOMPARE(badnessOf(scoresOf("WER"), optionsOf("loss")), 2.0);
    QCOMPARE(badnessOf(scoresOf("WER"), optionsOf("", "hotword_recall")), 25.0);
}

void TstEvaluation::badness_ofNoNumberIsTheMost()
{
    const auto nan = std::numeric_limits<double>::quiet_NaN();
    QVERIFY(badnessOf(scoresOf("WER", nan), optionsOf("loss"))
        > badnessOf(scoresOf("WER", 1e30), optionsOf("loss")));
}

void TstEvaluation::badness_isOfTheAccuracyWhereAsked()
{
    Evaluation scores = scoresOf("WER");
    scores.accuracy = 80;
    QCOMPARE(badnessOf(scores, optionsOf("")), 30.04);
    QCOMPARE(badnessOf(scores, optionsOf("", "ACC")), 20.0);
}

void TstEvaluation::badness_withoutTextsIsTheMost()
{
    Evaluation scores = scoresOf("WER");
    scores.isSearched = false;
    scores.accuracy = 80;
    QCOMPARE(badnessOf(scores, optionsOf("")), std::numeric_limits<double>::max());
    QCOMPARE(badnessOf(scores, optionsOf("loss")), 2.0);
    QCOMPARE(badnessOf(scores, optionsOf("", "ACC")), 20.0);
}

void TstEvaluation::evaluationWithoutTexts_hasNoErrorRates()
{
    Evaluation scores = scoresOf("WER");
    scores.isSearched = false;
    scores.accuracy = 80;
    QVERIFY(!scores.figures().contains("WER") && !scores.figures().contains("CER"));
    QCOMPARE(scores.figures().at("ACC"), 80.0);
    QCOMPARE(scores.figures().at("loss"), 2.0);
}

void TstEvaluation::best_isByTheKeyOfTheRecipe_data()
{
    QTest::addColumn<std::string>("key");
    QTest::addColumn<std::string>("figure");
    QTest::newRow("loss") << std::string("--min_key=loss") << std::string("valid/loss");
    QTest::newRow("CER") << std::string("--min_key=CER") << std::string("valid/CER");
    QTest::newRow("hotwords") << std::string("--max_key=hotword_recall")
                              << std::string("valid/hotword_recall");
}

void TstEvaluation::best_isByTheKeyOfTheRecipe()
{
    QFETCH(std::string, key);
    QFETCH(std::string, figure);
    const QTemporaryDir folder;
    const std::filesystem::path data = folder.filePath("data").toStdString();
    tests::writeNoises(data, 19);
    const std::string recipe = folder.filePath("recipe.yaml").toStdString();
    const Result<std::string> text = readFile(EARWRIGHT_CASES_DIR "/train/equal/conformer.yaml");
    QVERIFY(text && writeFileAtomically(recipe, *text + "hotword: A B C D E F\n"));
    const RankRun run { .folder = folder.filePath("run").toStdString(),
        .data = data,
        .recipe = recipe,
        .overrides = { "--batch_size=4", "--optimizer_step_limit=30", key },
        .ranks = 2 };
    QCOMPARE(run.train(), QString());
    const run::Snapshot snapshot = run.snapshot();
    const std::vector<run::Point> figures = pointsOf(snapshot, figure);
    QCOMPARE(figures.size(), size_t(6));
    QCOMPARE(snapshot.checkpoints.size(), figures.size());
    double best = figures.front().value;
    for (size_t i = 0; i < figures.size(); ++i) {
        const double value = figures[i].value;
        const bool isBest = key.starts_with("--max") ? value >= best : value <= best;
        QCOMPARE(snapshot.checkpoints[i].best, isBest);
        best = isBest ? value : best;
    }
}

void TstEvaluation::best_byHotwordsNeedsSome()
{
    const QTemporaryDir folder;
    const std::filesystem::path data = folder.filePath("data").toStdString();
    tests::writeNoises(data, 8);
    const std::string list = folder.filePath("none.txt").toStdString();
    const std::string recipe = folder.filePath("recipe.yaml").toStdString();
    const Result<std::string> text = readFile(EARWRIGHT_CASES_DIR "/train/equal/conformer.yaml");
    QVERIFY(text && writeFileAtomically(list, "\n"));
    QVERIFY(writeFileAtomically(recipe, *text + "hotword: " + list + "\n"));
    const RankRun run { .folder = folder.filePath("run").toStdString(),
        .data = data,
        .recipe = recipe,
        .overrides = { "--max_key=hotword_F1" } };
    QVERIFY2(run.train().contains("it lists none"), qPrintable(run.train()));
}

/// A list as test_csv, as in upstream's LibriSpeech recipes: the same sounds under two names, of
/// which the second file lacks some.
void TstEvaluation::tests_areEachScored()
{
    const QTemporaryDir folder;
    const std::filesystem::path data = folder.filePath("data").toStdString();
    tests::writeNoises(data, 12);
    const Result<std::string> all = readFile(data / "train.csv");
    const std::string recipe = folder.filePath("recipe.yaml").toStdString();
    const Result<std::string> text = readFile(EARWRIGHT_CASES_DIR "/train/equal/conformer.yaml");
    QVERIFY(text && all && writeFileAtomically(data / "test-clean.csv", *all));
    QVERIFY(writeFileAtomically(data / "test-other.csv", all->substr(0, all->find("\n5,") + 1)));
    QVERIFY(writeFileAtomically(recipe,
        *text
            + "test_csv:\n    - !ref <data_folder>/test-clean.csv\n"
              "    - !ref <data_folder>/test-other.csv\n"));
    const RankRun run { .folder = folder.filePath("run").toStdString(),
        .data = data,
        .recipe = recipe,
        .overrides = { "--batch_size=4", "--optimizer_step_limit=2" },
        .ranks = 2 };
    QCOMPARE(run.train(), QString());
    const std::vector<run::Evaluated> scores = run::testScores(run.snapshot());
    QCOMPARE(scores.size(), size_t(2));
    QCOMPARE(scores[0].split, std::string("test-clean"));
    QCOMPARE(scores[1].split, std::string("test-other"));
    QVERIFY(scores[0].loss != scores[1].loss);
    QCOMPARE(pointsOf(run.snapshot(), "test-other/WER").front().value, scores[1].wer);
    const auto figure = [&](const char* tag) {
        const auto points = pointsOf(run.snapshot(), tag);
        return points.empty() ? std::nan("") : points.front().value;
    };
    QVERIFY(figure("test-other/WER_low") <= scores[1].wer);
    QVERIFY(figure("test-other/WER_high") >= scores[1].wer);
    QVERIFY(figure("test-other/CER_low") <= figure("test-other/CER_high"));
    QVERIFY(pointsOf(run.snapshot(), "valid/WER_low").empty());
    const auto lines = [&](const run::Evaluated& test) {
        const std::string aligned = *readFile(run.folder / test.alignmentsFile);
        return std::count(aligned.begin(), aligned.end(), '\n');
    };
    QVERIFY(lines(scores[0]) > lines(scores[1]));
    QVERIFY(lines(scores[1]) > 5);
    const std::vector<run::Utterance> rows = *run::readUtterances({ run.folder }, scores[0]);
    QVERIFY(rows.front().seconds > 0);
    QVERIFY(!rows.front().sound.empty());
    for (const run::Evaluated& test : scores)
        QCOMPARE(rowsDiffer({ run.folder }, test), std::string());
}

/// Segmented Mandarin with English: a blank is no character, and a word one unit.
void TstEvaluation::ideographs_areCountedWithoutBlanks()
{
    const QTemporaryDir folder;
    const std::filesystem::path data = folder.filePath("data").toStdString();
    tests::writeNoises(data, 12);
    QString rows = QString::fromStdString(*readFile(data / "train.csv"));
    rows.replace(QRegularExpression(",s,[A-F]+\n"), ",s,打 开 AB 看 看\n");
    QVERIFY(writeFileAtomically(data / "train.csv", rows.toStdString()));
    const RankRun run { .folder = folder.filePath("run").toStdString(),
        .data = data,
        .recipe = EARWRIGHT_CASES_DIR "/train/equal/crdnn.yaml",
        .overrides = { "--batch_size=4", "--optimizer_step_limit=2" } };
    QCOMPARE(run.train(), QString());
    const run::Evaluated scores = run.snapshot().evaluations.back();
    QCOMPARE(scores.rate, std::string("CER"));
    const QString aligned
        = QString::fromStdString(*readFile(run.folder / scores.alignmentsFile)).simplified();
    QVERIFY2(aligned.contains("打 ; 开 ; AB ; 看 ; 看"), qPrintable(aligned));
    QCOMPARE(rowsDiffer({ run.folder }, scores), std::string());
    QVERIFY(pointsOf(run.snapshot(), scores.split + "/WER_low").empty());
}

void TstEvaluation::piecesThatAreNoUtf8_areScored()
{
    const QTemporaryDir folder;
    const std::filesystem::path data = folder.filePath("data").toStdString();
    tests::writeNoises(data, 12);
    QVERIFY(writeFileAtomically(data / "broken.model", modelWithPieces("\xff", 1000)));
    QString text = QString::fromStdString(*readFile(EARWRIGHT_CASES_DIR "/train/equal/crdnn.yaml"));
    text.replace("n_neurons: 8", "n_neurons: 1060");
    text.replace("lr: 0.02", "lr: 0.000001"); // what is drawn says most of them
    text += "label_encoder_file: !ref <data_folder>/broken.model\n";
    const std::string recipe = folder.filePath("recipe.yaml").toStdString();
    QVERIFY(writeFileAtomically(recipe, text.toStdString()));
    const RankRun run { .folder = folder.filePath("run").toStdString(),
        .data = data,
        .recipe = recipe,
        .overrides = { "--batch_size=4", "--optimizer_step_limit=2" } };
    QCOMPARE(run.train(), QString());
    const std::string file = run.snapshot().evaluations.back().alignmentsFile;
    QVERIFY(readFile(run.folder / file)->find("\ufffd") != std::string::npos);
}

void TstEvaluation::intervals_areAmongTheFigures()
{
    Evaluation scores = scoresOf("WER");
    QVERIFY(!scores.figures().contains("WER_low"));
    scores.werInterval = score::Interval { 20, 40 };
    QCOMPARE(scores.figures().at("WER_low"), 20.0);
    QCOMPARE(scores.figures().at("WER_high"), 40.0);
}

EARWRIGHT_TEST(TstEvaluation)
#include "tst_evaluation.moc"
