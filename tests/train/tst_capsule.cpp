#include "core/train/weights/capsule.h"

#include "core/base/text.h"
#include "core/model/tensor_file.h"
#include "core/run/capsule.h"
#include "tests/registry.h"
#include "tests/train/rank_run.h"

#include <caffe2/serialize/inline_container.h>
#include <nlohmann/json.hpp>
#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <sys/stat.h>

using namespace earwright;
using run::Capsule;
using tests::RankRun;

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Records = std::map<std::string, std::string>;

/// An archive with these records, whatever they say.
void writeZip(const fs::path& file, const Records& records)
{
    caffe2::serialize::PyTorchStreamWriter writer(file.string());
    for (const auto& [name, bytes] : records)
        writer.writeRecord(name, bytes.data(), bytes.size());
    writer.writeEndOfFile();
}

json described(const std::string& bytes)
{
    return { { "bytes", bytes.size() }, { "sha256", sha256Hex(bytes) } };
}

/// A small capsule that is whole; the rows of the tests change it.
Records soundRecords()
{
    const std::string manifest = "{}";
    const std::string plan = "{}";
    const json index { { "earwright_capsule", 1 }, { "checkpoint", "step-1" },
        { "files",
            { { "plan.json", described(plan) },
                { "checkpoints/step-1/manifest.json", described(manifest) } } } };
    return { { "plan.json", plan }, { "checkpoints/step-1/manifest.json", manifest },
        { "capsule.json", index.dump() } };
}

QStringList leftovers(const QString& folder, const QString& pattern)
{
    return QDir(folder).entryList({ pattern }, QDir::AllEntries | QDir::Hidden);
}

} // namespace

class TstCapsule : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void exported_opensWithoutTheRun();
    void exported_isAPlainZip();
    void exported_hasWhatTheRunWroteAlone();
    void packedAnew_isReadCompressed();
    void weightsAlone_haveTheCheckpointsNames();
    void weightsOfALightGru_haveUpstreamsMasks();
    void capsule_isToldFromAFileOfTorch();
    void capsule_isToldFromSafetensors();
    void pipe_isNotOpened();
    void fileThatIsThere_isReplacedOrStays();
    void whatCannotBeWritten_leavesNothing_data();
    void whatCannotBeWritten_leavesNothing();
    void soundRecords_open();
    void wrongFile_isRefusedInWords_data();
    void wrongFile_isRefusedInWords();
    void truncatedFile_isRefusedAtEveryLength();
    void changedByte_isFound();

private:
    fs::path at(const std::string& name) const
    {
        return fs::path(m_folder.path().toStdString()) / name;
    }
    fs::path checkpoint() const { return *train::lastCheckpoint(m_run.checkpoints()); }

    QTemporaryDir m_folder;
    run::RunFolder m_run;
};

void TstCapsule::initTestCase()
{
    tests::writeNoises(at("data"), 8);
    const RankRun training { .folder = at("run"),
        .data = at("data"),
        .recipe = EARWRIGHT_CASES_DIR "/train/imported.yaml",
        .overrides = { "--optimizer_step_limit=1",
            "--init_param=" EARWRIGHT_CASES_DIR "/train/CKPT+speechbrain+00" } };
    std::string errors;
    const auto created = run::createRunFolder(training.folder, training.plan(errors));
    QVERIFY2(created && errors.empty(), errors.c_str());
    QCOMPARE(training.train(), QString());
    m_run = *created;
    std::ofstream(m_run.path / "lock.json") << "{}";
    fs::create_directories(at("temporary"));
    qputenv("TMPDIR", QByteArray::fromStdString(at("temporary").string()));
}

void TstCapsule::exported_opensWithoutTheRun()
{
    const fs::path file = at("model.earwright");
    const auto trained = train::loadCheckpoint(checkpoint());
    const Status written = train::writeCapsule(m_run, checkpoint(), file);
    QVERIFY2(written, written ? "" : written.error().message.c_str());
    QCOMPARE(leftovers(m_folder.path(), ".earwright-export*"), QStringList());
    const fs::path hidden = at("hidden");
    fs::rename(m_run.path, hidden); // as on another machine
    {
        const auto capsule = Capsule::open(file);
        fs::rename(hidden, m_run.path);
        QVERIFY2(capsule, capsule ? "" : capsule.error().message.c_str());
        const auto plan = run::readPlan(capsule->run());
        QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
        QCOMPARE(plan->name, std::string("imported"));
        const auto stored = train::loadCheckpoint(capsule->checkpoint());
        QVERIFY2(stored, stored ? "" : stored.error().message.c_str());
        QCOMPARE(stored->model.size(), trained->model.size());
        for (const auto& [name, tensor] : trained->model)
            QVERIFY(torch::equal(tensor, stored->model.at(name)));
        QVERIFY(stored->training.empty());
        const auto metrics = readFile(capsule->run().path / "metrics.csv");
        QVERIFY(metrics && metrics->find("\ntrain/loss,1,") != std::string::npos);
        QVERIFY(fs::exists(capsule->run().path / "label_encoder.txt"));
        QVERIFY(!fs::exists(capsule->run().path / "lock.json"));
        QCOMPARE(
            leftovers(QString::fromStdString(at("temporary")), "earwright-capsule*").size(), 1);
    }
    QCOMPARE(
        leftovers(QString::fromStdString(at("temporary")), "earwright-capsule*"), QStringList());
}

void TstCapsule::exported_isAPlainZip()
{
    QVERIFY(train::writeCapsule(m_run, checkpoint(), at("plain.earwright")));
    QVERIFY(run::looksLikeCapsule(at("plain.earwright")));
    QProcess python;
    python.start("python3",
        { "-m", "zipfile", "-e", m_folder.filePath("plain.earwright"),
            m_folder.filePath("unpacked") });
    if (!python.waitForFinished(-1))
        QSKIP("python3 is not there");
    QCOMPARE(python.exitCode(), 0);
    const run::RunFolder unpacked { at("unpacked/plain") };
    QVERIFY(bool(run::readPlan(unpacked)));
    const auto best = train::bestCheckpoint(unpacked.checkpoints());
    QVERIFY(best && train::loadCheckpoint(*best));
    run::Follower follower(unpacked);
    QVERIFY(bool(follower.poll()));
    QVERIFY(follower.snapshot().series.contains("train/loss"));
}

/// A capsule that was written there before would be in the next one, and that in the one after it.
/// What the recipe names is kept by the run (kept_files.h), under names of Earwright's.
void TstCapsule::exported_hasWhatTheRunWroteAlone()
{
    const run::RunFolder lived { at("lived in") };
    fs::copy(m_run.path, lived.path, fs::copy_options::recursive);
    std::ofstream(lived.path / "resolved.yaml", std::ios::app)
        << "hotword: gone/list.txt\nfrontend:\n  cmvn_file: gone/am.mvn\noutputs: "
        << lived.checkpoints().string() << "\n";
    for (const char* own : { "hotword.txt", "frontend-cmvn_file.mvn", "init_param.txt" })
        std::ofstream(lived.path / own) << own;
    for (const char* foreign : { "former.zip", "notes.txt", "kenlm_model", "history.bin", "x.tmp" })
        std::ofstream(lived.path / foreign) << foreign;
    fs::create_directories(lived.path / "logs");
    const Status written = train::writeCapsule(
        { lived.path / "" }, *train::lastCheckpoint(lived.checkpoints()), at("lived.earwright"));
    QVERIFY2(written, written ? "" : written.error().message.c_str());
    const auto capsule = Capsule::open(at("lived.earwright"));
    QVERIFY2(capsule, capsule ? "" : capsule.error().message.c_str());
    const QStringList names = QDir(QString::fromStdString(capsule->run().path.string()))
                                  .entryList(QDir::AllEntries | QDir::NoDotAndDotDot, QDir::Name);
    QCOMPARE(names,
        QStringList({ "alignments", "capsule.json", "checkpoints", "events",
            "frontend-cmvn_file.mvn", "hotword.txt", "init_param.txt", "label_encoder.txt",
            "metrics.csv", "plan.json", "recipe.yaml", "resolved.yaml", "versions.json" }));
    QCOMPARE(
        leftovers(QString::fromStdString(capsule->run().checkpoints().string()), "step-*").size(),
        1);
}

/// By any program that compresses, without or with a folder around it.
void TstCapsule::packedAnew_isReadCompressed()
{
    QVERIFY(train::writeCapsule(m_run, checkpoint(), at("original.earwright")));
    std::ofstream(at("pack.py"))
        << "import sys, zipfile\n"
           "old = zipfile.ZipFile(sys.argv[1])\n"
           "new = zipfile.ZipFile(sys.argv[2], 'w', zipfile.ZIP_DEFLATED)\n"
           "for name in old.namelist():\n"
           "    new.writestr(name, old.read(name))\n"
           "new.close()\n";
    QProcess python;
    python.start("python3",
        { m_folder.filePath("pack.py"), m_folder.filePath("original.earwright"),
            m_folder.filePath("packed.zip") });
    if (!python.waitForFinished(-1) || python.exitCode() != 0)
        QSKIP("python3 is not there");
    QVERIFY(fs::file_size(at("packed.zip")) < fs::file_size(at("original.earwright")) / 2);
    const auto capsule = Capsule::open(at("packed.zip"));
    QVERIFY2(capsule, capsule ? "" : capsule.error().message.c_str());
    QVERIFY(bool(train::loadCheckpoint(capsule->checkpoint())));
}

void TstCapsule::weightsAlone_haveTheCheckpointsNames()
{
    const Status written = train::writeWeights(checkpoint(), at("model.safetensors"));
    QVERIFY2(written, written ? "" : written.error().message.c_str());
    const auto file = model::readTensorFile(at("model.safetensors"));
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    const auto stored = train::loadCheckpoint(checkpoint());
    QCOMPARE(file->tensors.size(), stored->model.size());
    for (const auto& [name, tensor] : stored->model)
        QVERIFY(torch::equal(tensor, file->tensors.at(name)));
    QVERIFY(file->tensors.contains("enc.w.weight"));
    QVERIFY(!train::writeWeights(checkpoint(), at("nowhere/model.safetensors")));
    QVERIFY(!train::writeWeights(at("nowhere"), at("model.safetensors")));
    QVERIFY(bool(model::readTensorFile(at("model.safetensors"))));
}

/// In both forms: of a checkpoint on the disk, and of a mean that is on none.
void TstCapsule::weightsOfALightGru_haveUpstreamsMasks()
{
    const train::Checkpoint made { .model = { { "enc.RNN.rnn.0.drop_mask_te", torch::ones(1) },
                                       { "enc.RNN.rnn.0.h_init", torch::zeros({ 1, 4 }) } } };
    QVERIFY(train::writeCheckpoint(at("light gru"), made));
    QVERIFY(train::writeWeights(at("light gru"), at("stored.safetensors")));
    QVERIFY(train::writeWeights(made, at("made.safetensors")));
    for (const char* name : { "stored.safetensors", "made.safetensors" }) {
        const auto file = model::readTensorFile(at(name));
        QVERIFY2(file, file ? "" : file.error().message.c_str());
        QCOMPARE(file->tensors.size(), made.model.size() + 1);
        QVERIFY(
            torch::equal(file->tensors.at("enc.RNN.rnn.0.drop_masks"), torch::ones({ 16000, 4 })));
        QCOMPARE(file->metadata.at("format"), std::string("pt"));
    }
    const auto stored = train::loadCheckpoint(at("light gru"));
    QVERIFY(stored && stored->model.size() == made.model.size());
}

void TstCapsule::capsule_isToldFromAFileOfTorch()
{
    writeZip(at("told.earwright"), soundRecords());
    QVERIFY(run::isCapsuleFile(at("told.earwright")));
    QVERIFY(!run::isCapsuleFile(EARWRIGHT_CASES_DIR "/model/torch/sound/views.pt"));
    QVERIFY(!run::isCapsuleFile(checkpoint() / "model.safetensors"));
    QVERIFY(!run::isCapsuleFile(at("nowhere")));
}

/// Of a header of 0x4b50 bytes, whose length begins as an archive does.
void TstCapsule::capsule_isToldFromSafetensors()
{
    const uint64_t length = 0x4b50;
    std::string header = R"({"w":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}})";
    header.resize(length, ' ');
    std::ofstream(at("PK.safetensors"), std::ios::binary)
        << std::string(reinterpret_cast<const char*>(&length), sizeof length) << header;
    QVERIFY(readFile(at("PK.safetensors"))->starts_with("PK"));
    QVERIFY(!run::looksLikeCapsule(at("PK.safetensors")));
    QVERIFY(!run::isCapsuleFile(at("PK.safetensors")));
}

/// It would be waited for; this one has what an archive begins with.
void TstCapsule::pipe_isNotOpened()
{
    QCOMPARE(::mkfifo(at("pipe").c_str(), 0600), 0);
    std::fstream pipe(at("pipe")); // for both ways, which waits for nobody
    pipe << "PK" << std::flush;
    QVERIFY(!run::looksLikeCapsule(at("pipe")));
    std::string left(2, '\0');
    QVERIFY(pipe.read(left.data(), 2));
}

void TstCapsule::fileThatIsThere_isReplacedOrStays()
{
    const fs::path file = at("again.earwright");
    std::ofstream(file) << "former";
    QVERIFY(!train::writeCapsule(m_run, at("nowhere"), file));
    QCOMPARE(*readFile(file), std::string("former"));
    QVERIFY(train::writeCapsule(m_run, checkpoint(), file));
    QVERIFY(bool(Capsule::open(file)));
    QCOMPARE(leftovers(m_folder.path(), "*again*"), QStringList({ "again.earwright" }));
}

void TstCapsule::whatCannotBeWritten_leavesNothing_data()
{
    QTest::addColumn<QString>("file");
    QTest::newRow("no folder") << "none/model.earwright";
    QTest::newRow("a folder") << "data";
}

void TstCapsule::whatCannotBeWritten_leavesNothing()
{
    QFETCH(QString, file);
    const fs::path path = at(file.toStdString());
    const Status written = train::writeCapsule(m_run, checkpoint(), path);
    QVERIFY(!written);
    const std::string& said = written.error().message;
    QVERIFY2(said.find(path.string()) != std::string::npos, said.c_str());
    QCOMPARE(leftovers(m_folder.path(), ".earwright-export*"), QStringList());
}

void TstCapsule::soundRecords_open()
{
    writeZip(at("sound.earwright"), soundRecords());
    const auto capsule = Capsule::open(at("sound.earwright"));
    QVERIFY2(capsule, capsule ? "" : capsule.error().message.c_str());
}

void TstCapsule::wrongFile_isRefusedInWords_data()
{
    QTest::addColumn<QString>("words");
    const auto row = [this](const char* name, const char* words, const Records& records) {
        writeZip(at(std::string(name) + ".earwright"), records);
        QTest::newRow(name) << words;
    };
    const auto withIndex = [](const std::function<void(json&)>& change) {
        Records records = soundRecords();
        json index = json::parse(records["capsule.json"]);
        change(index);
        records["capsule.json"] = index.dump();
        return records;
    };
    const auto named = [&](const std::string& name) {
        Records records = withIndex([&](json& index) { index["files"][name] = described("x"); });
        records[name] = "x";
        return records;
    };
    row("no index", "has no capsule.json", { { "plan.json", "{}" } });
    row("broken index", "capsule.json: not a JSON object", { { "capsule.json", "{" } });
    row("list for index", "capsule.json: not a JSON object", { { "capsule.json", "[1]" } });
    row("deep index", "capsule.json: not a JSON object",
        { { "capsule.json",
            R"({"earwright_capsule": 1, "checkpoint": "step-1", "files": {"plan.json": )"
                + std::string(100'000, '[') + std::string(100'000, ']') + "}}" } });
    row("newer", "newer Earwright (version 2)",
        withIndex([](json& index) { index["earwright_capsule"] = 2; }));
    row("version is text", "capsule.json: member 'earwright_capsule' has the wrong type",
        withIndex([](json& index) { index["earwright_capsule"] = "1"; }));
    row("files is a list", "capsule.json: member 'files' is no object",
        withIndex([](json& index) { index["files"] = { 1 }; }));
    row("missing file", "hyperparams.yaml",
        withIndex([](json& index) { index["files"]["hyperparams.yaml"] = described("x"); }));
    row("checksum", "'plan.json' is not what was written",
        withIndex([](json& index) { index["files"]["plan.json"] = described("[]"); }));
    row("no plan", "lacks plan.json",
        withIndex([](json& index) { index["files"].erase("plan.json"); }));
    row("no checkpoint", "lacks plan.json or its checkpoint",
        withIndex([](json& index) { index["checkpoint"] = "step-2"; }));
    row("checkpoint outside", "lacks plan.json or its checkpoint",
        withIndex([](json& index) { index["checkpoint"] = "../../../../etc"; }));
    const char* const outside = "which is no file of a run";
    row("parent", outside, named("../escaped"));
    row("parent inside", outside, named("events/../../escaped"));
    row("absolute", outside, named(at("escaped").string()));
    row("dot", outside, named("./plan.json"));
    row("other folder", outside, named(".ssh/authorized_keys"));
    row("folder", outside,
        withIndex([](json& index) { index["files"]["events/"] = described("x"); }));
    std::ofstream(at("text.earwright")) << "no archive";
    QTest::newRow("text") << "no whole zip archive";
    QTest::newRow("nowhere") << "No such file or directory";
}

void TstCapsule::wrongFile_isRefusedInWords()
{
    QFETCH(QString, words);
    const fs::path file = at(std::string(QTest::currentDataTag()) + ".earwright");
    const auto capsule = Capsule::open(file);
    QVERIFY(!capsule);
    const QString said = QString::fromStdString(capsule.error().message);
    QVERIFY2(said.contains(words), qPrintable(said));
    QVERIFY2(said.contains(QString::fromStdString(file.string())), qPrintable(said));
    QVERIFY(!fs::exists(at("escaped")));
    QVERIFY(!fs::exists(at("temporary/escaped")));
    QCOMPARE(
        leftovers(QString::fromStdString(at("temporary")), "earwright-capsule*"), QStringList());
}

void TstCapsule::truncatedFile_isRefusedAtEveryLength()
{
    writeZip(at("whole.earwright"), soundRecords());
    const std::string whole = *readFile(at("whole.earwright"));
    for (size_t length = 0; length < whole.size(); ++length) {
        std::ofstream(at("cut.earwright"), std::ios::binary) << whole.substr(0, length);
        QVERIFY2(!Capsule::open(at("cut.earwright")), qPrintable(QString::number(length)));
    }
}

void TstCapsule::changedByte_isFound()
{
    QVERIFY(train::writeCapsule(m_run, checkpoint(), at("changed.earwright")));
    std::string bytes = *readFile(at("changed.earwright"));
    const std::string weights = *readFile(checkpoint() / "model.safetensors");
    const size_t place = bytes.find(weights.substr(weights.size() - 16));
    QVERIFY(place != std::string::npos);
    bytes[place] = static_cast<char>(bytes[place] ^ 1);
    QVERIFY(writeFileAtomically(at("changed.earwright"), bytes));
    const auto capsule = Capsule::open(at("changed.earwright"));
    QVERIFY(!capsule && capsule.error().message.find("model.safetensors") != std::string::npos);
}

EARWRIGHT_TEST(TstCapsule)
#include "tst_capsule.moc"
