#pragma once

#include "tests/model/parity/case.h"

namespace earwright::tests {

/// What a training is held to.
struct Quantity {
    std::string name;
    torch::Tensor actual;
    torch::Tensor expected;
    Tolerance tolerance;
    double sensitivity = 0; ///< what one rounding of upstream's initial parameters changes in it
};

/// What a training gives, noted beside what upstream's Brain.fit gave: batch by batch, step by step
/// and epoch by epoch, in upstream's order.
class TrainingNotes final {
public:
    explicit TrainingNotes(const Case& test)
        : m_test(test)
    {
    }

    /// `kind` names the tolerance, and the sensitivity where the case has one of it.
    void tensor(const std::string& name, const torch::Tensor& actual, const torch::Tensor& expected,
        const std::string& kind);
    void number(
        const std::string& name, double actual, const Finding& expected, const std::string& kind);
    void exact(const std::string& name, double actual, double expected, double rounding = 0);
    void same(const std::string& name, const Json& actual, const Json& expected);
    void note(Quantity quantity) { m_found.push_back(std::move(quantity)); }

    /// A batch was trained on, with so many optimizer steps up to it.
    void trained(const Finding& batch, const torch::Tensor& loss, int64_t steps);
    /// An optimizer step was made, by the gradients' norm before it.
    void stepped(double norm);
    /// An epoch is over, with this loss of the validation.
    void validated(const Finding& epoch, double loss);

    const std::vector<Quantity>& found() const { return m_found; }

private:
    const Case& m_test;
    std::vector<Quantity> m_found;
    std::vector<double> m_losses; ///< of the epoch
    int64_t m_batch = 0;
    int64_t m_step = 0;
};

/// Each within its tolerance and sensitivity.
Comparison compared(const std::vector<Quantity>& quantities);
/// The batches of an epoch.
std::vector<Finding> batchesOf(const Case& test, int64_t epoch);
/// Rows of the shared data by their names, "u07".
std::vector<int64_t> rowsOf(const Finding& batch);

} // namespace earwright::tests
