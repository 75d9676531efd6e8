#include "core/recipe/resolve.h"
#include "core/settings/data_settings.h"
#include "tests/registry.h"

#include <QTest>

#include <cmath>

using namespace earwright;
using settings::DataSettings;

/// What the data side reads of a recipe, by all the names that upstream's recipes have for it.
class TstDataSettings final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recipeWithoutAny_hasTheDefaults();
    void ownKeys_winOverThoseOfAllSplits();
    void sampler_isFoundByItsNames_data();
    void sampler_isFoundByItsNames();
    void olderNames_areRead();
    void valueOfAnotherType_isTheDefault();
};

namespace {

DataSettings settingsOf(const std::string& text, const std::string& sorting = "random")
{
    return settings::dataSettings(*recipe::resolve(text, "r.yaml", {}).root, sorting);
}

} // namespace

void TstDataSettings::recipeWithoutAny_hasTheDefaults()
{
    const DataSettings data = settingsOf("seed: 1\n");
    QCOMPARE(data.sampleRateHz, 16000);
    QCOMPARE(data.dataFolder, std::string());
    QVERIFY(std::isinf(data.longestSeconds));
    QCOMPARE(data.train.batching.sorting, std::string("random"));
    QCOMPARE(data.valid.batching.sorting, std::string("ascending"));
    QCOMPARE(qint64(data.test.batching.batchSize), 8);
    QVERIFY(data.train.sampler.empty() && !data.train.batching.dynamic);
    QCOMPARE(data.train.numWorkers, 2);
}

void TstDataSettings::ownKeys_winOverThoseOfAllSplits()
{
    const DataSettings data = settingsOf("batch_size: 4\nnum_workers: 1\n"
                                         "train_dataloader_opts:\n    batch_size: 16\n"
                                         "    shuffle: False\n"
                                         "valid_dataloader_opts:\n    num_workers: 3\n"
                                         "    drop_last: True\n");
    QCOMPARE(qint64(data.train.batching.batchSize), 16);
    QCOMPARE(data.train.batching.sorting, std::string("original"));
    QCOMPARE(data.train.numWorkers, 1);
    QCOMPARE(qint64(data.valid.batching.batchSize), 4);
    QCOMPARE(data.valid.numWorkers, 3);
    QVERIFY(data.valid.batching.dropLast && !data.test.batching.dropLast);
    QCOMPARE(&data.of("valid"), &data.valid);
    QCOMPARE(settingsOf("train_dataloader_opts: {shuffle: False}\n", "descending")
                 .train.batching.sorting,
        std::string("descending"));
}

void TstDataSettings::sampler_isFoundByItsNames_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("samplers"); // of train, valid, test
    const QString one = "dynamic_batch_sampler%1:\n    max_batch_length: 9\n";
    QTest::newRow("for training") << one.arg("") << QStringList { "dynamic_batch_sampler", "", "" };
    QTest::newRow("one a split") << one.arg("_train") + one.arg("_valid")
                                 << QStringList { "dynamic_batch_sampler_train",
                                        "dynamic_batch_sampler_valid", "" };
    QTest::newRow("switched off") << one.arg("") + "dynamic_batching: False\n"
                                  << QStringList { "", "", "" };
    QTest::newRow("no section") << "dynamic_batch_sampler: 9\n" << QStringList { "", "", "" };
}

void TstDataSettings::sampler_isFoundByItsNames()
{
    QFETCH(QString, text);
    QFETCH(QStringList, samplers);
    const DataSettings data = settingsOf(text.toStdString());
    QCOMPARE(QString::fromStdString(data.train.sampler), samplers[0]);
    QCOMPARE(QString::fromStdString(data.valid.sampler), samplers[1]);
    QCOMPARE(QString::fromStdString(data.test.sampler), samplers[2]);
    QCOMPARE(data.train.batching.dynamic, !samplers[0].isEmpty());
    QCOMPARE(data.train.batching.maxBatchLengthSeconds, samplers[0].isEmpty() ? 200.0 : 9.0);
    QCOMPARE(QString::fromStdString(data.train.lengthKey),
        samplers[0].isEmpty() ? "" : samplers[0] + ".max_batch_length");
}

void TstDataSettings::olderNames_areRead()
{
    const auto [loader, sampler, lengthKey, batching, workers, ahead]
        = settingsOf("dynamic_batch_sampler:\n    max_batch_len: 12\n    shuffle_ex: False\n"
                     "    bucket_boundaries: [1, 2.5]\n    seed: 4\n")
              .train;
    QCOMPARE(batching.maxBatchLengthSeconds, 12.0);
    QCOMPARE(lengthKey, std::string("dynamic_batch_sampler.max_batch_len"));
    QVERIFY(!batching.shuffleExamples);
    QCOMPARE(batching.bucketBoundaries, (std::vector<double> { 1, 2.5 }));
    QCOMPARE(qint64(batching.seed.value_or(0)), 4);
}

/// The check tells it.
void TstDataSettings::valueOfAnotherType_isTheDefault()
{
    const DataSettings data = settingsOf("sample_rate: fast\nbatch_size: [1]\n"
                                         "avoid_if_longer_than: long\n");
    QCOMPARE(data.sampleRateHz, 16000);
    QCOMPARE(qint64(data.train.batching.batchSize), 8);
    QVERIFY(std::isinf(data.longestSeconds));
}

EARWRIGHT_TEST(TstDataSettings)
#include "tst_data_settings.moc"
