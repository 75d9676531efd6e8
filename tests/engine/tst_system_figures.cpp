#include <QTemporaryDir>
#include <QTest>

#include "core/engine/system_figures.h"
#include "core/engine/system_watch.h"
#include "tests/registry.h"

#include <unistd.h>

using namespace earwright;
using engine::SystemFigures;
using engine::SystemPlaces;
using engine::SystemSubject;

namespace {

using Figures = std::map<std::string, double>;

std::filesystem::path machine(const char* name)
{
    return std::filesystem::path(EARWRIGHT_CASES_DIR "/engine/proc") / name;
}

/// A proc(5) that changes, as the kernel's does.
class ChangingProc final {
public:
    std::filesystem::path path() const { return m_folder.path().toStdString(); }
    void become(const char* name) const
    {
        std::filesystem::copy(machine(name), path(),
            std::filesystem::copy_options::recursive
                | std::filesystem::copy_options::overwrite_existing);
    }

private:
    QTemporaryDir m_folder;
};

std::vector<run::Scalar> scalarsIn(const std::filesystem::path& folder)
{
    run::EventReader reader(folder);
    std::vector<run::Scalar> scalars;
    const auto events = reader.readNew();
    for (const run::Event& event : events ? *events : std::vector<run::Event>()) {
        if (const auto* scalar = std::get_if<run::Scalar>(&event.payload))
            scalars.push_back(*scalar);
    }
    return scalars;
}

} // namespace

class TstSystemFigures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ratesAreOfTheTimeBetweenTwoReads();
    void gpus_areAskedByUuidAndNamedByIndex();
    void nothingToRead_isLeftOut();
    void thisMachine_isRead();
    void watch_logsUntilItIsOver();
    void watchWithoutAStep_logsNothing();
};

void TstSystemFigures::ratesAreOfTheTimeBetweenTwoReads()
{
    if (sysconf(_SC_CLK_TCK) != 100)
        QSKIP("the files count ticks of 10 ms");
    ChangingProc proc;
    proc.become("before");
    SystemFigures figures({ .folder = "/", .proc = proc.path(), .nvml = "none.so" });
    const Clock::time_point start = Clock::now();
    const auto page = static_cast<double>(sysconf(_SC_PAGE_SIZE));
    Figures read = figures.read({ .ranks = { 71 } }, start);
    QVERIFY(read.erase("system/disk_free_bytes") == 1);
    QCOMPARE(read,
        (Figures { { "system/available_bytes", 2048.0 * 1024 },
            { "system/ranks_resident_bytes", 250 * page } }));
    proc.become("after");
    read = figures.read({ .ranks = { 71, 72 } }, start + std::chrono::seconds(5));
    read.erase("system/disk_free_bytes");
    // 72 is new: it takes part in the memory alone.
    QCOMPARE(read,
        (Figures { { "system/available_bytes", 2048.0 * 1024 }, { "system/cpu_percent", 25.0 },
            { "system/ranks_cpu_percent", 200.0 }, { "system/ranks_resident_bytes", 600 * page },
            { "system/ranks_written_bytes_per_s", 1000.0 } }));
}

void TstSystemFigures::gpus_areAskedByUuidAndNamedByIndex()
{
    SystemFigures figures(
        { .folder = "/no/such/folder", .proc = "/no/such/proc", .nvml = EARWRIGHT_FAKE_NVML });
    const SystemSubject subject { .ranks = {}, .gpus = { { 3, "GPU-well" }, { 4, "GPU-lost" } } };
    QCOMPARE(figures.read(subject, Clock::now()),
        (Figures { { "system/gpu3_celsius", 61.0 }, { "system/gpu3_memory_bytes", 30.0 },
            { "system/gpu3_percent", 42.0 }, { "system/gpu3_watts", 251.5 } }));
}

void TstSystemFigures::nothingToRead_isLeftOut()
{
    SystemFigures figures(
        { .folder = "/no/such/folder", .proc = "/no/such/proc", .nvml = "none.so" });
    for (int i = 0; i < 2; ++i)
        QCOMPARE(figures.read({ { 71 }, { { 0, "GPU-well" } } }, Clock::now()), Figures());
}

void TstSystemFigures::thisMachine_isRead()
{
    SystemFigures figures({ .folder = "/tmp" });
    const Figures read = figures.read({ .ranks = { getpid() } }, Clock::now());
    for (const char* tag :
        { "system/available_bytes", "system/disk_free_bytes", "system/ranks_resident_bytes" })
        QVERIFY2(read.contains(tag) && read.at(tag) > 0, tag);
}

void TstSystemFigures::watch_logsUntilItIsOver()
{
    ChangingProc proc;
    proc.become("before");
    QTemporaryDir folder;
    const std::filesystem::path log = folder.path().toStdString();
    auto events = run::EventWriter::open(log, 0);
    QVERIFY(bool(events));
    {
        engine::SystemWatch watch(**events,
            { .folder = log, .proc = proc.path(), .nvml = "none.so" },
            std::chrono::milliseconds(1));
        watch.setSubject({ .ranks = { 71 } });
        watch.setStep(17);
        const auto isLogged = [&] {
            (*events)->flush();
            const std::vector<run::Scalar> scalars = scalarsIn(log);
            return std::any_of(scalars.begin(), scalars.end(), [](const run::Scalar& scalar) {
                return scalar.tag == "system/ranks_resident_bytes" && scalar.step == 17;
            });
        };
        QTRY_VERIFY(isLogged());
    }
    (*events)->flush();
    const size_t count = scalarsIn(log).size();
    (*events)->write({ .payload = run::Scalar { "train/loss", 1, 1 } });
    (*events)->flush();
    QCOMPARE(scalarsIn(log).size(), count + 1);
}

/// Another watch, which knows its step, tells that time has passed.
void TstSystemFigures::watchWithoutAStep_logsNothing()
{
    ChangingProc proc;
    proc.become("before");
    QTemporaryDir folder;
    const std::filesystem::path root = folder.path().toStdString();
    auto silent = run::EventWriter::open(root / "silent", 0);
    auto telling = run::EventWriter::open(root / "telling", 0);
    QVERIFY(silent && telling);
    const SystemPlaces places { .folder = root, .proc = proc.path(), .nvml = "none.so" };
    engine::SystemWatch without(**silent, places, std::chrono::milliseconds(1));
    engine::SystemWatch with(**telling, places, std::chrono::milliseconds(1));
    with.setStep(3);
    const auto hasLogged = [&] {
        (*telling)->flush();
        return scalarsIn(root / "telling").size() > 50;
    };
    QTRY_VERIFY(hasLogged());
    (*silent)->flush();
    QVERIFY(scalarsIn(root / "silent").empty());
}

EARWRIGHT_TEST(TstSystemFigures)
#include "tst_system_figures.moc"
