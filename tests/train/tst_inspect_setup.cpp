#include "core/base/file.h"
#include "core/check/rule_table.h"
#include "core/plan/checked.h"
#include "core/train/inspect_setup.h"
#include "tests/registry.h"

#include <QDir>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace earwright;

using Words = std::vector<std::string>;
Q_DECLARE_METATYPE(Words)

namespace {

const std::string kLabels = "label_encoder: !new:speechbrain.dataio.encoder.CTCTextEncoder";
constexpr int kLongRows = 360; // of 3 kB, more than a MiB
constexpr int kFittingRows = 300;

/// Of "one" and "two": the same in each row, or another one.
std::string longText(int row, bool areDifferent)
{
    std::string text = "one";
    for (int word = 1; word < 750; ++word) {
        const bool isOne = areDifferent ? ((row >> (word % 9)) & 1) == 1 : word % 2 == 0;
        text += isOne ? " one" : " two";
    }
    return text;
}

} // namespace

/// What a run refuses before its first step is said by the check, in the same words.
class TstInspectSetUp : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void start_isRefusedBeforeIt_data();
    void start_isRefusedBeforeIt();
    void longTexts_areSetUpToo_data();
    void longTexts_areSetUpToo();
    void texts_areReadWithTheTokenizerThatIsTrained_data();
    void texts_areReadWithTheTokenizerThatIsTrained();
    void layerThatCannotBeBuilt_isShownAtItsPlace();
    void missingManifest_isLeftToOthers();

private:
    plan::Plan planOf(Words words, bool hasPieces) const;
    /// Of manifests in a folder of m_folder.
    plan::Plan planOf(const std::string& text, Words words, const QString& folder) const;
    static std::string recipeText(const char* file, bool hasPieces);
    void compare(const std::vector<recipe::Diagnostic>& found, const QString& rule,
        const QString& said) const;
    void writeSets(const QString& folder, const std::string& rows) const;

    QTemporaryDir m_folder;
};

void TstInspectSetUp::initTestCase()
{
    std::string rows;
    for (int i = 0; i < 8; ++i) // 7 labels with the blank
        rows += "u" + std::to_string(i) + ",0.5,u.wav,s,one two " + (i % 2 ? "one" : "two") + "\n";
    writeSets(".", rows);
    const auto writeLong = [this](const char* folder, int count, bool areDifferent) {
        std::string longRows;
        for (int i = 0; i < count; ++i)
            longRows
                += "u" + std::to_string(i) + ",400,u.wav,s," + longText(i, areDifferent) + "\n";
        writeSets(folder, longRows);
    };
    writeLong("fitting", kFittingRows, false);
    writeLong("repeated", kLongRows, false);
    writeLong("different", kLongRows, true);
}

/// As train, dev and test.
void TstInspectSetUp::writeSets(const QString& folder, const std::string& rows) const
{
    QVERIFY(QDir(m_folder.path()).mkpath(folder));
    for (const char* split : { "train", "dev", "test" }) {
        const QString file = m_folder.filePath(folder) + "/" + split + ".csv";
        QVERIFY(
            bool(writeFileAtomically(file.toStdString(), "ID,duration,wav,spk_id,wrd\n" + rows)));
    }
}

std::string TstInspectSetUp::recipeText(const char* file, bool hasPieces)
{
    Result<std::string> text = readFile(std::string(EARWRIGHT_SOURCE_DIR "/") + file);
    if (!text)
        qFatal("%s", text.error().message.c_str());
    if (hasPieces)
        text->replace(text->find(kLabels), kLabels.size(), "token_type: unigram");
    return *text;
}

plan::Plan TstInspectSetUp::planOf(Words words, bool hasPieces) const
{
    words.emplace_back("--channels=32");
    return planOf(recipeText("configs/fsdd/ctc_conv.yaml", hasPieces), std::move(words), ".");
}

plan::Plan TstInspectSetUp::planOf(
    const std::string& text, Words words, const QString& folder) const
{
    words.push_back("--data_folder=" + m_folder.filePath(folder).toStdString());
    check::Request request { .text = text, .fileName = "recipe.yaml", .overrides = {} };
    request.devices = "cpu";
    request.overrides = *recipe::parseOverrides(words);
    const plan::Checked checked = plan::checkRecipe(request, {});
    if (!checked.plan)
        qFatal("%s", checked.diagnostics.front().message.c_str());
    return *checked.plan;
}

void TstInspectSetUp::start_isRefusedBeforeIt_data()
{
    QTest::addColumn<Words>("words");
    QTest::addColumn<bool>("hasPieces");
    QTest::addColumn<QString>("rule"); // "" = nothing is refused
    QTest::addColumn<QString>("said");
    QTest::newRow("a recipe that trains") << Words {} << false << ""
                                          << "";
    QTest::newRow("few outputs")
        << Words { "--output_neurons=2" } << false << "label-count"
        << "the output layer has 2 classes, but the training texts have 7 labels with the special "
           "ones (label_encoder.txt lists them): set output_neurons to 7";
    QTest::newRow("a blank beyond the outputs")
        << Words { "--output_neurons=7", "--ctc_cost.blank_index=7" } << false << "set-up"
        << "'blank_index' of the CTC loss is 7, none of the output layer's 7 classes: set it to 0";
    QTest::newRow("another blank than the labels'")
        << Words { "--output_neurons=7", "--ctc_cost.blank_index=1" } << false << "set-up"
        << "'blank_index' of the CTC loss is 1, but the labels have the blank at 0: set both to "
           "the same";
    QTest::newRow("pieces") << Words { "--output_neurons=9" } << true << ""
                            << "";
    QTest::newRow("too many pieces")
        << Words { "--output_neurons=400" } << true << "set-up"
        << "no tokenizer of 400 pieces (unigram) can be trained on 8 texts: they give * at most; "
           "set the number of pieces to that or less";
    QTest::newRow("too few pieces")
        << Words { "--output_neurons=3" } << true << "set-up"
        << "no tokenizer of 3 pieces (unigram) can be trained on 8 texts: Vocabulary size is "
           "smaller than required_chars. *";
    QTest::newRow("no batch of a training")
        << Words { "--dynamic_batch_sampler.drop_last=True" } << false << "set-up"
        << "the training set '*train.csv' gives no batch: with drop_last, batch_size may be "
           "larger than the set";
    QTest::newRow("no batch of a validation")
        << Words { "--valid_dataloader_opts.drop_last=True" } << false << "set-up"
        << "the validation set '*dev.csv' gives no batch: *";
    QTest::newRow("no batch of a test")
        << Words { "--test_dataloader_opts.drop_last=True" } << false << "set-up"
        << "the test set '*test.csv' gives no batch: *";
    QTest::newRow("no batch, no epoch")
        << Words { "--dynamic_batch_sampler.drop_last=True", "--number_of_epochs=0" } << false << ""
        << "";
    QTest::newRow("the second stage's optimizer")
        << Words { "++SGD=!name:torch.optim.SGD {lr: 0.1, nesterov: True}", "++stage_one_epochs=1" }
        << false << "argument-type"
        << "nesterov needs momentum above 0 and dampening 0*";
    QTest::newRow("all too long")
        << Words { "++avoid_if_longer_than=0.1" } << false << "set-up"
        << "avoid_if_longer_than and avoid_if_shorter_than leave no utterance of *train.csv";
}

void TstInspectSetUp::start_isRefusedBeforeIt()
{
    QFETCH(Words, words);
    QFETCH(bool, hasPieces);
    QFETCH(QString, rule);
    QFETCH(QString, said);
    const auto found = train::inspectSetUp(planOf(words, hasPieces));
    compare(found, rule, said);
    QCOMPARE(recipe::hasErrors(found), !rule.isEmpty());
}

void TstInspectSetUp::compare(
    const std::vector<recipe::Diagnostic>& found, const QString& rule, const QString& said) const
{
    if (!found.empty())
        qInfo("%s", found[0].message.c_str());
    QCOMPARE(found.size(), rule.isEmpty() ? size_t { 0 } : size_t { 1 });
    if (rule.isEmpty())
        return;
    QCOMPARE(QString::fromStdString(found[0].rule), rule);
    QVERIFY(check::findRule(found[0].rule));
    const QRegularExpression pattern(QRegularExpression::anchoredPattern(
        QRegularExpression::escape(said).replace("\\*", ".*"))); // * in a path too
    QVERIFY2(pattern.match(QString::fromStdString(found[0].message)).hasMatch(),
        found[0].message.c_str());
}

/// Most are more than a check trains a tokenizer on, with their repeats: nothing is said of what
/// all of them may have.
void TstInspectSetUp::longTexts_areSetUpToo_data()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<std::string>("text");
    QTest::addColumn<Words>("words");
    QTest::addColumn<QString>("rule"); // "" = nothing is refused
    QTest::addColumn<QString>("said");
    const std::string convolutions = recipeText("configs/fsdd/ctc_conv.yaml", true);
    const std::string dropping = recipeText("tests/cases/train/equal/dropping.yaml", true);
    const std::string nesterov = "++SGD=!name:torch.optim.SGD {lr: 0.1, nesterov: True}";
    QTest::newRow("a recipe that trains")
        << "repeated" << convolutions << Words { "--output_neurons=8", "--channels=32" } << ""
        << "";
    QTest::newRow("too many pieces of few words")
        << "fitting" << convolutions << Words { "--output_neurons=40", "--channels=32" } << "set-up"
        << "no tokenizer of 40 pieces (unigram) can be trained on * texts: they give 9 at most; "
           "set the number of pieces to that or less";
    QTest::newRow("pieces that the repeats may have")
        << "repeated" << convolutions << Words { "--output_neurons=40", "--channels=32" } << ""
        << "";
    QTest::newRow("too few pieces for any repeats")
        << "repeated" << convolutions << Words { "--output_neurons=3", "--channels=32" } << "set-up"
        << "no tokenizer of 3 pieces (unigram) can be trained on * texts: Vocabulary size is "
           "smaller than required_chars. *";
    QTest::newRow("too few pieces, perhaps not with the repeats")
        << "repeated" << convolutions
        << Words { "--output_neurons=3", "--channels=32", "++character_coverage=0.99" } << ""
        << "";
    QTest::newRow("a static graph")
        << "repeated" << dropping << Words { "++output_neurons=8" } << ""
        << "";
    QTest::newRow("layers left out of a static graph")
        << "repeated" << dropping << Words { "++output_neurons=8", "--static_graph=True" }
        << "set-up"
        << "static_graph: True promises that every step uses the same parameters, *";
    QTest::newRow("the optimizer")
        << "repeated" << convolutions
        << Words { "--output_neurons=8", "--channels=32", nesterov, "++stage_one_epochs=1" }
        << "argument-type"
        << "nesterov needs momentum above 0 and dampening 0*";
    QTest::newRow("pieces that other texts may have")
        << "different" << convolutions << Words { "--output_neurons=400", "--channels=32" } << ""
        << "";
    QTest::newRow("their optimizer")
        << "different" << convolutions
        << Words { "--output_neurons=400", "--channels=32", nesterov, "++stage_one_epochs=1" }
        << "argument-type"
        << "nesterov needs momentum above 0 and dampening 0*";
    QTest::newRow("too few pieces for any texts")
        << "different" << convolutions << Words { "--output_neurons=3", "--channels=32" }
        << "set-up"
        << "no tokenizer of 3 pieces (unigram) can be trained on * texts: Vocabulary size is "
           "smaller than required_chars. *";
    QTest::newRow("too few pieces, perhaps")
        << "different" << convolutions
        << Words { "--output_neurons=3", "--channels=32", "++character_coverage=0.99" } << ""
        << "";
}

void TstInspectSetUp::longTexts_areSetUpToo()
{
    QFETCH(QString, folder);
    QFETCH(std::string, text);
    QFETCH(Words, words);
    QFETCH(QString, rule);
    QFETCH(QString, said);
    compare(train::inspectSetUp(planOf(text, words, folder)), rule, said);
}

/// The check of the data comes before it.
void TstInspectSetUp::texts_areReadWithTheTokenizerThatIsTrained_data()
{
    QTest::addColumn<QString>("folder"); // of the training texts
    QTest::addColumn<QString>("split"); // which has one row more
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("rule");
    QTest::addColumn<QString>("said");
    const QString unknown
        = "utterance 'x' cannot be spelt: the tokenizer has no piece for 'é', and its unk_id is "
          "the blank; *";
    for (const char* split : { "train", "dev", "test" })
        QTest::addRow("of %s", split) << "." << split << "one two"
                                      << ""
                                      << "";
    for (const char* split : { "dev", "test" })
        QTest::addRow("another letter of %s", split) << "." << split << "oné two"
                                                     << "data-unknown-character" << unknown;
    for (const char* split : { "train", "dev" })
        QTest::addRow("too short, of %s", split)
            << "." << split << QString("one two ").repeated(40).trimmed() << "data-too-short"
            << "utterance 'x' is too short for its transcript: *";
    QTest::newRow("another letter, of many texts") << "fitting"
                                                   << "dev"
                                                   << "oné two"
                                                   << "data-unknown-character" << unknown;
    QTest::newRow("a letter, where repeats were left out") << "repeated"
                                                           << "dev"
                                                           << "oné two"
                                                           << ""
                                                           << "";
    QTest::newRow("a letter that was perhaps cut off") << "different"
                                                       << "dev"
                                                       << "oné two"
                                                       << ""
                                                       << "";
}

void TstInspectSetUp::texts_areReadWithTheTokenizerThatIsTrained()
{
    QFETCH(QString, folder);
    QFETCH(QString, split);
    QFETCH(QString, words);
    QFETCH(QString, rule);
    QFETCH(QString, said);
    const auto fileOf = [&](const QString& in, const char* name) {
        return (m_folder.filePath(in) + "/" + name + ".csv").toStdString();
    };
    QVERIFY(QDir(m_folder.path()).mkpath("texts"));
    for (const char* name : { "train", "dev", "test" }) {
        const Result<std::string> rows = readFile(fileOf(folder, name));
        QVERIFY(bool(rows));
        const std::string row = "x,0.5,x.wav,s," + words.toStdString() + "\n";
        QVERIFY(
            bool(writeFileAtomically(fileOf("texts", name), *rows + (split == name ? row : ""))));
    }
    const plan::Plan plan = planOf(recipeText("configs/fsdd/ctc_conv.yaml", true),
        { "--output_neurons=8", "--channels=32" }, "texts");
    const auto found = train::inspectSetUp(plan);
    compare(found, rule, said);
    if (!rule.isEmpty() && !found.empty())
        QCOMPARE(found[0].span.file, fileOf("texts", split.toUtf8().constData()));
}

void TstInspectSetUp::layerThatCannotBeBuilt_isShownAtItsPlace()
{
    std::string text = recipeText("configs/fsdd/ctc_conv.yaml", false);
    text.replace(text.find("\nenc: "), 6, "\nbase: ");
    text += "\nenc: !new:speechbrain.nnet.adapters.AdaptedModel\n"
            "    model_to_adapt: !ref <base>\n"
            "    adapter_class: !name:speechbrain.nnet.adapters.LoRA\n"
            "    target_layers: [nothing]\n";
    const auto found = train::inspectSetUp(planOf(text, { "--channels=32" }, "."));
    compare(found, "set-up", "*target_layers*nothing*");
    const auto before = text.begin() + static_cast<ptrdiff_t>(text.find("\nenc: "));
    QVERIFY(found[0].span.begin.line > std::count(text.begin(), before, '\n') + 1);
}

/// The run makes it.
void TstInspectSetUp::missingManifest_isLeftToOthers()
{
    plan::Plan plan = planOf({ "--output_neurons=2" }, false);
    recipe::find(*plan.recipe, "valid_csv")->text = "nowhere.csv";
    QVERIFY(train::inspectSetUp(plan).empty());
}

EARWRIGHT_TEST(TstInspectSetUp)
#include "tst_inspect_setup.moc"
