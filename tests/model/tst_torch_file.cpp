#include "core/model/torch_file.h"

#include "core/base/file.h"
#include "tests/registry.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace earwright;
using namespace earwright::model;

namespace {

namespace fs = std::filesystem;

const fs::path kCases = EARWRIGHT_CASES_DIR "/model/torch";

constexpr const char* kNotWhole = "has a tensor that is not made of storage, offset, sizes";
constexpr const char* kOutside = "tensor 'w' does not lie in its storage of 4 numbers";

/// A file below kCases, and a part of what is said of it.
constexpr struct {
    const char* name;
    const char* words;
} kRefusedFiles[] = {
    { "refused/legacy.pt", "torch.save(torch.load('legacy.pt'), 'new.pt')" },
    { "refused/whole_model.pt", "names 'torch.nn.modules.linear.Linear', which is neither a" },
    { "refused/list.pt", "holds no dict of tensors" },
    { "refused/no_tensors.pt", "holds no tensors by name; it has 'note'" },
    { "refused/other_key.pt", "it has 'epoch', 'net' (a dict of 7). Weights are looked for" },
    { "refused/no_torch.pt", "a pickle of Python, but none of torch.save" },
    { "refused/complex.pt",
        "names 'torch.ComplexFloatStorage', a tensor of a type that is not read" },
    { "refused/scripted.pt", "TorchScript program" },
    { "broken/os_system.pt", "names 'posix.system', which is neither a tensor nor a plain" },
    { "broken/eval.pt", "names 'builtins.eval'" },
    { "broken/getattr.pt", "names 'builtins.getattr'" },
    { "broken/newobj.pt", "has the opcode 129" },
    { "broken/inst.pt", "has the opcode 105" },
    { "broken/extension.pt", "has the opcode 130" },
    { "broken/storage_called.pt", "calls torch.FloatStorage with what does not belong there" },
    { "broken/counter_of_text.pt", "calls collections.Counter with what does not belong there" },
    { "broken/set_of_storage.pt", "calls builtins.set with what does not belong there" },
    { "broken/storage_number.pt", "refers to what is no storage" },
    { "broken/small_storage.pt", "needs a storage of 1000 numbers, but 'data/0' has 16 bytes" },
    { "broken/two_kinds.pt", "its storage '0' is said to be of two kinds" },
    { "broken/missing_record.pt", "data/1" },
    { "broken/record_outside.pt", "data/../../etc/passwd" },
    { "broken/huge_shape.pt", kOutside },
    { "broken/huge_product.pt", kOutside },
    { "broken/expanded.pt", kOutside },
    { "broken/past_end.pt", kOutside },
    { "broken/negative_offset.pt", kOutside },
    { "broken/negative_size.pt", kOutside },
    { "broken/negative_stride.pt", kOutside },
    { "broken/huge_stride.pt", kOutside },
    { "broken/short_strides.pt", kOutside },
    { "broken/many_dimensions.pt", kNotWhole },
    { "broken/negative_storage.pt", "refers to what is no storage" },
    { "broken/text_for_size.pt", kNotWhole },
    { "broken/key_without_value.pt", "sets a key without a value" },
    { "broken/keys_of_list.pt", "sets keys of what is no dict" },
    { "broken/append_to_dict.pt", "appends to what is no list" },
    { "broken/empty_stack.pt", "takes more values than it has" },
    { "broken/below_mark.pt", "takes more values than it has" },
    { "broken/no_mark.pt", "ends a container that it did not begin" },
    { "broken/memo.pt", "goes back to a value that it does not have" },
    { "broken/nothing.pt", "leaves 0 values where one belongs" },
    { "broken/two_values.pt", "leaves 2 values where one belongs" },
    { "broken/no_stop.pt", "is truncated" },
    { "broken/text_past_end.pt", "is truncated" },
    { "broken/long_integer.pt", "holds no dict of tensors" },
    { "broken/contains_itself.pt", "holds no tensors by name" },
    { "broken/deep.pt", "holds no dict of tensors" },
    { "broken/compressed.pt", "more than the file: it is compressed" },
    { "broken/compressed_short.pt",
        "its record 'version' is compressed, which torch.save does not" },
    { "broken/compressed_version.pt", "'version' says it has 4194305 bytes, more than the file" },
    { "broken/two_directories.pt", "'version' says it has 4194305 bytes, more than the file" },
    { "broken/huge_record.pt", "'data/0' says it has 1099511627776 bytes, more than the file" },
    { "broken/big_endian.pt", "another byte order" },
    { "broken/other_zip.pt", "none of torch.save" },
    { "broken/text.pt", "no zip archive" },
    { "broken/empty.pt", "it is empty" },
    { "broken/none.pt", "No such file" },
};

/// 0, 1, 2, … in a shape.
torch::Tensor counted(std::vector<int64_t> sizes)
{
    return torch::arange(c10::multiply_integers(sizes), torch::kFloat).reshape(sizes);
}

/// Without waiting for the disk.
void write(const fs::path& path, const std::string& bytes)
{
    std::ofstream(path, std::ios::binary) << bytes;
}

QStringList namesOf(const TensorFile& file)
{
    QStringList names;
    for (const auto& [name, tensor] : file.tensors)
        names << QString::fromStdString(name);
    return names;
}

/// The parameters and buffers of make.py's model().
void verifyModel(const TensorFile& file)
{
    QCOMPARE(namesOf(file),
        QStringList({ "0.bias", "0.weight", "1.bias", "1.num_batches_tracked", "1.running_mean",
            "1.running_var", "1.weight" }));
    QVERIFY(torch::equal(file.tensors.at("0.weight"), counted({ 2, 3 })));
    QVERIFY(torch::equal(file.tensors.at("0.bias"), counted({ 2 }) + 1));
    QVERIFY(torch::equal(file.tensors.at("1.bias"), counted({ 2 }) + 3));
    QCOMPARE(file.tensors.at("1.num_batches_tracked").scalar_type(), at::kLong);
}

} // namespace

class TstTorchFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyType_readsAsPythonWroteIt();
    void views_readAsPythonWroteThem();
    void stateDict_isReadInEveryProtocol_data();
    void stateDict_isReadInEveryProtocol();
    void trainingOfFunasr_givesItsStateDict();
    void expandedTensors_showTheirNumbersAgain();
    void plainValuesBesideWeights_areLeft_data();
    void plainValuesBesideWeights_areLeft();
    void whatIsNoWeights_isSaid_data();
    void whatIsNoWeights_isSaid();
    void refusedFile_isExplained_data();
    void refusedFile_isExplained();
    void everyBrokenFile_hasARow();
    void truncatedFile_isAnErrorAtEveryLength();
    void changedByte_isAnErrorOrOtherNumbers();
    void damagedNumbers_areToldByTheChecksum();
    void kindOfFile_isToldByItsContent();
    void safetensorsThatBeginAsAnother_areRead_data();
    void safetensorsThatBeginAsAnother_areRead();

private:
    QTemporaryDir m_folder;
};

void TstTorchFile::everyType_readsAsPythonWroteIt()
{
    const auto file = readTorchFile(kCases / "sound/types.pt");
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    const std::pair<const char*, at::ScalarType> types[] = { { "float32", at::kFloat },
        { "float64", at::kDouble }, { "float16", at::kHalf }, { "bfloat16", at::kBFloat16 },
        { "int64", at::kLong }, { "int32", at::kInt }, { "int16", at::kShort },
        { "int8", at::kChar }, { "uint8", at::kByte }, { "bool", at::kBool } };
    QCOMPARE(file->tensors.size(), std::size(types));
    for (const auto& [name, type] : types) {
        QCOMPARE(file->tensors.at(name).scalar_type(), type);
        QVERIFY2(torch::equal(file->tensors.at(name), counted({ 2, 3 }).to(type)), name);
    }
}

void TstTorchFile::views_readAsPythonWroteThem()
{
    const auto file = readTorchFile(kCases / "sound/views.pt");
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    const auto& tensors = file->tensors;
    const torch::Tensor whole = counted({ 4, 3 });
    QVERIFY(torch::equal(tensors.at("whole"), whole));
    QVERIFY(torch::equal(tensors.at("row"), whole[1]));
    QVERIFY(torch::equal(tensors.at("transposed"), whole.t()));
    QVERIFY(tensors.at("tied").is_alias_of(tensors.at("whole")));
    QVERIFY(torch::equal(tensors.at("scalar"), torch::tensor(1.5)));
    QCOMPARE(tensors.at("empty").sizes(), torch::IntArrayRef({ 0, 4 }));
    QVERIFY(torch::equal(tensors.at("parameter"), counted({ 2 })));
    QCOMPARE(tensors.at("count").item<int64_t>(), int64_t(7));
    QCOMPARE(tensors.at("rate").item<double>(), 0.5);
    QVERIFY(!tensors.contains("name"));
}

void TstTorchFile::stateDict_isReadInEveryProtocol_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : { "state_dict.ckpt", "protocol4.ckpt" })
        QTest::newRow(name) << name;
}

void TstTorchFile::stateDict_isReadInEveryProtocol()
{
    QFETCH(QString, name);
    const auto file = readTorchFile(kCases / "sound" / name.toStdString());
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    verifyModel(*file);
}

void TstTorchFile::trainingOfFunasr_givesItsStateDict()
{
    const auto file = readTorchFile(kCases / "sound/funasr.pt");
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    verifyModel(*file); // without the optimizer, and without "module."
}

void TstTorchFile::expandedTensors_showTheirNumbersAgain()
{
    const auto file = readTorchFile(kCases / "sound/expanded.pt");
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    QVERIFY(torch::equal(file->tensors.at("w"), counted({ 1, 3 }).expand({ 4, 3 })));
    QVERIFY(torch::equal(file->tensors.at("v"), torch::zeros(5)));
}

void TstTorchFile::plainValuesBesideWeights_areLeft_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : { "beside_weights.pt", "beside_weights4.pt" })
        QTest::newRow(name) << name;
}

void TstTorchFile::plainValuesBesideWeights_areLeft()
{
    QFETCH(QString, name);
    const auto file = readTorchFile(kCases / "sound" / name.toStdString());
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    QCOMPARE(namesOf(*file), QStringList({ "p", "w" }));
    QVERIFY(torch::equal(file->tensors.at("w"), counted({ 2, 2 })));
    QVERIFY(torch::equal(file->tensors.at("p"), counted({ 2 })));
}

void TstTorchFile::whatIsNoWeights_isSaid_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const char* bytes, const char* words) {
        QTest::newRow(name) << QByteArray(bytes) << QString(words);
    };
    row("empty", "", "it is empty");
    row("git-lfs", "version https://git-lfs.github.com/spec/v1\noid sha256:a1\nsize 9\n",
        "'git lfs pull'");
    row("web page", "\n<!DOCTYPE html>\n<html><body>404</body></html>", "it is a web page");
    row("web page without a type", "<HTML><body>404", "it is a web page");
}

void TstTorchFile::whatIsNoWeights_isSaid()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, words);
    for (const char* name : { "model.pt", "model.safetensors" }) {
        const fs::path path = m_folder.filePath(name).toStdString();
        write(path, bytes.toStdString());
        const auto file = readWeights(path);
        QVERIFY(!file);
        const std::string& said = file.error().message;
        QVERIFY2(said.find(words.toStdString()) != std::string::npos, said.c_str());
        QVERIFY2(said.find(path.string()) != std::string::npos, said.c_str());
    }
}

void TstTorchFile::refusedFile_isExplained_data()
{
    QTest::addColumn<QString>("words");
    for (const auto& [name, words] : kRefusedFiles)
        QTest::newRow(name) << words;
}

void TstTorchFile::refusedFile_isExplained()
{
    QFETCH(QString, words);
    const fs::path path = kCases / QTest::currentDataTag();
    const auto file = readTorchFile(path);
    QVERIFY(!file);
    const std::string& said = file.error().message;
    QVERIFY2(said.find(words.toStdString()) != std::string::npos, said.c_str());
    QVERIFY2(said.find(path.string()) != std::string::npos, said.c_str());
    QCOMPARE(std::count(said.begin(), said.end(), '\n'), 0);
    QVERIFY(!fs::exists("kymo-was-here"));
}

void TstTorchFile::everyBrokenFile_hasARow()
{
    QStringList listed;
    for (const auto& row : kRefusedFiles)
        listed << row.name;
    for (const QString folder : { "broken", "refused" })
        for (const QString& name : QDir(kCases.c_str() + ("/" + folder)).entryList(QDir::Files))
            QVERIFY2(listed.contains(folder + "/" + name), qPrintable(name));
}

void TstTorchFile::truncatedFile_isAnErrorAtEveryLength()
{
    const std::string whole = *readFile(kCases / "sound/state_dict.ckpt");
    const fs::path cut = m_folder.filePath("cut.ckpt").toStdString();
    for (size_t length = 0; length < whole.size(); ++length) {
        write(cut, whole.substr(0, length));
        QVERIFY2(!readTorchFile(cut), qPrintable(QString::number(length)));
    }
}

/// Of what is no number of a tensor, most changes are found. None crashes, and none makes a tensor
/// that reaches out of its storage: adding it up reads all of it.
void TstTorchFile::changedByte_isAnErrorOrOtherNumbers()
{
    const std::string whole = *readFile(kCases / "sound/views.pt");
    const fs::path changed = m_folder.filePath("changed.ckpt").toStdString();
    int errors = 0;
    for (size_t at = 0; at < whole.size(); ++at) {
        std::string bytes = whole;
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << (at % 8)));
        write(changed, bytes);
        const auto file = readTorchFile(changed);
        errors += file ? 0 : 1;
        if (!file)
            continue;
        for (const auto& [name, tensor] : file->tensors)
            QVERIFY(tensor.sum().numel() == 1);
    }
    QVERIFY2(errors > 200, qPrintable(QString::number(errors)));
}

/// PyTorch itself reads it as if nothing were.
void TstTorchFile::damagedNumbers_areToldByTheChecksum()
{
    const std::string whole = *readFile(kCases / "sound/views.pt");
    const size_t record = whole.find("/data/0");
    QVERIFY(record != std::string::npos);
    const size_t head = whole.rfind("PK\3\4", record); // of the record: 30 bytes, name, padding
    const auto lengthAt = [&](size_t at) {
        return static_cast<uint8_t>(whole[head + at])
            + 256U * static_cast<uint8_t>(whole[head + at + 1]);
    };
    std::string bytes = whole;
    char& first = bytes[head + 30 + lengthAt(26) + lengthAt(28)];
    first = static_cast<char>(first ^ 1);
    const fs::path changed = m_folder.filePath("damaged.pt").toStdString();
    write(changed, bytes);
    const auto file = readTorchFile(changed);
    QVERIFY(!file);
    QVERIFY2(file.error().message.find("its record 'data/0' is damaged") != std::string::npos,
        file.error().message.c_str());
}

void TstTorchFile::kindOfFile_isToldByItsContent()
{
    const fs::path path = m_folder.filePath("weights.ckpt").toStdString();
    QVERIFY(writeTensorFile(path, { { { "w", counted({ 2 }) } }, {} }));
    const auto own = readWeights(path);
    QVERIFY(own && torch::equal(own->tensors.at("w"), counted({ 2 })));
    QVERIFY(bool(readWeights(kCases / "sound/state_dict.ckpt")));
    const auto old = readWeights(kCases / "refused/legacy.pt");
    QVERIFY(!old && old.error().message.find("before PyTorch 1.6") != std::string::npos);
}

void TstTorchFile::safetensorsThatBeginAsAnother_areRead_data()
{
    QTest::addColumn<quint64>("headerBytes");
    QTest::addColumn<QByteArray>("begin");
    QTest::newRow("pickle") << quint64 { 0x80 } << QByteArray("\x80");
    QTest::newRow("pickle of protocol 2") << quint64 { 0x280 } << QByteArray("\x80\x02");
    QTest::newRow("zip") << quint64 { 0x4b50 } << QByteArray("PK");
    QTest::newRow("larger zip") << quint64 { 0x14b50 } << QByteArray("PK\x01");
    QTest::newRow("web page") << quint64 { 0x3c20 } << QByteArray(" <");
}

void TstTorchFile::safetensorsThatBeginAsAnother_areRead()
{
    QFETCH(quint64, headerBytes);
    QFETCH(QByteArray, begin);
    std::string header = R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
    header.resize(headerBytes, ' ');
    const float numbers[] = { 0, 1 };
    std::string bytes(reinterpret_cast<const char*>(&headerBytes), sizeof headerBytes);
    bytes += header;
    bytes.append(reinterpret_cast<const char*>(numbers), sizeof numbers);
    QVERIFY(bytes.starts_with(begin.toStdString()));
    const fs::path path = m_folder.filePath("begin.safetensors").toStdString();
    write(path, bytes);
    const auto file = readWeights(path);
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    QVERIFY(torch::equal(file->tensors.at("w"), counted({ 2 })));
}

EARWRIGHT_TEST(TstTorchFile)
#include "tst_torch_file.moc"
