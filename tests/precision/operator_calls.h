#pragma once

#include <ATen/autocast_mode.h>
#include <ATen/record_function.h>
#include <QStringList>
#include <set>
#include <string>
#include <torch/types.h>

namespace earwright::tests {

/// The operators that this thread calls while it lives, by the type of their first argument and
/// whether autocast is on.
class OperatorCalls final {
public:
    OperatorCalls()
    {
        calls().clear();
        m_handle = at::addThreadLocalCallback(at::RecordFunctionCallback(note).needsInputs(true));
    }
    ~OperatorCalls() { at::removeCallback(m_handle); }
    OperatorCalls(const OperatorCalls&) = delete;
    OperatorCalls& operator=(const OperatorCalls&) = delete;

    /// "Float", "" where it was not called, else what it was called with.
    static QString typesOf(const std::string& operation)
    {
        std::set<QString> types;
        for (const Call& call : calls())
            if (call.operation == operation)
                types.insert(c10::toString(call.type));
        return QStringList(types.begin(), types.end()).join(", ");
    }

    static bool isUnderAutocast(const std::string& operation)
    {
        return std::any_of(calls().begin(), calls().end(),
            [&](const Call& call) { return call.operation == operation && call.isAutocast; });
    }

private:
    struct Call {
        std::string operation;
        at::ScalarType type;
        bool isAutocast;
        auto operator<=>(const Call&) const = default;
    };

    /// RecordFunction takes plain functions, hence the static.
    static std::set<Call>& calls()
    {
        static std::set<Call> all;
        return all;
    }

    static std::unique_ptr<at::ObserverContext> note(const at::RecordFunction& operation)
    {
        const auto inputs = operation.inputs();
        if (!inputs.empty() && inputs[0].isTensor() && inputs[0].toTensor().defined())
            calls().insert({ operation.name(), inputs[0].toTensor().scalar_type(),
                at::autocast::is_autocast_enabled(at::kCPU) });
        return nullptr;
    }

    at::CallbackHandle m_handle = 0;
};

} // namespace earwright::tests
