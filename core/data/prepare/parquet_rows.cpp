// The library earwright_parquet.so: the one part that is linked with Arrow.
#include "core/data/prepare/parquet_rows.h"

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <parquet/arrow/reader.h>
#include <parquet/properties.h>

#include <exception>
#include <memory>

namespace earwright::data {

namespace {

constexpr int64_t kRowsAtOnce = 16; ///< each with its audio

std::shared_ptr<arrow::Array> column(
    const arrow::RecordBatch& rows, const std::vector<std::string>& names)
{
    for (const std::string& name : names)
        if (std::shared_ptr<arrow::Array> found = rows.GetColumnByName(name))
            return found;
    return nullptr;
}

/// A number is its digits; nothing where there is none.
std::string text(const std::shared_ptr<arrow::Array>& values, int64_t row)
{
    if (!values)
        return {};
    const std::shared_ptr<arrow::Scalar> value = values->GetScalar(row).ValueOr(nullptr);
    return value && value->is_valid ? value->ToString() : std::string();
}

std::shared_ptr<arrow::Array> member(
    const std::shared_ptr<arrow::Array>& column, const std::string& name)
{
    const auto* const structure = dynamic_cast<const arrow::StructArray*>(column.get());
    return structure ? structure->GetFieldByName(name) : nullptr;
}

bool areBytes(const arrow::Scalar& value)
{
    return value.type->id() == arrow::Type::BINARY || value.type->id() == arrow::Type::LARGE_BINARY;
}

/// Of a column of {bytes, path}, or of bytes.
std::shared_ptr<arrow::Buffer> bytes(const std::shared_ptr<arrow::Array>& sounds, int64_t row)
{
    const std::shared_ptr<arrow::Array> inner = member(sounds, "bytes");
    const std::shared_ptr<arrow::Scalar> value
        = (inner ? inner : sounds)->GetScalar(row).ValueOr(nullptr);
    if (!value || !value->is_valid || !areBytes(*value))
        return nullptr;
    return static_cast<const arrow::BaseBinaryScalar&>(*value).value;
}

std::string columnsOf(const arrow::RecordBatch& rows)
{
    std::string names;
    for (const std::string& name : rows.schema()->field_names())
        names.append(names.empty() ? "" : ", ").append(name);
    return names;
}

std::string alternatives(const std::vector<std::string>& names)
{
    std::string all;
    for (const std::string& name : names)
        all.append(all.empty() ? "" : " or ").append(name);
    return all;
}

/// False: no more is wanted.
bool tellRows(const arrow::RecordBatch& rows, const ParquetColumns& columns,
    const std::function<bool(const ParquetRow&)>& tell, std::string& problem)
{
    const auto ids = column(rows, columns.id);
    const auto texts = column(rows, columns.text);
    const auto speakers = column(rows, columns.speaker);
    const auto sounds = column(rows, columns.sound);
    if (!texts || !sounds) {
        problem = "has no column " + alternatives(texts ? columns.sound : columns.text) + ": "
            + columnsOf(rows);
        return false;
    }
    const auto paths = member(sounds, "path");
    for (int64_t row = 0; row < rows.num_rows(); ++row) {
        const std::string id = text(ids, row);
        const std::string said = text(texts, row);
        const std::string speaker = text(speakers, row);
        const std::string path = text(paths, row);
        const std::shared_ptr<arrow::Buffer> sound = bytes(sounds, row);
        if (!tell({ .id = id,
                .text = said,
                .speaker = speaker,
                .path = path,
                .sound = sound ? std::string_view(*sound) : std::string_view() }))
            return false;
    }
    return true;
}

arrow::Status read(const std::filesystem::path& file, const ParquetColumns& columns,
    const std::function<bool(const ParquetRow&)>& tell, std::string& problem)
{
    ARROW_ASSIGN_OR_RAISE(const auto input, arrow::io::ReadableFile::Open(file.string()));
    parquet::ArrowReaderProperties properties;
    properties.set_batch_size(kRowsAtOnce);
    properties.set_use_threads(false);
    properties.set_pre_buffer(false); // of a row group, which may be gigabytes
    parquet::ReaderProperties buffered;
    buffered.enable_buffered_stream();
    parquet::arrow::FileReaderBuilder builder;
    ARROW_RETURN_NOT_OK(builder.Open(input, buffered));
    builder.properties(properties);
    ARROW_ASSIGN_OR_RAISE(const auto reader, builder.Build());
    ARROW_ASSIGN_OR_RAISE(const auto batches, reader->GetRecordBatchReader());
    for (;;) {
        std::shared_ptr<arrow::RecordBatch> rows;
        ARROW_RETURN_NOT_OK(batches->ReadNext(&rows));
        if (!rows || !tellRows(*rows, columns, tell, problem))
            return arrow::Status::OK();
    }
}

} // namespace

} // namespace earwright::data

extern "C" [[gnu::visibility("default")]] void earwrightReadParquetRows(
    const std::filesystem::path& file, const earwright::data::ParquetColumns& columns,
    const std::function<bool(const earwright::data::ParquetRow&)>& row, std::string& problem)
{
    try {
        const arrow::Status status = earwright::data::read(file, columns, row, problem);
        if (!status.ok() && problem.empty())
            problem = "is not read: " + status.message();
    } catch (const std::exception& unreadable) {
        problem = std::string("is not read: ") + unreadable.what();
    }
}
