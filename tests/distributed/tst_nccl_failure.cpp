#include <QTest>

#include "core/distributed/nccl_failure.h"
#include "tests/registry.h"

using earwright::distributed::ncclFailure;

namespace {

const std::string kStack = "\nException raised from checkForNCCLErrorsInternal at "
                           "../torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:2363 (most recent "
                           "call first):\nframe #0: c10::Error::Error + 0x8d (0x7f in libc10.so)\n";

} // namespace

/// The forms are those of LibTorch 2.11's ProcessGroupNCCL.cpp and NCCLUtils.cpp.
class TstNcclFailure final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void words_areOneLine_data();
    void words_areOneLine();
};

void TstNcclFailure::words_areOneLine_data()
{
    QTest::addColumn<std::string>("cause");
    QTest::addColumn<std::string>("line");
    const auto row = [](const char* name, const std::string& cause, const std::string& line) {
        QTest::newRow(name) << cause << line;
    };
    row("watchdog: the other rank is gone",
        "[PG ID 0 PG GUID 0 Rank 1] Process group watchdog thread terminated with exception: NCCL "
        "error: remote process exited or there was a network error, NCCL version 2.28.9\n"
        "ncclRemoteError: A call failed possibly due to a network error or a remote process "
        "exiting prematurely.\nLast error:\nsocketProgress: Connection closed by remote peer "
        "host-a<43210>"
            + kStack,
        "NCCL failed: ncclRemoteError: A call failed possibly due to a network error or a remote "
        "process exiting prematurely; socketProgress: Connection closed by remote peer "
        "host-a<43210>");
    row("time-out",
        "[Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=12, "
        "OpType=ALLREDUCE, NumelIn=1048576, NumelOut=1048576, Timeout(ms)=1800000) ran for 1800029 "
        "milliseconds before timing out."
            + kStack,
        "NCCL waited 1800 s in all-reduce 12, in which another rank takes no part");
    row("a collective that is not ours",
        "NCCL: WorkNCCL(SeqNum=3, OpType=SEND) failed\nncclSystemError: System call (e.g. socket, "
        "malloc) or external library call failed or device error. \nLast error:\n",
        "NCCL failed in SEND 3: ncclSystemError: System call (e.g. socket, malloc) or external "
        "library call failed or device error");
    row("a call",
        "NCCL error in: ../torch/csrc/distributed/c10d/NCCLUtils.cpp:94, invalid usage (run with "
        "NCCL_DEBUG=WARN for details), NCCL version 2.28.9\nncclInvalidUsage: This usually "
        "reflects invalid usage of NCCL library.\nLast error:\nDuplicate GPU detected : rank 1 and "
        "rank 0 both on CUDA device 4000",
        "NCCL failed: ncclInvalidUsage: This usually reflects invalid usage of NCCL library; "
        "Duplicate GPU detected : rank 1 and rank 0 both on CUDA device 4000");
    row("no error's name", "NCCL communicator was aborted on rank 1.\n" + kStack,
        "NCCL communicator was aborted on rank 1.");
    row("not NCCL's", "the disk\nis full", "the disk\nis full");
}

void TstNcclFailure::words_areOneLine()
{
    QFETCH(std::string, cause);
    QFETCH(std::string, line);
    QCOMPARE(ncclFailure(cause), line);
}

EARWRIGHT_TEST(TstNcclFailure)
#include "tst_nccl_failure.moc"
