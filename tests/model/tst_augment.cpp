#include "core/train/task/augment.h"

#include "core/precision/precision.h"
#include "tests/model/augmentation.h"
#include "tests/registry.h"

#include <ATen/record_function.h>
#include <QTest>

using namespace earwright;
using namespace earwright::tests;
using train::BatchAugmenter;

namespace {

int g_doubleReads = 0; // RecordFunction takes plain functions

std::unique_ptr<at::ObserverContext> countDoubleRead(const at::RecordFunction& operation)
{
    if (std::string_view(operation.name()) == "aten::_local_scalar_dense"
        && operation.inputs()[0].toTensor().scalar_type() == torch::kDouble)
        ++g_doubleReads;
    return nullptr;
}

} // namespace

class TstAugment : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void restoredGenerator_drawsTheSame_data();
    void restoredGenerator_drawsTheSame();
    void apply_readsNoNumberOfTheWaves_data();
    void apply_readsNoNumberOfTheWaves();
    void underAutocast_nothingIsRounded_data();
    void underAutocast_nothingIsRounded();
    void silence_staysSilence_data();
    void silence_staysSilence();
    void rows_areToldOfWhichTheyWereMade_data();
    void rows_areToldOfWhichTheyWereMade();
    void warp_isDoneInBothModes();
    void whatAParaformerCannotDo_isRefusedInWords_data();
    void whatAParaformerCannotDo_isRefusedInWords();
    void whatATrainingCannotDo_isRefusedInWords_data();
    void whatATrainingCannotDo_isRefusedInWords();
    void disabledAugmentation_isLeftOut();
    void switchedOffAugmentations_countInTheDraw();
};

void TstAugment::restoredGenerator_drawsTheSame_data()
{
    QTest::addColumn<QString>("className");
    for (const char* name :
        { "AddNoise", "DropChunk", "DropFreq", "DoClip", "RandAmp", "DropBitResolution" })
        QTest::newRow(name) << QString::fromStdString(kTime + name);
    for (const char* name : { "SpectrogramDrop", "Warping" })
        QTest::newRow(name) << QString::fromStdString(kFrequency + name);
}

void TstAugment::restoredGenerator_drawsTheSame()
{
    QFETCH(QString, className);
    const auto& use = className.contains("freq_domain") ? kOfFeatures : kOfWaves;
    const auto augmenter = BatchAugmenter::from(object(className.toStdString(), "").get(), use);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    const torch::Tensor x = use.isOfWaves ? waves() : waves().view({ kRows, 100, 40 });
    const torch::Tensor before = x.clone();
    torch::manual_seed(17);
    (void)augmenter->apply(x, lengths());
    auto generator = at::globalContext().defaultGenerator(at::kCPU);
    const torch::Tensor state = generator.get_state();
    const torch::Tensor first = augmenter->apply(x, lengths()).x;
    const torch::Tensor second = augmenter->apply(x, lengths()).x;
    generator.set_state(state);
    QVERIFY(torch::equal(augmenter->apply(x, lengths()).x, first));
    QVERIFY(torch::equal(augmenter->apply(x, lengths()).x, second));
    QVERIFY2(torch::equal(x, before), "its input was changed");
    QCOMPARE(first.sizes(), x.sizes());
}

void TstAugment::apply_readsNoNumberOfTheWaves_data()
{
    restoredGenerator_drawsTheSame_data();
    QTest::newRow("SignFlip") << QString::fromStdString(kTime + "SignFlip");
}

/// Draws are float32 or int64, so a number that is read from a float64 is one of the device's.
void TstAugment::apply_readsNoNumberOfTheWaves()
{
    QFETCH(QString, className);
    const auto& use = className.contains("freq_domain") ? kOfFeatures : kOfWaves;
    const auto augmenter = BatchAugmenter::from(object(className.toStdString(), "").get(), use);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    const torch::Tensor x
        = (use.isOfWaves ? waves() : waves().view({ kRows, 100, 40 })).to(torch::kDouble);
    const auto handle
        = at::addThreadLocalCallback(at::RecordFunctionCallback(countDoubleRead).needsInputs(true));
    g_doubleReads = 0;
    torch::manual_seed(17);
    for (int i = 0; i < 20; ++i) // whatever is drawn
        QCOMPARE(augmenter->apply(x, lengths()).x.sizes(), x.sizes());
    const int reads = g_doubleReads;
    (void)x.sum().item<double>();
    at::removeCallback(handle);
    QCOMPARE(reads, 0);
    QCOMPARE(g_doubleReads, 1);
}

void TstAugment::underAutocast_nothingIsRounded_data()
{
    QTest::addColumn<QString>("className");
    for (const char* name : { "AddNoise", "DropFreq", "DoClip", "DropBitResolution" })
        QTest::newRow(name) << QString::fromStdString(kTime + name);
}

void TstAugment::underAutocast_nothingIsRounded()
{
    QFETCH(QString, className);
    const auto augmenter
        = BatchAugmenter::from(object(className.toStdString(), "").get(), kOfWaves);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    const torch::Tensor x = waves();
    torch::manual_seed(17);
    const torch::Tensor expected = augmenter->apply(x, lengths()).x;
    const precision::Autocast bf16(precision::Type::Bf16, torch::kCPU);
    torch::manual_seed(17);
    const torch::Tensor made = augmenter->apply(x, lengths()).x;
    QCOMPARE(made.scalar_type(), torch::kFloat32);
    QVERIFY(torch::equal(made, expected));
}

void TstAugment::silence_staysSilence_data()
{
    QTest::addColumn<QString>("className");
    for (const char* name : { "AddNoise", "DropChunk", "DropFreq", "DoClip", "RandAmp",
             "DropBitResolution", "SignFlip" })
        QTest::newRow(name) << QString::fromStdString(kTime + name);
}

void TstAugment::silence_staysSilence()
{
    QFETCH(QString, className);
    const auto augmenter
        = BatchAugmenter::from(object(className.toStdString(), "").get(), kOfWaves);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    const torch::Tensor silent = torch::zeros({ kRows, kSamples });
    QVERIFY(torch::equal(augmenter->apply(silent, lengths()).x.abs(), silent));
}

void TstAugment::rows_areToldOfWhichTheyWereMade_data()
{
    using Rows = QList<int>;
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<Rows>("rows");
    QTest::newRow("as given") << "" << Rows();
    QTest::newRow("the unchanged too") << "concat_original: True" << Rows { 0, 1, 2, 0, 1, 2 };
    QTest::newRow("twice") << "repeat_augment: 2" << Rows { 0, 1, 2, 0, 1, 2 };
    QTest::newRow("each alone") << "parallel_augment: True" << Rows { 0, 1, 2, 0, 1, 2 };
    QTest::newRow("each alone, as many")
        << "parallel_augment: True\n    parallel_augment_fixed_bs: True" << Rows { 0, 1, 2 };
    QTest::newRow("some") << "augment_start_index: 1" << Rows { 1, 2 };
    QTest::newRow("none") << "augment_start_index: 2\n    augment_end_index: 2" << Rows { 0, 1, 2 };
    QTest::newRow("some beside others")
        << "augment_start_index: 2\n    concat_original: True\n    concat_end_index: 2"
        << Rows { 0, 1, 2 };
}

void TstAugment::rows_areToldOfWhichTheyWereMade()
{
    QFETCH(QString, arguments);
    QFETCH(QList<int>, rows);
    const recipe::NodePtr node = objectOf("flip: !new:" + kTime + "SignFlip\nx: !new:" + kAugmenter
        + "\n    min_augmentations: 2\n    augmentations: [!ref <flip>, !ref <flip>]\n    "
        + arguments.toStdString() + "\n");
    const auto augmenter = BatchAugmenter::from(node.get(), kOfWaves);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    const model::Augmented made = augmenter->apply(waves(), lengths());
    QList<int> found;
    for (int64_t i = 0; i < (rows.isEmpty() ? 0 : made.rows_B.size(0)); ++i)
        found << made.rows_B[i].item<int>();
    QCOMPARE(found, rows);
    const int64_t count = rows.isEmpty() ? kRows : rows.size();
    QCOMPARE(made.x.size(0), count);
    for (int64_t i = 0; i < rows.size(); ++i) {
        QVERIFY(torch::equal(made.x[i].abs(), waves()[rows[i]].abs()));
        QVERIFY(torch::equal(made.lengths_B[i], lengths()[rows[i]]));
    }
    const bool isLeft = rows.isEmpty() || arguments.contains("fixed_bs");
    QCOMPARE(refusal(node, { .isOfWaves = true, .carriesRows = false }).empty(), isLeft);
}

void TstAugment::warp_isDoneInBothModes()
{
    std::vector<torch::Tensor> warped;
    for (const char* mode : { "bicubic", "bilinear" }) {
        const auto augmenter = BatchAugmenter::from(
            object(kFrequency + "Warping", std::string("    warp_mode: ") + mode + "\n").get(),
            kOfFeatures);
        QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
        torch::manual_seed(17);
        warped.push_back(augmenter->apply(waves().view({ kRows, 100, 40 }), lengths()).x);
    }
    QVERIFY(!torch::equal(warped[0], warped[1]));
    // Between two frames bilinear stays between their values, bicubic overshoots.
    QVERIFY(warped[1].max().item<double>() <= waves().max().item<double>());
    const QString refused = QString::fromStdString(
        refusal(object(kFrequency + "Warping", "    warp_mode: nearest\n"), kOfFeatures));
    QVERIFY2(refused.contains("one of bicubic, bilinear"), qPrintable(refused));
}

void TstAugment::whatAParaformerCannotDo_isRefusedInWords_data()
{
    QTest::addColumn<QString>("className");
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("words");
    const QString augmenter = QString::fromStdString(kAugmenter);
    QTest::newRow("rows") << augmenter << "    concat_original: True\n"
                          << "'concat_original' of Augmenter is not supported here";
    QTest::newRow("end") << augmenter << "    augment_end_index: 3\n"
                         << "changes the rows";
    QTest::newRow("lengths") << QString::fromStdString(kFrequency + "RandomShift") << "    dim: 1\n"
                             << "use dim: 2";
}

void TstAugment::whatAParaformerCannotDo_isRefusedInWords()
{
    QFETCH(QString, className);
    QFETCH(QString, arguments);
    QFETCH(QString, words);
    const recipe::NodePtr node = object(className.toStdString(), arguments.toStdString());
    const bool isOfWaves = !className.contains("freq_domain");
    const QString message
        = QString::fromStdString(refusal(node, { .isOfWaves = isOfWaves, .carriesRows = false }));
    QVERIFY2(message.contains(words), qPrintable(message));
    QCOMPARE(refusal(node, { .isOfWaves = isOfWaves, .carriesRows = true }), std::string());
}

void TstAugment::whatATrainingCannotDo_isRefusedInWords_data()
{
    QTest::addColumn<QString>("className");
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const std::string& className, const char* arguments,
                         const char* words) {
        QTest::newRow(name) << QString::fromStdString(className) << arguments << words;
    };
    row("bounds", kTime + "DropChunk", "    drop_length_low: 3000\n    drop_length_high: 1000\n",
        "must be at most 'drop_length_high' 1000, not 3000");
    row("in turn", kTime + "AddNoise", "    csv_file: n.csv\n    sorting: original\n",
        "use random");
    row("no file", kTime + "AddNoise", "    csv_file: /nowhere/n.csv\n", "/nowhere/n.csv");
    row("no manifest", kTime + "AddReverb", "    csv_file: null\n", "must be a string, not null");
    row("masks drawn once", kTime + "FastDropChunk", "", "use DropChunk");
    row("of features", kFrequency + "Warping", "", "is not an augmentation of waves");
    row("unknown", kTime + "CutCat", "", "is not an augmentation that Earwright can apply");
}

void TstAugment::whatATrainingCannotDo_isRefusedInWords()
{
    QFETCH(QString, className);
    QFETCH(QString, arguments);
    QFETCH(QString, words);
    const QString message = QString::fromStdString(
        refusal(object(className.toStdString(), arguments.toStdString()), kOfWaves));
    QVERIFY2(message.startsWith("t.yaml:"), qPrintable(message));
    QVERIFY2(message.contains(words), qPrintable(message));
}

void TstAugment::disabledAugmentation_isLeftOut()
{
    const recipe::NodePtr node = objectOf("flip: !new:" + kTime + "SignFlip\n    flip_prob: 1.0\n"
        + "x: !new:" + kAugmenter
        + "\n    augmentations: [!ref <flip>]\n    enable_augmentations: [False]\n");
    const auto augmenter = BatchAugmenter::from(node.get(), kOfWaves);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    QVERIFY(torch::equal(augmenter->apply(waves(), lengths()).x, waves()));
}

/// Of two numbers, 1 and 4, upstream's draw is one of 1 to 4, of which three apply both.
void TstAugment::switchedOffAugmentations_countInTheDraw()
{
    const std::string low = "    amp_low: 0.5\n    amp_high: 0.5\n";
    const recipe::NodePtr node
        = objectOf("flip: !new:" + kTime + "SignFlip\n    flip_prob: 1.0\nquiet: !new:" + kTime
            + "RandAmp\n" + low + "x: !new:" + kAugmenter
            + "\n    augmentations: [!ref <flip>, !ref <quiet>, !ref <flip>, !ref <flip>]\n"
            + "    enable_augmentations: [True, True, False, False]\n");
    const auto augmenter = BatchAugmenter::from(node.get(), kOfWaves);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    const torch::Tensor given = waves(); // which seeds
    torch::manual_seed(3);
    constexpr int kDraws = 400;
    int both = 0;
    for (int i = 0; i < kDraws; ++i)
        both += torch::equal(augmenter->apply(given, lengths()).x, -given) ? 0 : 1;
    QVERIFY2(both > 0.68 * kDraws && both < 0.82 * kDraws, qPrintable(QString::number(both)));
}

EARWRIGHT_TEST(TstAugment)
#include "tst_augment.moc"
