#include "tests/model/parity/training.h"

#include <numeric>

namespace earwright::tests {

namespace {

torch::Tensor scalar(double value)
{
    return torch::tensor(value, at::kDouble);
}

std::string afterPrefix(const std::string& name, const std::string& prefix)
{
    return name.starts_with(prefix) ? name.substr(prefix.size()) : "";
}

/// The validation's has a tolerance of its own in some cases.
std::string validTolerance(const Case& test)
{
    return test.json.at("tolerance_fp32").contains("valid_loss") ? "valid_loss" : "loss";
}

/// The names of tolerances and sensitivities differ.
std::string sensitivityOf(const std::string& kind)
{
    static const std::map<std::string, std::string> kNames
        = { { "loss", "step_loss" }, { "grad_norm", "step_grad_norm" } };
    const auto found = kNames.find(kind);
    return found == kNames.end() ? kind : found->second;
}

/// sensitivity.KIND of the JSON: a parameter's own, the largest of a list; where it has none,
/// KIND_max, that of all parameters, or 0.
double sensitivity(const Case& test, const std::string& kind, const std::string& name)
{
    const Json& stated = test.json.at("sensitivity");
    if (!stated.contains(kind))
        return stated.value(kind + "_max", 0.0);
    if (stated.at(kind).is_object())
        return stated.at(kind).value(name, 0.0);
    double most = 0;
    for (const Json& value : stated.at(kind))
        most = std::max(most, value.get<double>());
    return most;
}

} // namespace

Comparison compared(const std::vector<Quantity>& quantities)
{
    Comparison comparison;
    for (const auto& [name, actual, expected, tolerance, sensitivity] : quantities)
        comparison.tensors(
            name, actual, expected, { tolerance.absolute + sensitivity, tolerance.relative });
    return comparison;
}

std::vector<Finding> batchesOf(const Case& test, int64_t epoch)
{
    std::vector<Finding> batches = test.finding("batches").items();
    std::erase_if(
        batches, [&](const Finding& batch) { return batch.at("epoch").as<int64_t>() != epoch; });
    return batches;
}

std::vector<int64_t> rowsOf(const Finding& batch)
{
    std::vector<int64_t> rows;
    for (const Finding& id : batch.at("ids").items())
        rows.push_back(std::stoll(id.as<std::string>().substr(1)));
    return rows;
}

void TrainingNotes::tensor(const std::string& name, const torch::Tensor& actual,
    const torch::Tensor& expected, const std::string& kind)
{
    note({ name, actual.detach().clone(), expected, m_test.tolerance(kind),
        sensitivity(m_test, sensitivityOf(kind), afterPrefix(name, "final.param.")) });
}

void TrainingNotes::number(
    const std::string& name, double actual, const Finding& expected, const std::string& kind)
{
    tensor(name, scalar(actual), scalar(expected.number()), kind);
}

void TrainingNotes::exact(const std::string& name, double actual, double expected, double rounding)
{
    note({ name, scalar(actual), scalar(expected), { rounding, 0 } });
}

void TrainingNotes::same(const std::string& name, const Json& actual, const Json& expected)
{
    exact(name + " " + actual.dump() + " is " + expected.dump(), actual == expected ? 1 : 0, 1);
}

void TrainingNotes::trained(const Finding& batch, const torch::Tensor& loss, int64_t steps)
{
    const std::string name = "step_loss " + std::to_string(m_batch);
    m_losses.push_back(loss.item<double>());
    number(name, m_losses.back(), batch.at("loss"), "loss");
    tensor(name, scalar(m_losses.back()), m_test.tensor("out.step_loss")[m_batch], "loss");
    same("dtype of " + name, typeName(loss), batch.at("loss_dtype").whole());
    same("steps after " + name, steps, batch.at("optimizer_step_after").whole());
    ++m_batch;
}

void TrainingNotes::stepped(double norm)
{
    tensor("grad_norm " + std::to_string(m_step), scalar(norm),
        m_test.tensor("out.step_grad_norm")[m_step], "grad_norm");
    ++m_step;
}

void TrainingNotes::validated(const Finding& epoch, double loss)
{
    const std::string number = epoch.at("epoch").whole().dump();
    Quantity valid { "valid_loss " + number, scalar(loss), scalar(epoch.at("valid_loss").number()),
        m_test.tolerance(validTolerance(m_test)), sensitivity(m_test, "valid_loss", "") };
    note(std::move(valid));
    const double mean = std::accumulate(m_losses.begin(), m_losses.end(), 0.0)
        / static_cast<double>(m_losses.size());
    TrainingNotes::number("train_loss " + number, mean, epoch.at("train_loss"), "loss");
    m_losses.clear();
}

} // namespace earwright::tests
