#include "tests/device/own_process.h"
#include "tests/device/strict_device.h"
#include "tests/model/parity/run_case.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright::tests;

/// The recorded cases of tst_parity on the strict device: which of their operands lie on the wrong
/// device. Each has a process of its own, for the device's memory is never reused.
class TstDeviceParity : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recordedCase_isReproducedOnTheDevice_data() { addCaseRows(); }

    void recordedCase_isReproducedOnTheDevice()
    {
        QFETCH(QString, name);
        const WorkEnd end = inOwnProcess([&] {
            installStrictDevice();
            qputenv("EARWRIGHT_PARITY_DEVICE", QByteArray::fromStdString(kStrictDevice.str()));
            Comparison compare;
            runCase(name.toStdString(), compare);
            return nlohmann::json { { "count", compare.count() },
                { "failures", compare.failures() } };
        });
        if (end.error.find("AutocastHPU") != std::string::npos)
            QSKIP("LibTorch has no autocast for the type of the strict device");
        QVERIFY2(end.signal == 0, "the host touched the device's memory");
        QCOMPARE(QString::fromStdString(end.error), QString());
        QVERIFY2(end.result["count"].get<int>() > 0, "nothing was compared");
        QCOMPARE(QString::fromStdString(end.result["failures"].get<std::string>()), QString());
    }
};

EARWRIGHT_TEST(TstDeviceParity)
#include "tst_device_parity.moc"
