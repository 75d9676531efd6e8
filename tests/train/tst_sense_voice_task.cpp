#include <QTest>
#include <torch/autograd.h>
#include <torch/utils.h>

#include "core/decode/ctc_greedy.h"
#include "core/recipe/resolve.h"
#include "core/tasks/sensevoice/task.h"
#include "tests/registry.h"
#include "tests/train/equal_recipes.h"

using namespace earwright;
using namespace earwright::train;

namespace {

constexpr int64_t kWaveSamples = 4000;
const std::vector<std::string> kSaid { "A B C", "D", "F E D C B", "A B", "C C D" };

/// Words: one of them is a language that upstream has no query for.
std::shared_ptr<const data::TextEncoder> richEncoder()
{
    return std::make_shared<const data::TextEncoder>(data::TextEncoder::fromWords(
        { "A B C D E F <|zh|> <|en|> <|fr|> <|NEUTRAL|> <|Speech|> <|woitn|> <|withitn|>" },
        settings::SpecialLabels { .blank = 0 }));
}

int64_t tokenOf(const std::string& label)
{
    const auto& labels = richEncoder()->labels();
    const auto at = std::find(labels.begin(), labels.end(), label);
    if (at == labels.end())
        qFatal("no label '%s'", label.c_str());
    return at - labels.begin();
}

Result<std::unique_ptr<Task>> madeOf(
    const std::string& text, const std::string& lossWeighting = "reduction")
{
    torch::manual_seed(3);
    const recipe::Resolved resolved
        = recipe::resolve(with(text, "!PLACEHOLDER", "nowhere"), "equal.yaml", {});
    return makeTask(*resolved.root, richEncoder(), torch::kCPU, lossWeighting);
}

std::unique_ptr<Task> senseVoice(
    const std::string& text, const std::string& lossWeighting = "reduction")
{
    Result<std::unique_ptr<Task>> task = madeOf(text, lossWeighting);
    if (!task)
        qFatal("%s", task.error().message.c_str());
    (*task)->modules().train(true);
    return std::move(*task);
}

/// Noises of several lengths with kSaid.
data::Batch saidIn(const std::string& language, const std::string& style = "<|woitn|>")
{
    const auto rows = std::ssize(kSaid);
    torch::manual_seed(11);
    data::Batch batch;
    batch.wavs_BT = torch::randn({ rows, kWaveSamples }, torch::kFloat) * 0.1;
    batch.wavLens_B = torch::tensor({ 0.7F, 0.5F, 1.F, 0.55F, 0.9F });
    batch.tokens_BL = torch::zeros({ rows, 5 }, torch::kLong);
    batch.tokenLens_B = torch::zeros({ rows }, torch::kFloat);
    for (int64_t row = 0; row < rows; ++row) {
        const auto tokens = *richEncoder()->encode(kSaid[static_cast<size_t>(row)]);
        for (size_t i = 0; i < tokens.size(); ++i)
            batch.tokens_BL[row][static_cast<int64_t>(i)] = tokens[i];
        batch.tokenLens_B[row] = static_cast<float>(tokens.size()) / 5;
        batch.tokens += std::ssize(tokens);
        batch.ids.push_back(std::to_string(row));
        batch.indices.push_back(row);
        batch.labels.push_back(
            { tokenOf(language), tokenOf("<|NEUTRAL|>"), tokenOf("<|Speech|>"), tokenOf(style) });
    }
    batch.texts = kSaid;
    batch.wholeSize = rows;
    batch.wholeTokens = batch.tokens;
    return batch;
}

/// What the encoder gives of a batch; what is drawn begins with a seed.
torch::Tensor encodedOf(Task& task, const data::Batch& batch, Stage stage)
{
    const torch::NoGradGuard noGrad;
    torch::Tensor encoded;
    task.observe([&](const std::string& key, const torch::Tensor& input) {
        encoded = key == "ctc" ? input : encoded;
    });
    const torch::Tensor features = task.features(batch, stage);
    torch::manual_seed(7);
    task.run(batch, features, stage);
    task.observe({});
    return encoded;
}

} // namespace

/// core/tasks/sensevoice: what is around the model, whose numbers tst_parity compares.
class TstSenseVoiceTask : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// So little work that more threads only wait for one another.
    void initTestCase() { at::set_num_threads(1); }
    void parts_addUp_data();
    void parts_addUp();
    void language_isToldWhereMoreThanAFifthIsDrawn();
    void evaluation_isToldTheRecipesLanguage();
    void style_isTheRowsOwn();
    void batchWithoutLabels_isTranscribed();
    void allParameters_learn();
    void bestPath_leavesTheLabelsOut();
    void mistakes_areNamed_data();
    void mistakes_areNamed();
};

void TstSenseVoiceTask::parts_addUp_data()
{
    QTest::addColumn<std::string>("weighting");
    for (const char* weighting : { "reduction", "utterances", "tokens" })
        QTest::newRow(weighting) << std::string(weighting);
}

/// Of a language without a query nothing is told, whatever is drawn.
void TstSenseVoiceTask::parts_addUp()
{
    QFETCH(std::string, weighting);
    c10::set_default_dtype(caffe2::TypeMeta::Make<double>());
    const auto task = senseVoice(recipeText("sense_voice"), weighting);
    const data::Batch batch = saidIn("<|fr|>");
    const torch::Tensor features = task->features(batch, Stage::Train);
    const double whole = task->run(batch, features, Stage::Train).loss.item<double>();
    double sum = 0;
    int64_t row = 0;
    for (const data::Batch& part : cut(batch, 3)) {
        const int64_t rows = std::ssize(part.ids);
        QCOMPARE(std::ssize(part.labels), rows);
        const torch::Tensor loss
            = task->run(part, features.narrow(0, row, rows), Stage::Train).loss;
        sum += loss.item<double>() * shareIn(batch, part, task->lossUnit());
        row += rows;
    }
    c10::set_default_dtype(caffe2::TypeMeta::Make<float>());
    QVERIFY(whole > 0.1);
    QVERIFY(std::abs(sum - whole) < 1e-10);
}

void TstSenseVoiceTask::language_isToldWhereMoreThanAFifthIsDrawn()
{
    const auto task = senseVoice(recipeText("sense_voice"));
    const torch::Tensor told = encodedOf(*task, saidIn("<|zh|>"), Stage::Train);
    const torch::Tensor never = encodedOf(*task, saidIn("<|fr|>"), Stage::Train);
    torch::manual_seed(7);
    const torch::Tensor drawn_B = torch::rand({ std::ssize(kSaid) }, torch::kFloat);
    for (int64_t row = 0; row < drawn_B.size(0); ++row)
        QCOMPARE(torch::equal(told[row], never[row]), drawn_B[row].item<float>() <= 0.2F);
}

void TstSenseVoiceTask::evaluation_isToldTheRecipesLanguage()
{
    const auto usual = senseVoice(recipeText("sense_voice"));
    const auto english = senseVoice(recipeText("sense_voice") + "told_language: en\n");
    const torch::Tensor encoded = encodedOf(*usual, saidIn("<|zh|>"), Stage::Valid);
    QVERIFY(torch::equal(encoded, encodedOf(*usual, saidIn("<|fr|>"), Stage::Valid)));
    QVERIFY(!torch::equal(encoded, encodedOf(*english, saidIn("<|zh|>"), Stage::Valid)));
}

void TstSenseVoiceTask::style_isTheRowsOwn()
{
    const auto task = senseVoice(recipeText("sense_voice"));
    const torch::Tensor plain = encodedOf(*task, saidIn("<|fr|>"), Stage::Valid);
    const torch::Tensor written = encodedOf(*task, saidIn("<|fr|>", "<|withitn|>"), Stage::Valid);
    QVERIFY(!torch::equal(plain, written));
}

void TstSenseVoiceTask::batchWithoutLabels_isTranscribed()
{
    const auto task = senseVoice(recipeText("sense_voice"));
    const auto written = senseVoice(recipeText("sense_voice") + "use_itn: True\n");
    data::Batch batch = saidIn("<|zh|>");
    const torch::Tensor plain = encodedOf(*task, batch, Stage::Test);
    batch.labels.clear();
    QVERIFY(torch::equal(encodedOf(*task, batch, Stage::Test), plain));
    QVERIFY(!torch::equal(encodedOf(*written, batch, Stage::Test), plain));
    QCOMPARE(task->recognise(batch, task->features(batch, Stage::Test), Stage::Test).size(),
        kSaid.size());
}

void TstSenseVoiceTask::allParameters_learn()
{
    const auto task = senseVoice(recipeText("sense_voice"));
    std::vector<torch::Tensor> inputs;
    for (const auto& [name, parameter] : task->modules().parameters())
        inputs.push_back(parameter);
    const torch::Tensor loss = task->run(saidIn("<|zh|>"), Stage::Train).loss;
    const auto gradients = torch::autograd::grad({ loss }, inputs, {}, {}, false, true);
    for (size_t i = 0; i < gradients.size(); ++i)
        QVERIFY2(gradients[i].defined(), task->modules().parameters()[i].first.c_str());
}

void TstSenseVoiceTask::bestPath_leavesTheLabelsOut()
{
    const auto certain = [](const std::vector<int64_t>& tokens) {
        return torch::one_hot(torch::tensor(tokens, torch::kLong), 9)
            .to(torch::kFloat)
            .unsqueeze(0);
    };
    const model::SenseVoiceScores scores { certain({ 5, 6, 7, 8 }), certain({ 0, 1, 1, 0, 2, 3 }) };
    const torch::Tensor counts_B = torch::tensor({ 5 }, torch::kLong);
    using Paths = std::vector<std::vector<int64_t>>;
    QVERIFY(
        decode::mergedPaths(model::bestLabels(scores, false), counts_B, 0) == (Paths { { 1, 2 } }));
    QVERIFY(decode::mergedPaths(model::bestLabels(scores, true), counts_B + model::kRichLabels, 0)
        == (Paths { { 5, 6, 7, 8, 1, 2 } }));
}

void TstSenseVoiceTask::mistakes_areNamed_data()
{
    QTest::addColumn<std::string>("recipe");
    QTest::addColumn<QString>("message");
    const std::string text = recipeText("sense_voice");
    QTest::newRow("rows of the table")
        << with(text, "num_embeddings: 16", "num_embeddings: 15")
        << "'embed' has 15 rows, and the queries are 16: set its num_embeddings to that";
    QTest::newRow("outputs") << with(text, "vocab_size: 18", "vocab_size: 9")
                             << "ctc has 9 outputs, but ";
    QTest::newRow("blank") << text + "blank_id: 20\n"
                           << "blank_id 20 is none of the 18 outputs of ctc";
    QTest::newRow("language") << text + "told_language: de\n"
                              << "'told_language' must be one of ";
    QTest::newRow("no table") << with(with(with(text,
                                               "embed: !new:torch.nn.Embedding\n"
                                               "    num_embeddings: 16\n"
                                               "    embedding_dim: 48\n",
                                               ""),
                                          "    embed: !ref <embed>\n", ""),
        ", !ref <embed>]", "]")
                              << "the task needs 'embed', a torch.nn.Embedding: the recipe does "
                                 "not define it";
}

void TstSenseVoiceTask::mistakes_areNamed()
{
    QFETCH(std::string, recipe);
    QFETCH(QString, message);
    const Result<std::unique_ptr<Task>> task = madeOf(recipe);
    QVERIFY(!task);
    const QString said = QString::fromStdString(task.error().message);
    QVERIFY2(said.startsWith(message), qPrintable(said));
}

EARWRIGHT_TEST(TstSenseVoiceTask)
#include "tst_sense_voice_task.moc"
