#include "core/cuda/cuda_library.h"
#include "tests/registry.h"

#include <ATen/ATen.h>
#include <fstream>
#include <QTest>
#include <sstream>

namespace {

using namespace earwright;

bool isMapped(const std::string& library)
{
    std::ifstream maps("/proc/self/maps");
    std::ostringstream all;
    all << maps.rdbuf();
    return all.str().find(library) != std::string::npos;
}

std::string failureOf(c10::DeviceType device)
{
    try {
        (void)at::zeros({ 1 }, at::Device(device, 0));
        return "";
    } catch (const c10::Error& error) {
        return error.what_without_backtrace();
    }
}

} // namespace

class TstCudaLibrary : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void missingPart_isNamed()
    {
        const auto part = cuda::loadCudaPart("/nowhere/earwright_cuda.so");
        QVERIFY(!part);
        QVERIFY(part.error().message.find("there is no '/nowhere/earwright_cuda.so'")
            != std::string::npos);
    }

    void anotherLibrary_isRefused()
    {
        // A program that dlopen refuses stands for a damaged part.
        const auto part = cuda::loadCudaPart("/proc/self/exe");
        QVERIFY(!part);
        QVERIFY(part.error().message.starts_with("the part for GPUs cannot be loaded: "));
    }

    void part_isLoadedWhereItIsWanted()
    {
        if (!std::filesystem::exists(cuda::cudaLibrary()))
            QSKIP("this LibTorch is for CPUs alone");
        if (!cuda::cudaPart())
            QVERIFY2(!isMapped("libtorch_cuda"), "a program is linked with LibTorch for CUDA");
        const auto part = cuda::loadCudaPart(cuda::cudaLibrary());
        QVERIFY2(part, part ? "" : part.error().message.c_str());
        QVERIFY(isMapped("libtorch_cuda"));
        QVERIFY(!(*part)->versions().torch.empty());
        QVERIFY(!(*part)->versions().builtNccl.empty());
        // LibTorch knows of CUDA from then on: it misses a GPU or its driver, not the library.
        if ((*part)->deviceCount() == 0) {
            const std::string failure = failureOf(c10::DeviceType::CUDA);
            QVERIFY2(failure.find("NVIDIA") != std::string::npos
                    || failure.find("CUDA GPUs") != std::string::npos,
                failure.c_str());
        } else {
            QVERIFY((*part)->properties(0).uuid.starts_with("GPU-"));
        }
    }
};

EARWRIGHT_TEST(TstCudaLibrary)
#include "tst_cuda_library.moc"
