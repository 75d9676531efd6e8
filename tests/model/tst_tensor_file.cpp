#include "core/model/tensor_file.h"

#include "core/base/file.h"
#include "tests/registry.h"

#include <QTemporaryDir>
#include <QTest>
#include <torch/nn/modules/linear.h>

using namespace earwright;
using namespace earwright::model;

namespace {

std::string withLength(const std::string& header, const std::string& data = "")
{
    const uint64_t length = header.size();
    std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
    return bytes + header + data;
}

} // namespace

class TstTensorFile : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::filesystem::path at(const char* name) const
    {
        return std::filesystem::path(m_folder.path().toStdString()) / name;
    }

private Q_SLOTS:
    void everyType_readsBackEqual()
    {
        TensorFile file;
        for (const auto type : { at::kFloat, at::kDouble, at::kHalf, at::kBFloat16, at::kLong,
                 at::kInt, at::kShort, at::kChar, at::kByte, at::kBool })
            file.tensors[c10::toString(type)] = torch::arange(6).reshape({ 2, 3 }).to(type);
        file.tensors["scalar"] = torch::tensor(1.5);
        file.tensors["empty"] = torch::empty({ 0, 4 });
        file.tensors["transposed"] = torch::arange(6).reshape({ 2, 3 }).t();
        file.metadata = { { "earwright", "1" } };
        QVERIFY(writeTensorFile(at("types.safetensors"), file));

        const Result<TensorFile> read = readTensorFile(at("types.safetensors"));
        QVERIFY(read);
        QCOMPARE(read->metadata.at("earwright"), std::string("1"));
        QCOMPARE(read->tensors.size(), file.tensors.size());
        for (const auto& [name, tensor] : file.tensors) {
            QCOMPARE(read->tensors.at(name).scalar_type(), tensor.scalar_type());
            QVERIFY2(torch::equal(read->tensors.at(name), tensor), name.c_str());
        }
    }

    void parameterOfAModel_isWritten()
    {
        torch::nn::Linear linear(3, 2);
        QVERIFY(
            writeTensorFile(at("linear.safetensors"), { { { "weight", linear->weight } }, {} }));
        const Result<TensorFile> read = readTensorFile(at("linear.safetensors"));
        QVERIFY(read);
        QVERIFY(!read->tensors.at("weight").requires_grad());
        QVERIFY(torch::equal(read->tensors.at("weight"), linear->weight));
    }

    void brokenFile_isRefusedInWords_data()
    {
        QTest::addColumn<std::string>("bytes");
        QTest::addColumn<std::string>("words");
        const std::string entry = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
        QTest::newRow("empty") << std::string() << std::string("truncated");
        QTest::newRow("other format")
            << std::string("RIFFxxxxWAVEfmt ") << std::string("another format");
        QTest::newRow("not JSON") << withLength("{\"a\":") << std::string("not a JSON object");
        QTest::newRow("JSON list") << withLength("[1]") << std::string("not a JSON object");
        const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
        QTest::newRow("deep shape")
            << withLength("{\"a\":{\"dtype\":\"F32\",\"shape\":" + deep + "}}")
            << std::string("not a JSON object");
        QTest::newRow("deep metadata") << withLength("{\"__metadata__\":{\"a\":" + deep + "}}")
                                       << std::string("not a JSON object");
        QTest::newRow("cut data") << withLength(entry, "1234")
                                  << std::string("'a' lies outside the file");
        QTest::newRow("dtype") << withLength(
            R"({"a":{"dtype":"F4","shape":[2],"data_offsets":[0,1]}})", "1234")
                               << std::string("unknown dtype 'F4'");
        QTest::newRow("shape") << withLength(
            R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", "12345678")
                               << std::string("does not fit its 8 bytes");
        QTest::newRow("negative") << withLength(
            R"({"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})", "12345678")
                                  << std::string("member 'a.shape' must be");
        QTest::newRow("overflow") << withLength(
            R"({"a":{"dtype":"F32","shape":[1099511627776,1099511627776],"data_offsets":[0,8]}})",
            "12345678") << std::string("member 'a.shape' must be");
        QTest::newRow("overflow behind a zero") << withLength(
            R"({"a":{"dtype":"F32","shape":[0,1099511627776,1099511627776],"data_offsets":[0,0]}})",
            "") << std::string("member 'a.shape' must be");
        const auto row = [](const char* name, const std::string& header, const char* words) {
            QTest::newRow(name) << withLength(header, "12345678") << std::string(words);
        };
        row("swapped offsets", R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})",
            "member 'a.data_offsets' must be");
        row("three offsets", R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8,8]}})",
            "member 'a.data_offsets' must be");
        row("too many sizes",
            R"({"a":{"dtype":"F32","shape":[)" + std::string(QByteArray("1,").repeated(64)) + R"(2],
                "data_offsets":[0,8]}})",
            "member 'a.shape' must be up to 64 sizes");
        row("no dtype", R"({"a":{"shape":[2],"data_offsets":[0,8]}})", "'a.dtype' is missing");
        row("dtype of another type", R"({"a":{"dtype":4,"shape":[2],"data_offsets":[0,8]}})",
            "member 'a.dtype' has the wrong type");
        row("shape of another type",
            R"({"a":{"dtype":"F32","shape":{"0":2},"data_offsets":[0,8]}})",
            "member 'a.shape' has the wrong type");
        row("size of another type", R"({"a":{"dtype":"F32","shape":[2.5],"data_offsets":[0,8]}})",
            "member 'a.shape' has the wrong type");
        row("offset beyond any", R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,1e30]}})",
            "member 'a.data_offsets' has the wrong type");
        row("no object", R"({"a":[1]})", "member 'a' is no object");
        row("metadata of another type", R"({"__metadata__":{"a":{"b":1}}})",
            "member '__metadata__' has the wrong type");
        row("shared bytes",
            R"({"a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]},)"
            R"("b":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}})",
            "the tensors 'a' and 'b' share bytes");
    }

    /// In minutes, where each name is compared with all before it.
    void manyTensors_takeTimeByTheirNumber()
    {
        TensorFile file;
        for (int i = 0; i < 100'000; ++i)
            file.tensors["t" + std::to_string(i)] = torch::empty({ 0 });
        QVERIFY(writeTensorFile(at("many.safetensors"), file));
        const Result<TensorFile> read = readTensorFile(at("many.safetensors"));
        QVERIFY(read);
        QCOMPARE(read->tensors.size(), file.tensors.size());
    }

    void brokenFile_isRefusedInWords()
    {
        QFETCH(std::string, bytes);
        QFETCH(std::string, words);
        QVERIFY(writeFileAtomically(at("broken.safetensors"), bytes));
        const Result<TensorFile> read = readTensorFile(at("broken.safetensors"));
        QVERIFY(!read);
        QVERIFY2(
            read.error().message.find(words) != std::string::npos, read.error().message.c_str());
        QVERIFY(read.error().message.find("broken.safetensors") != std::string::npos);
    }

    void missingFile_namesThePath()
    {
        const Result<TensorFile> read = readTensorFile(at("nowhere.safetensors"));
        QVERIFY(!read);
        QVERIFY(read.error().message.find("nowhere.safetensors") != std::string::npos);
    }

    void unwritableFolder_leavesNoFile()
    {
        const Status status = writeTensorFile(
            at("no/such/folder.safetensors"), { { { "a", torch::ones(1) } }, {} });
        QVERIFY(!status);
        QVERIFY(!std::filesystem::exists(at("no/such/folder.safetensors")));
    }
};

EARWRIGHT_TEST(TstTensorFile)
#include "tst_tensor_file.moc"
