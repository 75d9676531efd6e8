#pragma once

#include <cstdint>

namespace earwright::model {

/// Python's numbers of the opcodes that are read (its pickletools.py describes each).
enum PickleOpcode : uint8_t {
    kMark = '(',
    kStop = '.',
    kPop = '0',
    kPopMark = '1',
    kNone = 'N',
    kNewTrue = 0x88,
    kNewFalse = 0x89,
    kBinInt = 'J',
    kBinInt1 = 'K',
    kBinInt2 = 'M',
    kLong1 = 0x8a,
    kBinFloat = 'G',
    kBinUnicode = 'X',
    kShortBinUnicode = 0x8c,
    kEmptyTuple = ')',
    kTuple = 't',
    kTuple1 = 0x85,
    kTuple2 = 0x86,
    kTuple3 = 0x87,
    kEmptyList = ']',
    kAppend = 'a',
    kAppends = 'e',
    kEmptyDict = '}',
    kSetItem = 's',
    kSetItems = 'u',
    kEmptySet = 0x8f,
    kAddItems = 0x90,
    kFrozenSet = 0x91,
    kBinPut = 'q',
    kLongBinPut = 'r',
    kMemoize = 0x94,
    kBinGet = 'h',
    kLongBinGet = 'j',
    kGlobal = 'c',
    kStackGlobal = 0x93,
    kReduce = 'R',
    kBuild = 'b',
    kBinPersId = 'Q',
    kProto = 0x80,
    kFrame = 0x95,
};

} // namespace earwright::model
