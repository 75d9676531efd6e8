#include "core/model/augment/speed.h"

#include "tests/model/augmentation.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright;
using namespace earwright::tests;
using train::BatchAugmenter;

namespace {

/// A recipe with this `wav_augment`.
recipe::Node recipeWith(const recipe::NodePtr& augmenter)
{
    recipe::Node root;
    root.kind = recipe::Kind::Mapping;
    root.entries.push_back({ recipe::makeScalar("wav_augment"), augmenter });
    return root;
}

} // namespace

class TstSpeed : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void speeds_areDrawnElsewhere();
    void speedThatIsNotAlwaysFirst_isDrawnForTheBatch_data();
    void speedThatIsNotAlwaysFirst_isDrawnForTheBatch();
    void gathering_resamplesAsTheReaderDoes();
};

void TstSpeed::speeds_areDrawnElsewhere()
{
    const recipe::NodePtr node = objectOf("speed: !new:" + kTime
        + "SpeedPerturb\n    orig_freq: 8000\n    speeds: [90, 110]\n" + "flip: !new:" + kTime
        + "SignFlip\n    flip_prob: 1.0\n" + "x: !new:" + kAugmenter
        + "\n    min_augmentations: 2\n    max_augmentations: 2\n"
        + "    augmentations: [!ref <speed>, !ref <flip>]\n");
    const auto speeds = train::speedsOf(recipeWith(node));
    QVERIFY(speeds == (std::vector<double> { 0.9, 1.1 }));
    const auto augmenter = BatchAugmenter::from(node.get(), kOfWaves);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    QVERIFY(torch::equal(augmenter->apply(waves(), lengths()).x, -waves()));
}

void TstSpeed::speedThatIsNotAlwaysFirst_isDrawnForTheBatch_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::newRow("behind another") << "    augmentations: [!ref <flip>, !ref <speed>]\n";
    for (const char* argument : { "shuffle_augmentations: True", "augment_prob: 0.99",
             "min_augmentations: 0", "concat_original: True", "repeat_augment: 2",
             "augment_end_index: 2", "parallel_augment: True" })
        QTest::newRow(argument) << QString("    augmentations: [!ref <speed>, !ref <flip>]\n    ")
                + argument + "\n";
    QTest::newRow("two speeds") << "    augmentations: [!ref <speed>, !ref <speed>]\n";
}

void TstSpeed::speedThatIsNotAlwaysFirst_isDrawnForTheBatch()
{
    QFETCH(QString, arguments);
    const recipe::NodePtr node = objectOf("speed: !new:" + kTime
        + "SpeedPerturb\n    orig_freq: 8000\n    speeds: [50]\nflip: !new:" + kTime
        + "SignFlip\nx: !new:" + kAugmenter + "\n    max_augmentations: 2\n"
        + arguments.toStdString());
    QVERIFY(train::speedsOf(recipeWith(node)).empty());
    const auto augmenter = BatchAugmenter::from(node.get(), kOfWaves);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    bool wasSlower = false;
    torch::manual_seed(2);
    for (int i = 0; i < 20; ++i) {
        const model::Augmented made = augmenter->apply(waves(), lengths());
        wasSlower = wasSlower || made.x.size(1) > kSamples;
        QCOMPARE(made.lengths_B.size(0), made.x.size(0));
    }
    QVERIFY(wasSlower);
    const QString refused
        = QString::fromStdString(refusal(node, { .isOfWaves = true, .carriesRows = false }));
    QVERIFY2(refused.contains("Paraformer"), qPrintable(refused));
}

void TstSpeed::gathering_resamplesAsTheReaderDoes()
{
    for (const double speed : { 0.5, 0.9, 0.95, 1.05, 1.1, 1.25, 2.0, 0.975, 0.983 }) {
        const data::Ratio ratio = data::speedRatio(speed);
        for (const int64_t samples : { 3, 100, 3999 }) {
            const torch::Tensor x = waves().slice(1, 0, samples);
            QVERIFY(torch::allclose(
                model::gathered(x, ratio), model::resampleRows(x, ratio), 1e-5, 1e-6));
        }
    }
}

EARWRIGHT_TEST(TstSpeed)
#include "tst_speed.moc"
