#include <QTemporaryDir>
#include <QTest>
#include <torch/optim/sgd.h>

#include "core/base/text.h"
#include "tests/registry.h"
#include "tests/train/offered_optimizers.h"
#include "tests/train/rank_run.h"

#include <ATen/record_function.h>
#include <mutex>

using namespace earwright;
using earwright::tests::offeredOptimizers;
using earwright::tests::RankRun;

namespace {

/// What a step is watched for on the thread that computes it. RecordFunction takes plain functions
/// as callbacks, hence the statics.
thread_local std::vector<std::string> t_running; ///< operators, the outermost first
thread_local bool t_isStep = false;
std::mutex g_mutex; ///< Guards all below
std::vector<std::string> g_reads;
int g_operators = 0;

/// Operators whose result is a number, or a shape that hangs on numbers: on a GPU the host waits
/// for the device there.
bool isRead(std::string_view name)
{
    for (const char* read : { "aten::_local_scalar_dense", "aten::nonzero", "aten::equal",
             "aten::masked_select", "aten::_unique2", "aten::unique_consecutive", "aten::bincount",
             "aten::repeat_interleave" }) {
        if (name == read)
            return true;
    }
    return false;
}

/// Operators whose CPU kernels read their 0-d arguments, which their CUDA kernels do not.
bool readsOnTheCpuAlone(std::string_view name)
{
    return name.starts_with("aten::_fused_") || name.starts_with("aten::_amp_");
}

std::unique_ptr<at::ObserverContext> begun(const at::RecordFunction& operation)
{
    t_running.emplace_back(operation.name());
    if (!t_isStep)
        return nullptr;
    const std::lock_guard lock(g_mutex);
    g_operators += 1;
    if (isRead(t_running.back())
        && std::none_of(t_running.begin(), t_running.end(), readsOnTheCpuAlone))
        g_reads.push_back(join(t_running, " > "));
    return nullptr;
}

void ended(const at::RecordFunction&, at::ObserverContext*)
{
    t_running.pop_back();
}

/// Watches while it lives, any thread that says it is in a step.
class Watching final {
public:
    Watching()
        : m_handle(at::addGlobalCallback(
            at::RecordFunctionCallback(begun, ended).scopes({ at::RecordScope::FUNCTION })))
    {
        const std::lock_guard lock(g_mutex);
        g_reads.clear();
        g_operators = 0;
    }
    ~Watching() { at::removeCallback(m_handle); }
    Watching(const Watching&) = delete;
    Watching& operator=(const Watching&) = delete;

private:
    at::CallbackHandle m_handle;
};

/// From a step's beginning until it is asked what to do next.
train::Requests stepMarks()
{
    train::Requests requests = tests::noRequests();
    requests.at
        = [](const std::string& phase, int64_t step) { t_isStep = phase == "train" && step > 0; };
    requests.stop = [] { return t_isStep = false; };
    return requests;
}

} // namespace

/// Nothing that a training step does makes the host wait for the device.
class TstStepReads : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void step_readsNothing_data();
    void step_readsNothing();
    void read_isNoticed();

private:
    QTemporaryDir m_folder;
};

void TstStepReads::initTestCase()
{
    tests::writeNoises(m_folder.filePath("data").toStdString(), 19);
    QVERIFY(offeredOptimizers().size() >= 7);
}

void TstStepReads::step_readsNothing_data()
{
    QTest::addColumn<std::string>("optimizer");
    QTest::addColumn<std::string>("precision");
    QTest::addColumn<std::string>("skips");
    for (const std::string& optimizer : offeredOptimizers()) {
        const char* name = optimizer.c_str();
        QTest::addRow("%s", name) << optimizer << std::string("fp32") << std::string("False");
        QTest::addRow("%s, skipping", name)
            << optimizer << std::string("fp32") << std::string("True");
        QTest::addRow("%s, scaling", name)
            << optimizer << std::string("fp16") << std::string("False");
    }
}

void TstStepReads::step_readsNothing()
{
    QFETCH(std::string, optimizer);
    QFETCH(std::string, precision);
    QFETCH(std::string, skips);
    const Result<std::string> text = readFile(EARWRIGHT_CASES_DIR "/train/equal/conformer.yaml");
    QVERIFY(text);
    const std::string file = m_folder.filePath("recipe.yaml").toStdString();
    QString made = QString::fromStdString(*text);
    made.replace("torch.optim.SGD\n    lr: 0.05\n    momentum: 0.9\n",
        QString::fromStdString(optimizer) + "\n");
    QVERIFY(made.contains(QString::fromStdString(optimizer)));
    QVERIFY(writeFileAtomically(file, made.toStdString()));
    const RankRun run { .folder
        = m_folder.filePath(QString("run ") + QTest::currentDataTag()).toStdString(),
        .data = m_folder.filePath("data").toStdString(),
        .recipe = file,
        .overrides = { "--optimizer_step_limit=3", "--skip_nonfinite_grads=" + skips },
        .ranks = 2,
        .requests = stepMarks(),
        .precision = precision };
    const Watching watching;
    QCOMPARE(run.train(), QString());
    QCOMPARE(run.snapshot().step, 3);
    QVERIFY(g_operators > 1000);
    QVERIFY2(g_reads.empty(), (join(g_reads, "\n")).c_str());
}

/// LibTorch's own optimizers leave a step out only where the host says so.
void TstStepReads::read_isNoticed()
{
    const Watching watching;
    torch::Tensor parameter = torch::ones({ 2 }, torch::requires_grad());
    parameter.mutable_grad() = torch::ones({ 2 });
    torch::optim::SGD foreign({ parameter }, 0.1);
    precision::Precision precision(precision::Type::Fp32, precision::Type::Fp32, at::kCPU);
    t_isStep = true;
    precision.step(foreign, 1, true);
    t_isStep = false;
    QCOMPARE(g_reads, std::vector<std::string> { "aten::item > aten::_local_scalar_dense" });
}

EARWRIGHT_TEST(TstStepReads)
#include "tst_step_reads.moc"
