#include "core/model/pickle.h"

#include "core/base/text.h"
#include "core/model/pickle_names.h"
#include "core/model/pickle_opcodes.h"
#include "core/model/pickle_stack.h"

#include <algorithm>
#include <optional>

namespace earwright::model {

namespace {

// Values are copied where they are used: none may be long.
constexpr size_t kMostDimensions = 64;
constexpr size_t kLongestKey = 64;

/// For a message, of a file that may hold anything.
std::string printable(std::string text)
{
    constexpr size_t kLongest = 100;
    text.resize(std::min(text.size(), kLongest));
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return text;
}

/// Python's pickle machine without the power to call.
class Machine final : public PickleStack {
public:
    using PickleStack::PickleStack;

    /// The value, or null with error().
    const PickleValue* run()
    {
        while (!hasFailed()) {
            const auto opcode = static_cast<uint8_t>(number(1));
            if (hasFailed())
                break;
            if (opcode == kStop)
                return finish();
            if (!scalar(opcode) && !container(opcode) && !memo(opcode) && !object(opcode))
                fail("has the opcode " + std::to_string(opcode) + ", which no tensor needs");
        }
        return nullptr;
    }

private:
    // Each does an opcode of its kind and says whether it was one.
    bool scalar(uint8_t opcode);
    bool container(uint8_t opcode);
    bool memo(uint8_t opcode);
    bool object(uint8_t opcode);

    void longInteger();
    void append(const PickleItems& items);
    void setItems(const PickleItems& items);
    void global(const std::string& module, const std::string& name);
    void reduce();
    bool rebuildPlain(const std::string& callee, const PickleItems& arguments);
    void rebuildTensor(const PickleItems& arguments);
    void build();
    void storage();
};

bool Machine::scalar(uint8_t opcode)
{
    switch (opcode) {
    case kNone:
        return push({}), true;
    case kNewTrue:
    case kNewFalse:
        return push({ opcode == kNewTrue }), true;
    case kBinInt:
        return push({ signedNumber(4) }), true;
    case kBinInt1:
    case kBinInt2:
        return push({ static_cast<int64_t>(number(opcode == kBinInt1 ? 1 : 2)) }), true;
    case kLong1:
        return longInteger(), true;
    case kBinFloat:
        return push({ bigEndianDouble() }), true;
    case kBinUnicode:
    case kShortBinUnicode:
        return push({ std::string(take(number(opcode == kBinUnicode ? 4 : 1))) }), true;
    default:
        return false;
    }
}

void Machine::longInteger()
{
    const uint64_t count = number(1);
    if (count > 8)
        return take(count), push({ PickleOpaque {} });
    push({ signedNumber(count) });
}

bool Machine::container(uint8_t opcode)
{
    switch (opcode) {
    case kMark:
        return mark(), true;
    case kPop:
        return pop(), true;
    case kPopMark:
        return popToMark(), true;
    case kEmptyTuple:
        return push({ PickleTuple {} }), true;
    case kTuple:
        return push({ PickleTuple { popToMark() } }), true;
    case kTuple1:
    case kTuple2:
    case kTuple3:
        return push({ PickleTuple { pop(static_cast<size_t>(opcode - kTuple1 + 1)) } }), true;
    case kEmptyList:
    case kEmptySet:
        return push({ PickleList {} }), true;
    case kFrozenSet:
        return push({ PickleList { popToMark() } }), true;
    case kAppend:
        return append(pop(1)), true;
    case kAppends:
    case kAddItems:
        return append(popToMark()), true;
    case kEmptyDict:
        return push({ PickleDict {} }), true;
    case kSetItem:
        return setItems(pop(2)), true;
    case kSetItems:
        return setItems(popToMark()), true;
    default:
        return false;
    }
}

void Machine::append(const PickleItems& items)
{
    auto* const list = std::get_if<PickleList>(&top()->is);
    if (list == nullptr)
        return fail("appends to what is no list");
    list->items.insert(list->items.end(), items.begin(), items.end());
}

void Machine::setItems(const PickleItems& items)
{
    auto* const dict = std::get_if<PickleDict>(&top()->is);
    if (dict == nullptr)
        return fail("sets keys of what is no dict");
    if (items.size() % 2 != 0)
        return fail("sets a key without a value");
    for (size_t i = 0; i < items.size(); i += 2)
        dict->entries.emplace_back(items[i], items[i + 1]);
}

bool Machine::memo(uint8_t opcode)
{
    switch (opcode) {
    case kBinPut:
    case kLongBinPut:
        return put(number(opcode == kBinPut ? 1 : 4)), true;
    case kMemoize:
        return putNext(), true;
    case kBinGet:
    case kLongBinGet:
        return get(number(opcode == kBinGet ? 1 : 4)), true;
    default:
        return false;
    }
}

bool Machine::object(uint8_t opcode)
{
    switch (opcode) {
    case kProto:
        return take(1), true; // the opcodes tell
    case kFrame:
        return take(8), true;
    case kGlobal: {
        const std::string module = line();
        return global(module, line()), true;
    }
    case kStackGlobal: {
        const PickleItems names = pop(2);
        const auto* module = names[0]->as<std::string>();
        const auto* name = names[1]->as<std::string>();
        return global(module ? *module : "", name ? *name : ""), true;
    }
    case kReduce:
        return reduce(), true;
    case kBuild:
        return build(), true;
    case kBinPersId:
        return storage(), true;
    default:
        return false;
    }
}

void Machine::global(const std::string& module, const std::string& name)
{
    const std::string whole = module + "." + name;
    if (isDtype(whole))
        return push({ PickleOpaque {} });
    if (!isCallable(whole) && !isStorage(whole))
        fail("names " + inQuotes(printable(whole))
            + (isOtherTensor(whole)
                    ? ", a tensor of a type that is not read: leave it out, or save it as float32"
                    : ", which is neither a tensor nor a plain container"));
    push({ PickleGlobal { whole } });
}

void Machine::reduce()
{
    const PickleItems both = pop(2);
    const auto* callee = both[0]->as<PickleGlobal>();
    const auto* arguments = both[1]->as<PickleTuple>();
    if (callee == nullptr || arguments == nullptr)
        return fail("calls what it may not call");
    if (callee->name == kTensor)
        return rebuildTensor(arguments->items);
    if (!rebuildPlain(callee->name, arguments->items))
        fail("calls " + callee->name + " with what does not belong there");
}

/// Pushes what the call stands for. Of a container that no weight lies in only that it is one: a
/// copy could be long.
bool Machine::rebuildPlain(const std::string& callee, const PickleItems& arguments)
{
    if (callee == kOrderedDict)
        return arguments.empty() && (push({ PickleDict {} }), true);
    const PickleValue none;
    const PickleValue& first = arguments.empty() ? none : *arguments.front();
    if (isParameter(callee))
        return first.as<PickledTensor>() && (push(first), true);
    const bool isRight = callee == kCounter ? first.as<PickleDict>() != nullptr
        : callee == kSize                   ? first.as<PickleTuple>() != nullptr
                                            : isSet(callee) && first.as<PickleList>() != nullptr;
    return (isRight || (arguments.empty() && !isStorage(callee)))
        && (push({ PickleOpaque {} }), true);
}

std::optional<std::vector<int64_t>> integersOf(const PickleValue& value)
{
    const auto* tuple = value.as<PickleTuple>();
    if (tuple == nullptr || tuple->items.size() > kMostDimensions)
        return {};
    std::vector<int64_t> numbers;
    for (const PickleValue* item : tuple->items) {
        const auto* number = item->as<int64_t>();
        if (number == nullptr)
            return {};
        numbers.push_back(*number);
    }
    return numbers;
}

bool isEmptyDict(const PickleValue& value)
{
    const auto* dict = value.as<PickleDict>();
    return dict != nullptr && dict->entries.empty();
}

/// storage, storage_offset, size, stride, requires_grad, backward_hooks[, metadata]. Metadata says
/// that a tensor is to be read conjugated or negated.
void Machine::rebuildTensor(const PickleItems& arguments)
{
    const std::string bad = "has a tensor that is not made of storage, offset, sizes and strides";
    if (arguments.size() < 6 || (arguments.size() > 6 && !isEmptyDict(*arguments[6])))
        return fail(bad);
    const auto* storage = arguments[0]->as<PickledStorage>();
    const auto* offset = arguments[1]->as<int64_t>();
    const auto sizes = integersOf(*arguments[2]);
    const auto strides = integersOf(*arguments[3]);
    if (storage == nullptr || offset == nullptr || !sizes || !strides)
        return fail(bad);
    push({ PickledTensor { *storage, *offset, *sizes, *strides } });
}

/// A state_dict's attribute `_metadata`: versions of layers, which no weight depends on.
void Machine::build()
{
    pop();
    if (top()->as<PickleDict>() == nullptr)
        fail("sets attributes of what is no dict");
}

/// ('storage', torch.FloatStorage, '0', 'cpu', 12)
void Machine::storage()
{
    const auto* id = pop()->as<PickleTuple>();
    const bool isWhole = id != nullptr && id->items.size() == 5;
    const auto* type = isWhole ? id->items[1]->as<PickleGlobal>() : nullptr;
    const auto* key = isWhole ? id->items[2]->as<std::string>() : nullptr;
    const auto* numel = isWhole ? id->items[4]->as<int64_t>() : nullptr;
    if (type == nullptr || !isStorage(type->name) || key == nullptr || key->size() > kLongestKey
        || numel == nullptr || *numel < 0)
        return fail("refers to what is no storage");
    push({ PickledStorage { *key, type->name.substr(kTorch.size()), *numel } });
}

} // namespace

Result<Pickle> Pickle::parse(std::string_view bytes)
{
    Machine machine(bytes);
    const PickleValue* const root = machine.run();
    if (root == nullptr)
        return machine.error();
    return Pickle(machine.takeValues(), root);
}

} // namespace earwright::model
