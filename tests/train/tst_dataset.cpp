#include "core/base/file.h"
#include "core/recipe/parse.h"
#include "core/train/dataset.h"
#include "tests/registry.h"

#include <QTemporaryDir>
#include <QTest>

using namespace earwright;

/// What a recipe's data settings make of its manifests.
class TstDataset : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void batches_areAsTheRecipeSays_data();
    void batches_areAsTheRecipeSays();
    void sampler_isReadWhole();
    void words_areSplitAsTheOptionSays();
    void longAndShort_areLeftOutOfTraining();
    void longOfOthers_areLeftOutByTheirOwnKey();
    void speeds_areDrawnWhileReading_data();
    void speeds_areDrawnWhileReading();
    void nothingLeft_isAnError();
    void packedSplit_isTheSame();
    void tests_haveTheNamesOfTheirFiles();
    void droppedBatch_hasItsLabels();

private:
    plan::Plan planOf(const std::string& text) const
    {
        const std::string manifests = "train_csv: " + m_csv + "\nvalid_csv: " + m_csv + "\n";
        plan::Plan plan;
        plan.setRecipe(
            recipe::parse(manifests + text, "recipe.yaml").root, { .sorting = "random" });
        return plan;
    }

    QTemporaryDir m_folder;
    std::string m_csv;
};

void TstDataset::initTestCase()
{
    m_csv = m_folder.filePath("all.csv").toStdString();
    QVERIFY(bool(writeFileAtomically(
        m_csv, "ID,duration,wav,spk_id,wrd\na,0.5,a.wav,s,A\nb,3,b.wav,s,B\nc,9.5,c.wav,s,C\n")));
}

void TstDataset::batches_areAsTheRecipeSays_data()
{
    QTest::addColumn<std::string>("recipe");
    QTest::addColumn<std::string>("split");
    QTest::addColumn<std::string>("sorting");
    QTest::addColumn<bool>("isDynamic");
    QTest::addColumn<bool>("dropsLast");
    const auto row = [](const char* name, const std::string& recipe, const std::string& split,
                         const std::string& sorting, bool isDynamic, bool dropsLast) {
        QTest::newRow(name) << recipe << split << sorting << isDynamic << dropsLast;
    };
    const std::string sampler = ":\n    max_batch_length: 10\n";
    row("nothing said", "", "train", "random", false, false);
    row("drop_last", "train_dataloader_opts: {drop_last: True, batch_size: 3}", "train", "random",
        false, true);
    row("its own split's", "train_dataloader_opts: {drop_last: True}", "valid", "ascending", false,
        false);
    row("shuffle", "train_dataloader_opts: {shuffle: False}", "train", "original", false, false);
    row("sampler", "dynamic_batch_sampler" + sampler, "train", "random", true, false);
    row("of training only", "dynamic_batch_sampler" + sampler, "valid", "ascending", false, false);
    row("by its split", "dynamic_batch_sampler_train" + sampler, "train", "random", true, false);
    row("of validation", "dynamic_batch_sampler_valid" + sampler, "valid", "ascending", true,
        false);
    row("of validation, shorter", "dynamic_batch_sampler_val" + sampler, "valid", "ascending", true,
        false);
    row("loader of all", "dataloader_options: {drop_last: True, batch_size: 3}", "valid",
        "ascending", false, true);
    row("loader of the test", "dataloader_options: {drop_last: True}\nvalid_dataloader_options: {}",
        "valid", "ascending", false, false);
    row("not in use", "dynamic_batching: False\ndynamic_batch_sampler_train" + sampler, "train",
        "random", false, false);
}

void TstDataset::batches_areAsTheRecipeSays()
{
    QFETCH(std::string, recipe);
    QFETCH(std::string, split);
    const auto read = train::readSplits(planOf(recipe), split);
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QTEST(read->at(0).batching.sorting, "sorting");
    QTEST(read->at(0).batching.dynamic, "isDynamic");
    QTEST(read->at(0).batching.dropLast, "dropsLast");
}

void TstDataset::words_areSplitAsTheOptionSays()
{
    plan::Plan plan = planOf("");
    QVERIFY(train::readSplits(plan, "valid")->at(0).wordSplit == score::WordSplit::WhiteSpace);
    plan.options.splitWords = "single_blanks";
    QVERIFY(train::readSplits(plan, "valid")->at(0).wordSplit == score::WordSplit::SingleBlanks);
}

void TstDataset::sampler_isReadWhole()
{
    const auto read = train::readSplits(planOf("dynamic_batch_sampler: {max_batch_length: 1, "
                                               "num_buckets: 9}\ndynamic_batch_sampler_train:\n"
                                               "    max_batch_length: 40\n    max_batch_ex: 7\n"
                                               "    bucket_boundaries: [1.5, 4, 30]\n"
                                               "    shuffle: False\n    drop_last: True\n"
                                               "    seed: 7\n"
                                               "    batch_ordering: descending\n"),
        "train");
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    const data::Batching& batching = read->at(0).batching;
    QCOMPARE(batching.maxBatchLengthSeconds, 40.0);
    QCOMPARE(batching.maxBatchExamples, int64_t { 7 });
    QCOMPARE(batching.numBuckets, int64_t { 20 }); // the split's own section stands alone
    QCOMPARE(batching.bucketBoundaries, (std::vector<double> { 1.5, 4, 30 }));
    QCOMPARE(batching.batchOrdering, std::string("descending"));
    QVERIFY(batching.dropLast && !batching.shuffleExamples);
    QVERIFY(batching.seed == 7);
    const auto sorted = train::readSplits(
        planOf("dynamic_batch_sampler: {max_batch_length: 60, sort_size: 1024}\n"), "train");
    QVERIFY(sorted && sorted->at(0).batching.sortSize == 1024);
    QCOMPARE(sorted->at(0).batching.batchOrdering, std::string("original"));
    const auto old = train::readSplits( // its name in SpeechBrain's templates
        planOf("dynamic_batch_sampler: {max_batch_length: 1, shuffle_ex: False}\n"), "train");
    QVERIFY(old && !old->at(0).batching.shuffleExamples && !old->at(0).batching.seed);
}

/// drop_last leaves out batches, not texts.
void TstDataset::droppedBatch_hasItsLabels()
{
    const plan::Plan plan
        = planOf("train_dataloader_opts: {drop_last: True, batch_size: 2, shuffle: False}\n");
    const auto train = train::readSplits(plan, "train");
    QVERIFY(train);
    const auto made = train::makeEncoder(plan, train->at(0));
    QVERIFY(made);
    QVERIFY(bool(made->encoder.encode("C")));
}

void TstDataset::longAndShort_areLeftOutOfTraining()
{
    const plan::Plan plan = planOf("avoid_if_longer_than: 9\navoid_if_shorter_than: 1\n");
    const auto train = train::readSplits(plan, "train");
    const auto valid = train::readSplits(plan, "valid");
    QVERIFY(train && valid);
    QCOMPARE(train->at(0).utterances->size(), size_t { 1 });
    QCOMPARE(train->at(0).utterances->front().id, std::string("b"));
    QCOMPARE(train->at(0).leftOut, size_t { 2 });
    QCOMPARE(valid->at(0).utterances->size(), size_t { 3 });
    QCOMPARE(valid->at(0).leftOut, size_t { 0 });
}

void TstDataset::longOfOthers_areLeftOutByTheirOwnKey()
{
    const plan::Plan plan = planOf("avoid_if_longer_than_val_test: 3\n");
    const auto train = train::readSplits(plan, "train");
    const auto valid = train::readSplits(plan, "valid");
    QVERIFY(train && valid);
    QCOMPARE(train->at(0).utterances->size(), size_t { 3 });
    QCOMPARE(valid->at(0).utterances->size(), size_t { 2 }); // 3 s is not longer
    QCOMPARE(valid->at(0).leftOut, size_t { 1 });
    QCOMPARE(valid->at(0).leftOutBy, std::string("avoid_if_longer_than_val_test"));
}

void TstDataset::speeds_areDrawnWhileReading_data()
{
    QTest::addColumn<std::string>("recipe");
    QTest::addColumn<QList<double>>("speeds");
    const std::string perturb = "_perturb: !new:speechbrain.augment.time_domain.SpeedPerturb\n"
                                "    orig_freq: 16000\n    speeds: [95, 100]\n";
    const std::string augment = "wav_augment: !new:speechbrain.augment.time_domain.SpeedPerturb\n"
                                "    orig_freq: 16000\n    speeds: [50, 200]\n";
    QTest::newRow("none") << std::string() << QList<double>();
    QTest::newRow("its own key") << "speed" + perturb << QList<double> { 0.95, 1 };
    QTest::newRow("another key") << "other" + perturb << QList<double>();
    QTest::newRow("wav_augment") << augment << QList<double> { 0.5, 2 };
    QTest::newRow("one after the other")
        << "speed" + perturb + augment << QList<double> { 0.475, 1.9, 0.5, 2 };
    QTest::newRow("switched off") << "speed" + perturb + "do_speed_perturb: False\n"
                                  << QList<double>();
}

void TstDataset::speeds_areDrawnWhileReading()
{
    QFETCH(std::string, recipe);
    QFETCH(QList<double>, speeds);
    const plan::Plan plan = planOf(recipe);
    const auto train = train::readSplits(plan, "train");
    const auto valid = train::readSplits(plan, "valid");
    QVERIFY(train && valid);
    const std::vector<double>& drawn = train->at(0).loader.speeds;
    QCOMPARE(std::ssize(drawn), speeds.size());
    for (size_t i = 0; i < drawn.size(); ++i)
        QCOMPARE(drawn[i], speeds[static_cast<qsizetype>(i)]);
    QVERIFY(valid->at(0).loader.speeds.empty());
}

void TstDataset::nothingLeft_isAnError()
{
    const auto read = train::readSplits(planOf("avoid_if_longer_than: 0.1\n"), "train");
    QVERIFY(!read);
    QVERIFY2(
        read.error().message.starts_with("avoid_if_longer_than"), read.error().message.c_str());
}

void TstDataset::tests_haveTheNamesOfTheirFiles()
{
    const auto other = m_folder.filePath("test-other.csv").toStdString();
    QVERIFY(bool(writeFileAtomically(other, "ID,duration,wav,spk_id,wrd\nd,1,d.wav,s,D\n")));
    const auto namesOf = [&](const std::string& value) {
        std::vector<std::string> names;
        const auto splits = train::readSplits(planOf("test_csv: " + value + "\n"), "test");
        for (const train::Split& split : *splits)
            names.push_back(split.name + " of " + split.utterances->front().id);
        return names;
    };
    using Words = std::vector<std::string>;
    QCOMPARE(namesOf("[" + other + ", " + m_csv + "]"), (Words { "test-other of d", "all of a" }));
    QCOMPARE(namesOf("[" + other + "]"), Words { "test-other of d" });
    QCOMPARE(namesOf(other), Words { "test of d" });
    QCOMPARE(namesOf("null"), Words());
}

void TstDataset::packedSplit_isTheSame()
{
    for (const char* recipe : { "", "sorting: descending\n", "avoid_if_longer_than: 1.5\n" }) {
        const plan::Plan plan = planOf(recipe);
        const auto whole = train::readSplits(plan, "train");
        const auto packed = train::readPackedSplits(plan, "train");
        QVERIFY(whole && packed);
        QCOMPARE(packed->size(), whole->size());
        const train::Split& split = whole->front();
        const train::PackedSplit& same = packed->front();
        QCOMPARE(same.split.leftOut, split.leftOut);
        QCOMPARE(same.split.manifest, split.manifest);
        QCOMPARE(same.utterances.size(), split.utterances->size());
        QCOMPARE(same.durationsSeconds.size(), split.utterances->size());
        for (size_t i = 0; i < split.utterances->size(); ++i) {
            QCOMPARE(same.utterances.at(i).id, (*split.utterances)[i].id);
            QCOMPARE(same.durationsSeconds[i], (*split.utterances)[i].durationSeconds);
        }
        QCOMPARE(train::trainingTexts(same), train::trainingTexts(split));
    }
}

EARWRIGHT_TEST(TstDataset)
#include "tst_dataset.moc"
