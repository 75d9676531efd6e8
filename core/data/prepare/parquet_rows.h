#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::data {

/// A row of a dataset in Parquet, as Hugging Face's `datasets` writes audio.
struct ParquetRow {
    std::string_view id; ///< these four "" where there is none
    std::string_view text;
    std::string_view speaker;
    std::string_view path; ///< that the sound had where the dataset was made
    std::string_view sound; ///< the bytes of an audio file
};

/// Names of a column, the first that a file has.
struct ParquetColumns {
    std::vector<std::string> id, text, speaker, sound;
};

/// Reads a file row by row until `row` returns false. What went wrong is in `problem`: a file that
/// is not read, one without a column of texts or sounds. Arrow reads it; the function is in a
/// library of its own, earwright_parquet.so, so that nobody else loads Arrow.
using ReadParquetRows = void (*)(const std::filesystem::path& file, const ParquetColumns& columns,
    const std::function<bool(const ParquetRow&)>& row, std::string& problem);

/// Its symbol.
constexpr const char* kReadParquetRows = "earwrightReadParquetRows";

} // namespace earwright::data
