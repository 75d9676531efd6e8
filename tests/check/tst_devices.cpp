#include "core/check/check.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright;
using namespace earwright::check;

namespace {

Machine machineOf(int gpus)
{
    Machine machine;
    machine.gpus.resize(static_cast<size_t>(gpus));
    return machine;
}

} // namespace

class TstDevices : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void spelling_givesOneDevicePerRank_data();
    void spelling_givesOneDevicePerRank();
    void refusal_saysWhyAndWhatIsAccepted_data();
    void refusal_saysWhyAndWhatIsAccepted();
    void gpusThatCudaCannotUse_areToldApart();
    void machine_survivesItsJson();
    void brokenMachine_isRefused_data();
    void brokenMachine_isRefused();
};

void TstDevices::spelling_givesOneDevicePerRank_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("gpus");
    QTest::addColumn<QString>("devices");
    const auto row = [](const char* text, int gpus, const char* devices) {
        QTest::addRow("%s on %d GPUs", text, gpus) << QString(text) << gpus << QString(devices);
    };
    row("cpu", 0, "cpu");
    row("cpu", 2, "cpu");
    row("CPU", 0, "cpu");
    row("cpu:1", 0, "cpu");
    row("cpu:3", 0, "cpu cpu cpu");
    row("cuda", 2, "cuda:0");
    row("cuda:1", 2, "cuda:1");
    row("CUDA:0", 1, "cuda:0");
    row(" cuda:0 ", 1, "cuda:0");
    row("cuda:0,1", 2, "cuda:0 cuda:1");
    row("cuda:1, 0", 2, "cuda:1 cuda:0");
    row("cuda:0,cuda:2", 3, "cuda:0 cuda:2");
    row("auto", 0, "cpu");
    row("auto", 2, "cuda:0 cuda:1");
}

void TstDevices::spelling_givesOneDevicePerRank()
{
    QFETCH(QString, text);
    QFETCH(int, gpus);
    QFETCH(QString, devices);
    const auto parsed = parseDevices(text.toStdString(), machineOf(gpus));
    QVERIFY2(parsed, parsed ? "" : parsed.error().message.c_str());
    QStringList names;
    for (const std::string& device : *parsed)
        names << QString::fromStdString(device);
    QCOMPARE(names.join(' '), devices);
}

void TstDevices::refusal_saysWhyAndWhatIsAccepted_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("gpus");
    QTest::addColumn<QString>("why");
    const auto row = [](const char* text, int gpus, const char* why) {
        QTest::addRow("'%s' on %d GPUs", text, gpus) << QString(text) << gpus << QString(why);
    };
    row("", 1, "is not one that Earwright can use");
    row("gpu", 1, "is not one that Earwright can use");
    row("mps", 1, "is not one that Earwright can use");
    row("xpu", 1, "is not one that Earwright can use");
    row("cudaa", 1, "is not one that Earwright can use");
    row("cpu,cpu", 1, "is not one that Earwright can use");
    row("cpu:0", 1, "names no number of ranks");
    row("cpu:x", 1, "names no number of ranks");
    row("cpu:", 1, "names no number of ranks");
    row("cpu:100000", 1, "asks for more than 256 ranks");
    row("cuda", 0, "needs a CUDA GPU, and this machine has none");
    row("cuda:0", 0, "needs a CUDA GPU, and this machine has none");
    row("cuda:3", 2, "names GPU 3, but this machine has 2 (numbers 0 to 1)");
    row("cuda:1", 1, "names GPU 1, but this machine has 1 (number 0)");
    row("cuda:0,0", 1, "names GPU 0 twice");
    row("cuda:-1", 1, "has '-1' where a GPU number belongs");
    row("cuda:", 1, "has '' where a GPU number belongs");
    row("cuda:0,", 1, "has '' where a GPU number belongs");
    row("cuda:99999999999999999999", 1, "where a GPU number belongs");
}

void TstDevices::refusal_saysWhyAndWhatIsAccepted()
{
    QFETCH(QString, text);
    QFETCH(int, gpus);
    QFETCH(QString, why);
    const auto parsed = parseDevices(text.toStdString(), machineOf(gpus));
    QVERIFY(!parsed);
    const QString message = QString::fromStdString(parsed.error().message);
    QVERIFY2(message.contains(why), qPrintable(message));
    QVERIFY2(message.contains("accepted are cpu, cpu:N (N ranks), cuda, cuda:N, cuda:N,M and auto"),
        qPrintable(message));
}

void TstDevices::gpusThatCudaCannotUse_areToldApart()
{
    const auto why = [](const Machine& machine) {
        const auto parsed = parseDevices("cuda:0", machine);
        return parsed ? std::string() : parsed.error().message;
    };
    Machine machine;
    machine.driverGpus = 2;
    QCOMPARE(why(machine),
        std::string("device 'cuda:0' needs a CUDA GPU, and CUDA can use none of the 2 that the "
                    "driver knows: see CUDA_VISIBLE_DEVICES and nvidia-smi; accepted are cpu, "
                    "cpu:N (N ranks), cuda, cuda:N, cuda:N,M and auto"));
    machine.cudaProblem = "the links between the GPUs are not set up";
    QVERIFY(why(machine).starts_with("device 'cuda:0' needs a CUDA GPU, and CUDA can use none of "
                                     "the 2 that the driver knows: the links between the GPUs are "
                                     "not set up; accepted are cpu"));
    machine.cudaVersion = "13.0";
    machine.driverVersion = "470.82.01";
    QVERIFY(why(machine).starts_with("device 'cuda:0' needs a CUDA GPU, and CUDA 13.0 needs NVIDIA "
                                     "driver 580.65.06 or newer, and this is 470.82.01; install a "
                                     "newer driver"));
}

void TstDevices::machine_survivesItsJson()
{
    Machine machine;
    machine.cpuCores = 12;
    machine.memoryBytes = int64_t { 1 } << 36;
    machine.torchVersion = "2.11.0";
    machine.cudaVersion = "13.0";
    machine.torchCudaVersion = "13.1";
    machine.cudaDriverVersion = "13.2";
    machine.driverVersion = "580.65.06";
    machine.ncclVersion = "2.28.9";
    machine.ncclBuiltVersion = "2.28.7";
    machine.gpus = { { "RTX \"A\"", "GPU-1", 8, 6, int64_t { 24 } << 30, int64_t { 20 } << 30, 37.5,
        "exclusive_process", 3, true } };
    machine.driverGpus = 2;
    machine.cudaProblem = "unknown error";
    const auto read = machineFromJson(machineToJson(machine));
    QVERIFY(read);
    QCOMPARE(machineToJson(*read), machineToJson(machine));
    QCOMPARE(read->gpus.front().capabilityMinor, 6);
    QCOMPARE(read->torchCudaVersion, std::string("13.1"));
    QCOMPARE(read->cudaDriverVersion, std::string("13.2"));
    QCOMPARE(read->driverVersion, std::string("580.65.06"));
    QCOMPARE(read->ncclVersion, std::string("2.28.9"));
    QCOMPARE(read->ncclBuiltVersion, std::string("2.28.7"));
    QCOMPARE(read->gpus.front().freeMemoryBytes, int64_t { 20 } << 30);
    QCOMPARE(read->memoryBytes, int64_t { 1 } << 36);
    QCOMPARE(read->driverGpus, 2);
    QCOMPARE(read->cudaProblem, std::string("unknown error"));
    QCOMPARE(read->gpus.front().computeMode, std::string("exclusive_process"));
    QCOMPARE(read->gpus.front().processes, 3);
    QVERIFY(read->gpus.front().isLost);
}

void TstDevices::brokenMachine_isRefused_data()
{
    QTest::addColumn<QString>("json");
    QTest::newRow("empty") << "";
    QTest::newRow("no json") << "cpu_cores: 3";
    QTest::newRow("list") << "[]";
    QTest::newRow("missing member") << "{\"cpu_cores\": 2}";
    QTest::newRow("wrong type") << "{\"cpu_cores\": \"two\", \"gpus\": []}";
    QTest::newRow("short capability")
        << "{\"cpu_cores\": 2, \"gpus\": [{\"name\": \"x\", \"capability\": [8]}]}";
}

void TstDevices::brokenMachine_isRefused()
{
    QFETCH(QString, json);
    const auto read = machineFromJson(json.toStdString());
    QVERIFY(!read);
    QVERIFY(read.error().message.find("earwright devices --json") != std::string::npos);
}

EARWRIGHT_TEST(TstDevices)
#include "tst_devices.moc"
