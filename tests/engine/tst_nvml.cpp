#include <QTest>

#include "core/engine/device_failure.h"
#include "core/engine/nvml.h"
#include "tests/registry.h"

#include <cmath>

using earwright::engine::deviceFailure;
using earwright::engine::Nvml;

class TstNvml : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void gpu_isAskedByItsUuid();
    void instance_isAskedAsItsGpu();
    void lostGpu_saysSoAndNothingElse();
    void unknownGpu_andNoDriver_sayNothing();
    void failure_isToldInWords_data();
    void failure_isToldInWords();
};

void TstNvml::gpu_isAskedByItsUuid()
{
    const Nvml nvml(EARWRIGHT_FAKE_NVML);
    QCOMPARE(nvml.driverVersion(), std::string("580.65.06"));
    QCOMPARE(nvml.count(), 3);
    QCOMPARE(nvml.freeMemory("GPU-well"), 70);
    QCOMPARE(nvml.usedMemory("GPU-well"), 30);
    QCOMPARE(nvml.utilization("GPU-well"), 42.0);
    QCOMPARE(nvml.power("GPU-well"), 251.5);
    QCOMPARE(nvml.temperature("GPU-well"), 61.0);
    QCOMPARE(nvml.computeMode("GPU-well"), std::string("exclusive_process"));
    QCOMPARE(nvml.processes("GPU-well"), 2);
    QVERIFY(!nvml.isLost("GPU-well"));
}

void TstNvml::instance_isAskedAsItsGpu()
{
    const Nvml nvml(EARWRIGHT_FAKE_NVML);
    QCOMPARE(nvml.freeMemory("GPU-part"), 70); // CUDA says GPU- of an instance too
}

void TstNvml::lostGpu_saysSoAndNothingElse()
{
    const Nvml nvml(EARWRIGHT_FAKE_NVML);
    QVERIFY(nvml.isLost("GPU-lost"));
    QVERIFY(nvml.isLost("GPU-lost-later"));
    QCOMPARE(nvml.freeMemory("GPU-lost"), 0);
    QCOMPARE(nvml.computeMode("GPU-lost-later"), std::string());
}

void TstNvml::unknownGpu_andNoDriver_sayNothing()
{
    const Nvml fake(EARWRIGHT_FAKE_NVML);
    const Nvml none("libearwright-no-such-library.so");
    for (const Nvml* nvml : { &fake, &none }) {
        QCOMPARE(nvml->freeMemory("GPU-other"), 0);
        QCOMPARE(nvml->usedMemory("GPU-other"), -1);
        QCOMPARE(nvml->utilization("GPU-other"), -1.0);
        QCOMPARE(nvml->power("GPU-other"), -1.0);
        QVERIFY(std::isnan(nvml->temperature("GPU-other")));
        QCOMPARE(nvml->computeMode("GPU-other"), std::string());
        QCOMPARE(nvml->processes("GPU-other"), -1);
        QVERIFY(!nvml->isLost("GPU-other"));
    }
    QCOMPARE(none.driverVersion(), std::string());
    QCOMPARE(none.count(), 0);
}

void TstNvml::failure_isToldInWords_data()
{
    QTest::addColumn<std::string>("cause");
    QTest::addColumn<bool>("isLost");
    QTest::addColumn<std::string>("told");
    QTest::newRow("off the bus") << std::string("CUDA error: unknown error") << true
                                 << std::string("the GPU has fallen off the bus; restart the "
                                                "machine (CUDA error: unknown error)");
    QTest::newRow("card") << std::string("CUDA error: no kernel image is available for execution "
                                         "on the device")
                          << false
                          << std::string("this Torch has no code for this GPU; train on another "
                                         "one (CUDA error: no kernel image is available for "
                                         "execution on the device)");
    QTest::newRow("exclusive") << std::string(
        "CUDA error: CUDA-capable device(s) is/are busy or unavailable")
                               << false
                               << std::string("another process holds the GPU, whose compute mode "
                                              "is exclusive; wait for its end (CUDA error: "
                                              "CUDA-capable device(s) is/are busy or unavailable)");
    QTest::newRow("advice to programmers is left out")
        << std::string("CUDA error: system not yet initialized\nSearch for "
                       "`cudaErrorSystemNotReady' in the documentation.\nCompile with "
                       "`TORCH_USE_CUDA_DSA`.")
        << false
        << std::string("the links between the GPUs are not set up; start nvidia-fabricmanager "
                       "(CUDA error: system not yet initialized)");
    QTest::newRow("driver of two versions")
        << std::string("system has unsupported display driver / cuda driver combination") << false
        << std::string("the NVIDIA driver's parts are of several versions, as after an update; "
                       "restart the machine (system has unsupported display driver / cuda driver "
                       "combination)");
    QTest::newRow("compatibility package")
        << std::string("forward compatibility was attempted on non supported HW") << false
        << std::string("CUDA's compatibility package does not work with this GPU; take it out of "
                       "LD_LIBRARY_PATH, or install a newer driver (forward compatibility was "
                       "attempted on non supported HW)");
    QTest::newRow("memory that others hold")
        << std::string("CUDA error: out of memory\nAdvice") << false
        << std::string("the GPU's memory is taken, by this run or by other processes, which "
                       "nvidia-smi names (CUDA error: out of memory)");
    QTest::newRow("memory, said of what")
        << std::string("utterance 'a' does not fit into memory (CUDA error: out of memory)")
        << false
        << std::string("utterance 'a' does not fit into memory (CUDA error: out of memory)");
    QTest::newRow("NCCL")
        << std::string("NCCL error in: f.cpp:1\nncclUnhandledCudaError: Call to CUDA function "
                       "failed.\nLast error:\nCuda failure 999 'unknown error'")
        << true
        << std::string("the GPU has fallen off the bus; restart the machine (NCCL failed: "
                       "ncclUnhandledCudaError: Call to CUDA function failed; Cuda failure 999 "
                       "'unknown error')");
    QTest::newRow("its own words")
        << std::string("the disk is full") << false << std::string("the disk is full");
}

void TstNvml::failure_isToldInWords()
{
    QFETCH(std::string, cause);
    QFETCH(bool, isLost);
    QFETCH(std::string, told);
    QCOMPARE(deviceFailure(cause, isLost), told);
}

EARWRIGHT_TEST(TstNvml)
#include "tst_nvml.moc"
