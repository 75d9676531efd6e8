#include <QTemporaryDir>
#include <QTest>

#include "core/train/cpu_memory.h"
#include "core/train/memory/device_memory.h"
#include "tests/registry.h"
#include "tests/train/rank_run.h"

#include <nlohmann/json.hpp>

using namespace earwright;
using earwright::tests::RankRun;

namespace {

constexpr double kLimitTolerance = 1e-9;
constexpr int64_t kMiB = 1 << 20;

/// The limit for the life of the object: so many bytes beyond what is held now.
class Limit final {
public:
    explicit Limit(int64_t bytes) { train::limitCpuMemory(train::cpuMemoryHeld() + bytes); }
    ~Limit() { train::limitCpuMemory(0); }
    Limit(const Limit&) = delete;
    Limit& operator=(const Limit&) = delete;
};

double largestDifference(const std::map<std::string, torch::Tensor>& expected,
    const std::map<std::string, torch::Tensor>& found)
{
    double most = expected.size() == found.size() ? 0 : INFINITY;
    for (const auto& [name, tensor] : found) {
        const torch::Tensor wanted = expected.at(name).to(torch::kFloat64);
        most = std::max(most,
            ((tensor.to(torch::kFloat64) - wanted).norm() / wanted.norm().clamp_min(1e-12))
                .item<double>());
    }
    return most;
}

/// What the run's log says of batches that did not fit.
std::vector<std::string> told(const RankRun& run)
{
    std::vector<std::string> lines;
    for (const run::LogLine& line : run.snapshot().log) {
        if (line.level == "warning" && line.text.find("do not fit") != std::string::npos)
            lines.push_back(line.text);
    }
    return lines;
}

bool anySays(const std::vector<std::string>& lines, const std::string& words)
{
    return std::any_of(lines.begin(), lines.end(),
        [&](const std::string& line) { return line.find(words) != std::string::npos; });
}

} // namespace

/// Trainings whose tensors may hold so many bytes and no more. Of one rank: those of a test share
/// their memory (tst_memory has ranks as processes, tst_fitting_pass what each does for the
/// others).
class TstMemoryLimit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void limit_endsWhatGoesBeyond();
    void library_isGivenMemoryOnce();
    void fragmentation_isWhatNoTensorHas();
    void everyLimit_givesTheStepsOfTheWholeBatch();
    void plan_outlivesTheRun();
    void utteranceOfAValidation_isNamedWithItsLength();

private:
    RankRun runOf(const QString& name, int steps) const;

    QTemporaryDir m_folder;
    int64_t m_tight = 0; ///< bytes with which a whole batch does not fit
    std::string m_recipe; ///< with augmentation, and statistics over the batch
};

void TstMemoryLimit::initTestCase()
{
    train::limitCpuMemory(0); // counts from here on
    c10::set_default_dtype(caffe2::TypeMeta::Make<double>());
    m_recipe = m_folder.filePath("augmented.yaml").toStdString();
    std::ofstream(m_recipe)
        << *readFile(EARWRIGHT_CASES_DIR "/train/equal/conformer.yaml")
        << "\nfea_augment: !new:speechbrain.augment.freq_domain.SpectrogramDrop\n"
           "    drop_length_low: 2\n    drop_length_high: 5\n";
    tests::writeNoises(m_folder.filePath("data").toStdString(), 19);
    QCOMPARE(runOf("initial", 1).train(), QString()); // where all begin
}

void TstMemoryLimit::cleanupTestCase()
{
    c10::set_default_dtype(caffe2::TypeMeta::Make<float>());
}

RankRun TstMemoryLimit::runOf(const QString& name, int steps) const
{
    std::vector<std::string> overrides { "--optimizer_step_limit=" + std::to_string(steps),
        "--normalize.norm_type=global" };
    const std::filesystem::path initial = m_folder.filePath("initial").toStdString();
    if (const auto weights = train::lastCheckpoint(run::RunFolder { initial }.checkpoints()))
        overrides.push_back("--init_param=" + (*weights / "model.safetensors").string());
    return { .folder = m_folder.filePath(name).toStdString(),
        .data = m_folder.filePath("data").toStdString(),
        .recipe = m_recipe,
        .overrides = overrides };
}

void TstMemoryLimit::limit_endsWhatGoesBeyond()
{
    const int64_t before = train::cpuMemoryHeld();
    const Limit limit(4 * kMiB);
    (void)torch::zeros({ 5 * kMiB }, torch::kByte); // nobody would answer
    const train::WithinCpuLimit within;
    {
        const torch::Tensor fits = torch::zeros({ 3 * kMiB }, torch::kByte);
        QVERIFY(train::cpuMemoryHeld() >= before + 3 * kMiB);
        QVERIFY_THROWS_EXCEPTION(c10::OutOfMemoryError, torch::zeros({ 2 * kMiB }, torch::kByte));
    }
    QCOMPARE(train::cpuMemoryHeld(), before);
    (void)torch::zeros({ 2 * kMiB }, torch::kByte);
}

void TstMemoryLimit::library_isGivenMemoryOnce()
{
    const auto callsUntil = [](int failures, const std::string& words) {
        int calls = 0;
        try {
            train::givingBack(torch::kCPU, [&] {
                calls += 1;
                TORCH_CHECK(calls > failures, words);
                return calls;
            });
        } catch (const c10::Error&) {
            return -calls;
        }
        return calls;
    };
    QCOMPARE(callsUntil(0, ""), 1);
    QCOMPARE(callsUntil(1, "cuFFT error: CUFFT_ALLOC_FAILED"), 2);
    QCOMPARE(callsUntil(2, "cuFFT error: CUFFT_ALLOC_FAILED"), -2);
    QCOMPARE(callsUntil(1, "cuFFT error: CUFFT_EXEC_FAILED"), -1);
}

void TstMemoryLimit::fragmentation_isWhatNoTensorHas()
{
    QVERIFY(!train::deviceMemory(torch::kCPU));
    QCOMPARE(train::DeviceMemory {}.fragmentation(), 0.0);
    const train::DeviceMemory memory { .allocatedBytes = kMiB, .reservedBytes = 4 * kMiB };
    QCOMPARE(memory.fragmentation(), 0.75);
}

/// From memory in plenty down to where one utterance does not fit.
void TstMemoryLimit::everyLimit_givesTheStepsOfTheWholeBatch()
{
    const RankRun whole = runOf("whole", 6);
    QCOMPARE(whole.train(), QString());
    std::vector<std::string> lines;
    QString ended;
    int equal = 0;
    for (int64_t bytes = 4 * kMiB; ended.isEmpty() && bytes > kMiB / 8; bytes = bytes * 19 / 20) {
        const RankRun limited = runOf("limit " + QString::number(bytes), 6);
        {
            const Limit limit(bytes);
            ended = limited.train();
        }
        if (!ended.isEmpty())
            break;
        const double apart = largestDifference(whole.model(), limited.model());
        QVERIFY2(
            apart <= kLimitTolerance, qPrintable(QString("%1 bytes: %2").arg(bytes).arg(apart)));
        const auto said = told(limited);
        equal += said.empty() ? 0 : 1;
        m_tight = m_tight == 0 && !said.empty() ? bytes : m_tight;
        QCOMPARE(limited.snapshot().batchSplits.size(), said.size());
        lines.insert(lines.end(), said.begin(), said.end());
    }
    QVERIFY2(equal >= 2, qPrintable(ended));
    for (const char* words : { "in the forward", "in 2 parts", "in 4 parts", "Tried to allocate",
             "'0', '1', '2' and 5 more",
             "batch_size: 4 (augmented.yaml:", "--batch_size=4 --grad_accumulation_factor=2" })
        QVERIFY2(anySays(lines, words), words);
    QVERIFY2(ended.contains("CPU out of memory"), qPrintable(ended));
}

void TstMemoryLimit::plan_outlivesTheRun()
{
    QVERIFY(m_tight > 0);
    const auto toldAfter = [this](int steps) {
        const RankRun run = runOf("kept", steps);
        const Limit limit(m_tight);
        const QString ended = run.train();
        return ended.isEmpty() ? std::ssize(told(run)) : -1;
    };
    const auto once = toldAfter(3);
    QVERIFY(once > 0);
    QCOMPARE(toldAfter(6), once); // resumed, and through an epoch of the same batches
    const auto last = train::lastCheckpoint(
        run::RunFolder { m_folder.filePath("kept").toStdString() }.checkpoints());
    QVERIFY(last);
    auto manifest = nlohmann::json::parse(*readFile(*last / "manifest.json"));
    QVERIFY(manifest["progress"]["memory_plans"].dump().find("[[") != std::string::npos);
    manifest["progress"].erase("memory_plans"); // as an older version wrote it
    QVERIFY(bool(writeFileAtomically(*last / "manifest.json", manifest.dump())));
    QVERIFY(toldAfter(9) > once);
}

void TstMemoryLimit::utteranceOfAValidation_isNamedWithItsLength()
{
    constexpr int kSeconds = 40;
    const std::string wav = m_folder.filePath("long.wav").toStdString();
    tests::writeSound(wav, std::vector<float>(kSeconds * 8000, 0.1F), { .sampleRateHz = 8000 });
    const std::string csv = m_folder.filePath("long.csv").toStdString();
    std::ofstream(csv) << "ID,duration,wav,spk_id,wrd\nshort,0.3,"
                       << m_folder.filePath("data/0.wav").toStdString() << ",s,A\nlong," << kSeconds
                       << ',' << wav << ",s,A\n";
    RankRun run = runOf("validation", 1);
    run.overrides.push_back("--valid_csv=" + csv);
    const Limit limit(48 * kMiB);
    const QString ended = run.train();
    QVERIFY2(ended.startsWith("utterance 'long' of 40.0 s does not fit into memory, alone either"),
        qPrintable(ended));
    QVERIFY2(ended.contains("take it out of the manifest"), qPrintable(ended));
}

EARWRIGHT_TEST(TstMemoryLimit)
#include "tst_memory_limit.moc"
