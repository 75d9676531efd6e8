#include "core/base/file.h"
#include "core/check/rule_table.h"
#include "core/plan/checked.h"
#include "core/train/inspect_setup.h"
#include "tests/registry.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace earwright;

using Words = std::vector<std::string>;
Q_DECLARE_METATYPE(Words)

/// What a run refuses before its first step is said by the check, in the same words.
class TstInspectSetUp : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void start_isRefusedBeforeIt_data();
    void start_isRefusedBeforeIt();
    void missingManifest_isLeftToOthers();

private:
    plan::Plan planOf(Words words, bool hasPieces) const;

    QTemporaryDir m_folder;
};

void TstInspectSetUp::initTestCase()
{
    std::string rows = "ID,duration,wav,spk_id,wrd\n";
    for (int i = 0; i < 8; ++i) // 7 labels with the blank
        rows += "u" + std::to_string(i) + ",0.5,u.wav,s,one two " + (i % 2 ? "one" : "two") + "\n";
    for (const char* split : { "train", "dev", "test" })
        QVERIFY(bool(
            writeFileAtomically(m_folder.filePath(QString(split) + ".csv").toStdString(), rows)));
}

plan::Plan TstInspectSetUp::planOf(Words words, bool hasPieces) const
{
    Result<std::string> text = readFile(EARWRIGHT_SOURCE_DIR "/configs/fsdd/ctc_conv.yaml");
    const std::string encoder = "label_encoder: !new:speechbrain.dataio.encoder.CTCTextEncoder";
    if (hasPieces)
        text->replace(text->find(encoder), encoder.size(), "token_type: unigram");
    words.insert(
        words.end(), { "--data_folder=" + m_folder.path().toStdString(), "--channels=32" });
    check::Request request { .text = *text, .fileName = "recipe.yaml", .overrides = {} };
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
    if (!found.empty())
        qInfo("%s", found[0].message.c_str());
    QCOMPARE(found.size(), rule.isEmpty() ? size_t { 0 } : size_t { 1 });
    if (rule.isEmpty())
        return;
    QCOMPARE(QString::fromStdString(found[0].rule), rule);
    QVERIFY(check::findRule(found[0].rule));
    QVERIFY(found[0].severity == recipe::Severity::Error);
    const QRegularExpression pattern(QRegularExpression::anchoredPattern(
        QRegularExpression::escape(said).replace("\\*", ".*"))); // * in a path too
    QVERIFY2(pattern.match(QString::fromStdString(found[0].message)).hasMatch(),
        found[0].message.c_str());
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
