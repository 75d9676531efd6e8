#include <QTest>

#include "core/distributed/memory_shortage.h"
#include "tests/registry.h"

using namespace earwright::distributed;
using Of = MemoryShortage::Of;

namespace {

/// cudaErrorMemoryAllocation and cudaErrorAssert.
constexpr int32_t kNoMemoryCode = 2;
constexpr int32_t kAssertCode = 710;

const c10::SourceLocation kNowhere { "here", "file", 1 };

} // namespace

class TstMemoryShortage final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void types_countFirst();
    void words_countWhereThereIsNoType_data();
    void words_countWhereThereIsNoType();
    void causes_areOneLine();
    void deviceThatFailed_isNoFaultOfItsWork();
};

void TstMemoryShortage::types_countFirst()
{
    const auto ofAllocator = memoryShortage(c10::OutOfMemoryError(kNowhere, "no more"));
    QVERIFY(ofAllocator && ofAllocator->of == Of::Allocator);
    const auto ofDevice = memoryShortage(
        c10::AcceleratorError(kNowhere, kNoMemoryCode, "CUDA error: out of memory\nAdvice"));
    QVERIFY(ofDevice && ofDevice->of == Of::Library);
    // The text may name what it was doing.
    QVERIFY(!memoryShortage(
        c10::AcceleratorError(kNowhere, kAssertCode, "CUDA error: out of memory is not it")));
    QVERIFY(!memoryShortage(c10::DistBackendError(kNowhere, "CUDA error: out of memory")));
}

void TstMemoryShortage::words_countWhereThereIsNoType_data()
{
    QTest::addColumn<std::string>("words");
    QTest::addColumn<bool>("isOfRanks");
    QTest::addColumn<int>("of"); // -1 = another error
    const auto row = [](const char* words, int of, bool isOfRanks = false) {
        QTest::addRow("%s", words) << std::string(words) << isOfRanks << of;
    };
    const int library = static_cast<int>(Of::Library);
    const int collective = static_cast<int>(Of::Collective);
    row("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`", library);
    row("CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasSgemm`", -1);
    row("CUDA error: device-side assert triggered", -1);
    row("CUDA driver error: out of memory", library);
    row("CUDA driver error: unknown error", -1);
    row("cuFFT error: CUFFT_ALLOC_FAILED", library);
    row("cuFFT error: CUFFT_INTERNAL_ERROR", -1);
    row("cuDNN error: CUDNN_STATUS_ALLOC_FAILED", library);
    row("cuDNN error: CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED", library);
    row("cuDNN error: CUDNN_STATUS_EXECUTION_FAILED", -1);
    row("FIND was unable to find an engine to execute this computation", library);
    row("cusolver error: CUSOLVER_STATUS_ALLOC_FAILED, when calling `f()`. ", library);
    row("[enforce fail at alloc_cpu.cpp:127] . DefaultCPUAllocator: can't allocate memory: you "
        "tried to allocate 7 bytes.",
        static_cast<int>(Of::Allocator));
    row("NCCL error in: f.cpp:1\nLast error:\nCuda failure 2 'out of memory'", collective, true);
    row("NCCL error in: f.cpp:1\nLast error:\nFailed to CUDA calloc async 8 bytes", collective,
        true);
    row("NCCL error in: f.cpp:1\nLast error:\nCuda failure 1 'invalid argument'", -1, true);
}

void TstMemoryShortage::words_countWhereThereIsNoType()
{
    QFETCH(std::string, words);
    QFETCH(bool, isOfRanks);
    QFETCH(int, of);
    const auto found = isOfRanks ? memoryShortage(c10::DistBackendError(kNowhere, words))
                                 : memoryShortage(c10::Error(kNowhere, words));
    QCOMPARE(found ? static_cast<int>(found->of) : -1, of);
}

void TstMemoryShortage::causes_areOneLine()
{
    QCOMPARE(
        memoryShortage(c10::AcceleratorError(kNowhere, kNoMemoryCode, "CUDA error\nAdvice"))->cause,
        std::string("CUDA error"));
    QCOMPARE(memoryShortage(c10::DistBackendError(kNowhere, "NCCL\n'out of memory'"))->cause,
        std::string("NCCL 'out of memory'"));
}

void TstMemoryShortage::deviceThatFailed_isNoFaultOfItsWork()
{
    QVERIFY(isOfDevice(c10::AcceleratorError(kNowhere, kAssertCode, "CUDA error: unknown error")));
    QVERIFY(
        !isOfDevice(c10::AcceleratorError(kNowhere, kNoMemoryCode, "CUDA error: out of memory")));
    QVERIFY(!isOfDevice(c10::Error(kNowhere, "cuFFT error: CUFFT_ALLOC_FAILED")));
    QVERIFY(!isOfDevice(c10::Error(kNowhere, "kernel size can't be greater than actual input")));
}

EARWRIGHT_TEST(TstMemoryShortage)
#include "tst_memory_shortage.moc"
