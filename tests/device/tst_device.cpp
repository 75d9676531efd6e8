#include <QTest>

#include "tests/device/device_case.h"
#include "tests/device/own_process.h"
#include "tests/device/strict_device.h"
#include "tests/registry.h"
#include "tests/train/equal_recipes.h"
#include "tests/train/offered_optimizers.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <csignal>

using namespace earwright;
using namespace earwright::tests;
using earwright::train::recipeText;
using earwright::train::with;

namespace {

/// "WHAT in CALLER", without the caller's arguments; sorted.
nlohmann::json waitsOf(const DeviceLog& log)
{
    std::vector<std::string> all;
    for (const HostWait& wait : log.waits) {
        const std::string caller = callerOf(wait);
        all.push_back(wait.what + " in " + caller.substr(0, caller.find('(')));
    }
    std::sort(all.begin(), all.end());
    return all;
}

/// What a case does on the strict device.
WorkEnd alone(const DeviceCase& what)
{
    return inOwnProcess([&] {
        installStrictDevice();
        const DevicePass pass = passOn(kStrictDevice, what);
        return nlohmann::json { { "waits", waitsOf(pass.step) },
            { "operators", pass.step.operators }, { "losses", pass.losses } };
    });
}

/// And beside the CPU.
WorkEnd beside(const DeviceCase& what)
{
    return inOwnProcess([&] {
        installStrictDevice();
        const DevicePass host = passOn(c10::Device(at::kCPU), what);
        const DevicePass device = passOn(kStrictDevice, what);
        const WeightOff furthest = furthestWeight(host, device);
        return nlohmann::json { { "waits", waitsOf(device.step) },
            { "operators", device.step.operators }, { "losses", device.losses },
            { "host_losses", host.losses }, { "off", furthest.off }, { "furthest", furthest.name },
            { "same_texts", host.texts == device.texts }, { "texts", device.texts.size() } };
    });
}

using Waits = std::vector<std::string>;

/// LibTorch's CTC loss copies the lengths of each batch, forward and backward.
const Waits kCtcLoss { "aten::_ctc_loss copies lengths in earwright::model::ctcLoss",
    "aten::_ctc_loss_backward copies lengths in ?" };
/// Its mean over texts moves their lengths besides.
const Waits kMeanCtcLoss { kCtcLoss[0], kCtcLoss[1],
    "blocking copy to the device in earwright::model::ctcLoss" };
/// Lengths to the host, an order to the device and back: LibTorch packs sequences on the CPU.
const Waits kPacked { "blocking copy to the device in earwright::model::Recurrent::runPacked",
    "copy to the host in earwright::model::Recurrent::runPacked",
    "copy to the host in earwright::model::Recurrent::runPacked" };

Waits joined(Waits one, const Waits& other)
{
    one.insert(one.end(), other.begin(), other.end());
    std::sort(one.begin(), one.end());
    return one;
}

QByteArray listed(const nlohmann::json& value)
{
    return QByteArray::fromStdString(value.dump(2));
}

constexpr const char* kSpecAug = "specaug: !new:funasr.models.specaug.specaug.SpecAugLFR\n"
                                 "    apply_time_warp: True\n"
                                 "    time_warp_window: 2\n"
                                 "    lfr_rate: 2\n"
                                 "    freq_mask_width_range: [0, 6]\n"
                                 "    num_freq_mask: 1\n"
                                 "    time_mask_width_range: [0, 6]\n"
                                 "    num_time_mask: 1\n";

/// conformer.yaml with one augmentation, `key` wav_augment or fea_augment.
std::string augmented(const std::string& key, const std::string& kind)
{
    return recipeText("conformer") + "aug: !new:speechbrain.augment." + kind + "\n" + key
        + ": !new:speechbrain.augment.augmenter.Augmenter\n    augmentations: [!ref <aug>]\n"
        + "    concat_original: True\n";
}

} // namespace

/// A training on a device whose memory the host cannot touch: which operands lie on the wrong
/// device, and where the host would wait for a GPU. Needs no GPU; proves nothing of CUDA's kernels.
class TstDevice : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void task_trainsAndEvaluatesAsOnTheCpu_data();
    void task_trainsAndEvaluatesAsOnTheCpu();
    void optimizer_waitsForNothing_data();
    void optimizer_waitsForNothing();
    void augmentation_staysOnTheDevice_data();
    void augmentation_staysOnTheDevice();
    void layerOnTheCpu_isCaught();
    void readNumber_isCaught();
    void touchedMemory_isCaught();
    void blockingCopy_isCaught();
};

void TstDevice::task_trainsAndEvaluatesAsOnTheCpu_data()
{
    QTest::addColumn<std::string>("recipe");
    QTest::addColumn<Waits>("waits");
    QTest::newRow("ctc, Conformer") << recipeText("conformer") << kMeanCtcLoss;
    QTest::newRow("ctc, RoPEMHA") << with(recipeText("conformer"), "RelPosMHAXL", "RoPEMHA")
                                  << kMeanCtcLoss;
    QTest::newRow("ctc, regularMHA")
        << with(recipeText("conformer"), "RelPosMHAXL", "regularMHA") << kMeanCtcLoss;
    QTest::newRow("ctc, CRDNN") << recipeText("crdnn") << kMeanCtcLoss;
    QTest::newRow("ctc, LSTM") << recipeText("lstm") << joined(kMeanCtcLoss, kPacked);
    QTest::newRow("ctc_attention") << recipeText("joint") << kCtcLoss;
    QTest::newRow("paraformer") << recipeText("paraformer") << Waits {};
    QTest::newRow("seaco_paraformer") << recipeText("seaco_paraformer") << Waits {};
}

void TstDevice::task_trainsAndEvaluatesAsOnTheCpu()
{
    QFETCH(std::string, recipe);
    QFETCH(Waits, waits);
    const WorkEnd end = beside({ .recipe = recipe });
    QVERIFY2(end.signal == 0, "the host touched the device's memory");
    QCOMPARE(QString::fromStdString(end.error), QString());
    QVERIFY(end.result["operators"].get<int>() > 300);
    QVERIFY(end.result["texts"].get<int>() == 10);
    QVERIFY2(end.result["waits"] == nlohmann::json(waits), listed(end.result["waits"]));
    constexpr double kRounding = 1e-3; // of biases that were zero two steps ago
    QVERIFY2(end.result["off"].get<double>() <= kRounding, listed(end.result));
    QVERIFY(end.result["same_texts"].get<bool>());
}

void TstDevice::optimizer_waitsForNothing_data()
{
    QTest::addColumn<std::string>("optimizer");
    for (const std::string& optimizer : offeredOptimizers())
        QTest::addRow("%s", optimizer.c_str()) << optimizer;
}

void TstDevice::optimizer_waitsForNothing()
{
    QFETCH(std::string, optimizer);
    const WorkEnd end = alone({ .recipe = recipeText("paraformer"), .optimizer = optimizer });
    QVERIFY2(end.signal == 0, "the host touched the device's memory");
    QCOMPARE(QString::fromStdString(end.error), QString());
    QVERIFY2(end.result["waits"].empty(), listed(end.result["waits"]));
}

void TstDevice::augmentation_staysOnTheDevice_data()
{
    QTest::addColumn<std::string>("recipe");
    for (const char* kind :
        { "DropFreq", "DropChunk {drop_length_low: 100, drop_length_high: 200, noise_factor: 0.5}",
            "DoClip", "RandAmp {amp_low: 0.5, amp_high: 1.0}", "DropBitResolution", "SignFlip",
            "AddNoise", "SpeedPerturb {orig_freq: 8000, speeds: [90]}" })
        QTest::addRow("%s", kind) << augmented("wav_augment", std::string("time_domain.") + kind);
    for (const char* kind : { "SpectrogramDrop {drop_length_low: 2, drop_length_high: 5, "
                              "replace: rand}",
             "SpectrogramDrop {drop_length_low: 2, drop_length_high: 5, replace: mean, dim: 2}",
             "SpectrogramDrop {drop_length_low: 2, drop_length_high: 5, replace: cutcat}",
             "Warping", "RandomShift {min_shift: 0, max_shift: 3}" })
        QTest::addRow("%s", kind) << augmented("fea_augment", std::string("freq_domain.") + kind);
    for (const char* name : { "paraformer", "seaco_paraformer" })
        QTest::addRow("SpecAugLFR, %s", name)
            << with(recipeText(name), "encoder: !new", kSpecAug + std::string("encoder: !new"));
    QTest::newRow("dropout") << recipeText("dropping");
}

/// Chance is drawn on the device, so the numbers are not the CPU's.
void TstDevice::augmentation_staysOnTheDevice()
{
    QFETCH(std::string, recipe);
    const WorkEnd end = alone({ .recipe = recipe });
    QVERIFY2(end.signal == 0, "the host touched the device's memory");
    QCOMPARE(QString::fromStdString(end.error), QString());
    for (const nlohmann::json& loss : end.result["losses"])
        QVERIFY(loss.is_number() && std::isfinite(loss.get<double>()));
    const bool hasCtcLoss = recipe.find("task: ctc") != std::string::npos;
    QVERIFY2(end.result["waits"] == nlohmann::json(hasCtcLoss ? kMeanCtcLoss : Waits {}),
        listed(end.result["waits"]));
}

void TstDevice::layerOnTheCpu_isCaught()
{
    const auto change = [](train::Task& task) {
        for (const auto& [name, parameter] : task.modules().parameters()) {
            if (name.starts_with("ctc_lin."))
                torch::Tensor(parameter).set_data(parameter.detach().cpu());
        }
    };
    const WorkEnd end = inOwnProcess([&] {
        installStrictDevice();
        passOn(kStrictDevice, { .recipe = recipeText("conformer"), .change = change });
        return nlohmann::json();
    });
    QCOMPARE(end.signal, 0);
    QVERIFY2(QByteArray::fromStdString(end.error).contains("is on the CPU, beside operands"),
        end.error.c_str());
}

void TstDevice::readNumber_isCaught()
{
    const WorkEnd end = inOwnProcess([] {
        installStrictDevice();
        const at::Tensor number = at::ones({}, kStrictDevice);
        takeDeviceLog();
        number.item<float>();
        return waitsOf(takeDeviceLog());
    });
    QCOMPARE(QString::fromStdString(end.error), QString());
    QVERIFY2(end.result == nlohmann::json(Waits { "aten::_local_scalar_dense in ?" }),
        listed(end.result));
}

void TstDevice::touchedMemory_isCaught()
{
    const WorkEnd end = inOwnProcess([] {
        installStrictDevice();
        return nlohmann::json(*at::ones({ 4 }, kStrictDevice).data_ptr<float>());
    });
    QCOMPARE(end.signal, SIGSEGV);
}

void TstDevice::blockingCopy_isCaught()
{
    const WorkEnd end = inOwnProcess([] {
        installStrictDevice();
        takeDeviceLog();
        const at::Tensor host = at::ones({ 4 });
        host.to(kStrictDevice, /*non_blocking=*/true);
        const size_t quiet = takeDeviceLog().waits.size();
        host.to(kStrictDevice);
        return nlohmann::json { { "quiet", quiet }, { "waits", waitsOf(takeDeviceLog()) } };
    });
    QCOMPARE(QString::fromStdString(end.error), QString());
    QCOMPARE(end.result["quiet"].get<int>(), 0);
    QVERIFY2(end.result["waits"] == nlohmann::json(Waits { "blocking copy to the device in ?" }),
        listed(end.result["waits"]));
}

EARWRIGHT_TEST(TstDevice)
#include "tst_device.moc"
