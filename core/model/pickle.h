#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace earwright::model {

struct PickleValue;
using PickleItems = std::vector<const PickleValue*>;

struct PickleTuple {
    PickleItems items;
};
struct PickleList {
    PickleItems items;
};
/// dict and OrderedDict, in the order of the pickle. A key that is set twice is there twice; the
/// later one counts.
struct PickleDict {
    std::vector<std::pair<const PickleValue*, const PickleValue*>> entries;
};
/// One of the callables below, before it is called.
struct PickleGlobal {
    std::string name; ///< "collections.OrderedDict"
};

/// The numbers of one or more tensors: the record data/KEY of the file.
struct PickledStorage {
    std::string key;
    std::string type; ///< "FloatStorage"
    int64_t numel = 0;
};
/// A view of a storage, as written: neither sizes nor strides were held against anything.
struct PickledTensor {
    PickledStorage storage;
    int64_t offset = 0;
    std::vector<int64_t> sizes;
    std::vector<int64_t> strides;
};

/// A plain value that no weight is made of, known to be there and no more: a torch.dtype or Size, a
/// set, a Counter, an int of more than 64 bits.
struct PickleOpaque { };

struct PickleValue {
    /// monostate = None.
    std::variant<std::monostate, bool, int64_t, double, std::string, PickleTuple, PickleList,
        PickleDict, PickleGlobal, PickledStorage, PickledTensor, PickleOpaque>
        is;

    template <class T>
    const T* as() const
    {
        return std::get_if<T>(&is);
    }
};

/// What torch.save wrote besides the tensors' numbers: a pickle (Python's pickletools.py lists the
/// opcodes, of which those of protocols 2 and 4 that torch.save needs are read). A pickle is a
/// program that calls what it names; here nothing is called. It may hold None, bool, int, float,
/// str, tuple, list, dict, torch's typed storages, torch._utils._rebuild_tensor_v2 and
/// _rebuild_parameter[_with_state]; and what lies beside weights in a training's file and is as
/// plain: collections.OrderedDict and Counter, set and frozenset, torch.Size and dtype. Whatever
/// else it names is an Error.
///
/// LibTorch's own reader (torch::jit::Unpickler) is for files that LibTorch wrote: it does not read
/// an OrderedDict with attributes, as every state_dict is, and believes what a pickle says of
/// sizes.
class Pickle final {
public:
    /// The error says what is wrong and at which byte; memory is bounded by the pickle's size.
    static Result<Pickle> parse(std::string_view bytes);

    const PickleValue& root() const { return *m_root; }

private:
    Pickle(std::deque<PickleValue> values, const PickleValue* root)
        : m_values(std::move(values))
        , m_root(root)
    {
    }

    std::deque<PickleValue> m_values; ///< of which those inside others are pointers
    const PickleValue* m_root;
};

} // namespace earwright::model
