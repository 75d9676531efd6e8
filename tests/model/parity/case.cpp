#include "tests/model/parity/case.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/cuda/cuda_library.h"
#include "core/model/tensor_file.h"

#include <cstdlib>
#include <regex>
#include <sstream>

namespace earwright::tests {

c10::Device parityDevice()
{
    const char* device = std::getenv("EARWRIGHT_PARITY_DEVICE");
    if (device != nullptr && *device != 0)
        (void)cuda::cudaPart();
    return device != nullptr && *device != 0 ? c10::Device(device) : c10::Device(at::kCPU);
}

const torch::Tensor& Case::tensor(const std::string& key) const
{
    const auto found = tensors.find(key);
    if (found == tensors.end())
        throw std::runtime_error(name + " holds no tensor '" + key + "'");
    account->insert(key);
    return found->second;
}

torch::Tensor Case::hostTensor(const std::string& key) const
{
    return tensor(key).cpu();
}

std::map<std::string, torch::Tensor> Case::under(const std::string& prefix) const
{
    const std::string start = prefix + ".";
    std::map<std::string, torch::Tensor> found;
    for (const auto& [key, value] : tensors)
        if (key.starts_with(start))
            found[key.substr(start.size())] = value;
    return found;
}

Tolerance Case::tolerance(const std::string& kind) const
{
    const Json& stated = json.at("tolerance_fp32").at(kind);
    return { stated.value("atol", 0.0), stated.value("rtol", 0.0) };
}

Tolerance Case::tolerance() const
{
    const Json& stated = json.at("tolerance_fp32");
    return { stated.at("atol").get<double>(), stated.at("rtol").get<double>() };
}

CaseList storedCases(const std::filesystem::path& folder)
{
    CaseList stored;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        const std::filesystem::path kind = file.path().extension();
        if (kind == ".json" || kind == ".safetensors")
            stored[file.path().stem().string()] |= kind == ".safetensors";
    }
    return stored;
}

/// Rows are "| name | upstream | …", or "| name (JSON only) | …".
std::optional<CaseList> listedCases(const std::filesystem::path& folder)
{
    CaseList listed;
    const Result<std::string> text = readFile(folder / "README.md");
    static const std::regex kRow("\\| (\\w[^ |]*)( \\(JSON only\\))? \\|.*");
    for (const std::string& line : split(text ? *text : "", '\n'))
        if (std::smatch row; std::regex_match(line, row, kRow) && row[1] != "case")
            listed[row[1]] = !row[2].matched;
    return listed.empty() ? std::nullopt : std::optional(listed);
}

/// Lines are "name: what is missing"; those that begin with # say something.
std::map<std::string, std::string> openCases()
{
    std::map<std::string, std::string> open;
    const Result<std::string> text = readFile(EARWRIGHT_CASES_DIR "/parity/open.txt");
    for (const std::string& line : split(text ? *text : "", '\n'))
        if (const size_t colon = line.find(": "); colon != line.npos && !line.starts_with('#'))
            open[line.substr(0, colon)] = line.substr(colon + 2);
    return open;
}

Case readCase(const std::string& name, c10::Device device)
{
    Case test;
    test.name = name;
    for (const std::filesystem::path& folder : parityFolders())
        if (test.folder = folder; std::filesystem::exists(folder / (name + ".json")))
            break;
    const Result<std::string> text = readFile(test.folder / (name + ".json"));
    if (!text)
        throw std::runtime_error(text.error().message);
    test.json = Json::parse(*text);
    const std::filesystem::path tensors = test.folder / (name + ".safetensors");
    if (!std::filesystem::exists(tensors))
        return test;
    Result<model::TensorFile> file = model::readTensorFile(tensors);
    if (!file)
        throw std::runtime_error(file.error().message);
    for (const auto& [key, tensor] : file->tensors)
        test.tensors[key] = tensor.to(device);
    return test;
}

namespace {

/// Of a tolerance, which is stated for the CPU.
constexpr double kOffTheCpu = 10;

} // namespace

std::string typeName(const torch::Tensor& tensor)
{
    static const std::map<at::ScalarType, const char*> kNames
        = { { at::kFloat, "torch.float32" }, { at::kDouble, "torch.float64" },
              { at::kBFloat16, "torch.bfloat16" }, { at::kLong, "torch.int64" } };
    return kNames.at(tensor.scalar_type());
}

void Comparison::tensors(const std::string& what, const torch::Tensor& actual,
    const torch::Tensor& expected, Tolerance tolerance)
{
    ++m_count;
    if (actual.defined())
        m_actual.emplace_back(what, actual.detach().cpu().clone());
    std::ostringstream text;
    if (!actual.defined() || actual.sizes() != expected.sizes()) {
        text << what << ": shape " << (actual.defined() ? actual.sizes() : at::IntArrayRef {})
             << ", upstream's " << expected.sizes();
        m_failures.push_back(text.str());
        return;
    }
    if (expected.numel() == 0)
        return;
    const torch::Tensor reference = expected.cpu().to(at::kDouble);
    const double worst
        = (actual.detach().cpu().to(at::kDouble) - reference).abs().max().item<double>();
    const double stated
        = tolerance.absolute + tolerance.relative * reference.abs().max().item<double>();
    const double allowed = parityDevice().is_cpu() ? stated : kOffTheCpu * stated;
    // Written so that a NaN fails.
    if (worst <= allowed)
        return;
    text << what << ": differs by " << worst << ", allowed " << allowed;
    m_failures.push_back(text.str());
}

void Comparison::values(
    const std::string& what, double actual, double expected, Tolerance tolerance)
{
    tensors(
        what, torch::tensor(actual, at::kDouble), torch::tensor(expected, at::kDouble), tolerance);
}

void Comparison::check(const std::string& what, bool holds)
{
    ++m_count;
    if (!holds)
        m_failures.push_back(what);
}

void Comparison::equal(const std::string& what, const Json& actual, const Json& expected)
{
    check(actual == expected ? what : what + ": " + actual.dump() + ", upstream " + expected.dump(),
        actual == expected);
}

void Comparison::add(const Comparison& other)
{
    m_failures.insert(m_failures.end(), other.m_failures.begin(), other.m_failures.end());
    m_actual.insert(m_actual.end(), other.m_actual.begin(), other.m_actual.end());
    m_count += other.m_count;
}

std::string Comparison::failures() const
{
    std::string all;
    for (const std::string& failure : m_failures)
        all.append(failure).append("\n");
    return all;
}

namespace {

recipe::NodePtr argumentNode(const Json& value)
{
    if (value.is_array()) {
        const auto sequence = std::make_shared<recipe::Node>();
        sequence->kind = recipe::Kind::Sequence;
        for (const Json& item : value)
            sequence->items.push_back(argumentNode(item));
        return sequence;
    }
    if (value.is_object()) {
        const auto mapping = std::make_shared<recipe::Node>();
        mapping->kind = recipe::Kind::Mapping;
        for (const auto& [key, member] : value.items())
            mapping->entries.push_back({ recipe::makeScalar(key), argumentNode(member) });
        return mapping;
    }
    if (!value.is_string())
        return recipe::makeScalar(value.dump());
    const std::string text = value.get<std::string>();
    if (text.starts_with("!name:")) {
        const recipe::NodePtr node = recipe::makeScalar("");
        node->tag = text;
        return node;
    }
    const recipe::NodePtr node = recipe::makeScalar(text);
    node->style = recipe::ScalarStyle::Quoted;
    return node;
}

} // namespace

recipe::NodePtr constructorNode(const std::string& className, const Json& arguments)
{
    const auto node = std::make_shared<recipe::Node>();
    node->kind = recipe::Kind::Mapping;
    node->tag = "!new:" + className;
    for (const auto& [key, value] : arguments.items())
        node->entries.push_back({ recipe::makeScalar(key), argumentNode(value) });
    return node;
}

} // namespace earwright::tests
