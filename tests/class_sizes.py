#!/usr/bin/env python3
"""Counts the methods of each class in the headers of app, core and ui: at most 25.

Not counted: constructors, destructors, operators, overrides, deleted and defaulted functions, and
accessors, which are written out on one line. Signals count.

    class_sizes.py [--list N]    --list: also print classes of more than N methods
"""

import pathlib
import re
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["app", "core", "ui"]
MOST = 25


def without_comments(text):
    """Strings go too: a brace in one is no block."""
    pattern = r'//[^\n]*|/\*.*?\*/|R"\((?:.*?)\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\''
    return re.sub(pattern, lambda found: "\n" * found[0].count("\n") if found[0].startswith("/") else '""', text, flags=re.S)


def end_of_block(text, begin):
    """Behind the brace that closes the one at `begin`."""
    depth = 0
    for at in range(begin, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at + 1
    raise ValueError("a block does not end")


def classes(text):
    """(name, body) of each class and struct that is defined, nested ones too."""
    head = r"\b(?:class|struct)\s+(?:alignas\([^)]*\)\s*)?(\w+)(?:\s+final)?\s*(?::[^;{()]*)?\{"
    for found in re.finditer(head, text):
        begin = found.end() - 1
        if re.search(r"\benum\s*$", text[: found.start()]):
            continue
        yield found[1], text[begin + 1 : end_of_block(text, begin) - 1]


def statements(body):
    """(declaration, its inline block or "") of a class's body."""
    statement, at = "", 0
    while at < len(body):
        letter = body[at]
        if letter == "{":
            end = end_of_block(body, at)
            block, at = body[at:end], end
            is_function = "(" in statement and not re.search(r"\b(class|struct|enum|union)\b", statement.split("(")[0])
            if is_function or re.search(r"\b(class|struct|enum|union|namespace)\b", statement):
                yield statement, block
                statement = ""
            else:
                statement += "{}"
            continue
        if letter == ";":
            yield statement, ""
            statement = ""
        else:
            statement += letter
        at += 1


def is_method(name, declaration, block):
    declaration = re.sub(r"\b(?:public|protected|private|Q_SIGNALS|Q_SLOTS)\b(?:\s+Q_SLOTS)?\s*:(?!:)", " ", declaration)
    declaration = re.sub(r"^\s*(?:Q_OBJECT|Q_GADGET|Q_DISABLE_COPY\([^)]*\)|Q_DECLARE_TR_FUNCTIONS\([^)]*\))", " ", declaration)
    declaration = re.sub(r"\[\[[^\]]*\]\]", " ", declaration)
    declaration = re.sub(r"^\s*template\s*<[^{}()]*>", " ", declaration)
    declaration = declaration.strip()
    if not declaration or re.match(r"(using|friend|typedef|static_assert|enum|class|struct|union|Q_\w+)\b", declaration):
        return False
    found = re.search(r"(~?\w+)\s*\(", declaration)
    if not found or "std::function<" in declaration[: found.start()] and ">" not in declaration[: found.start()]:
        return False
    before = declaration[: found.start()]
    if "=" in before or found[1] in (name, "~" + name, "decltype", "alignas") or "operator" in before + found[1]:
        return False
    if before.count("<") != before.count(">") or not before.strip():
        return False  # the parentheses are a type's: std::function<void()>
    tail = declaration[found.end() :]
    if re.search(r"\b(override)\b|=\s*(default|delete)\s*$", tail):
        return False
    return not (block and "\n" not in block.strip())


def count(name, body):
    return sum(is_method(name, declaration, block) for declaration, block in statements(body))


def sizes():
    found = {}
    for folder in FOLDERS:
        for path in sorted((SOURCE / folder).rglob("*.h")):
            text = without_comments(path.read_text(encoding="utf-8"))
            for name, body in classes(text):
                key = f"{path.relative_to(SOURCE).with_suffix('')}:{name}"
                found[key] = max(found.get(key, 0), count(name, body))
    return found


def self_test():
    text = """class A final : public B { Q_OBJECT
    public: explicit A(int x); ~A() override; void one(); int two() const { return m_two; }
    std::function<void()> m_call; int m_two { 0 }; void event(QEvent* e) override;
    A& operator=(const A&) = delete; template <class T> void three(T value);
    struct Inner { int x = f(); void inside(); }; enum Kind { kA, kB }; [[nodiscard]] int four(); };"""
    counted = {name: count(name, body) for name, body in classes(text)}
    assert counted == {"A": 3, "Inner": 1}, counted  # one, three, four; inside


def main():
    self_test()
    found = sizes()
    assert found, "no class was found"
    if sys.argv[1:2] == ["--list"]:
        for key, size in sorted(found.items(), key=lambda item: -item[1]):
            if size > int(sys.argv[2]):
                print(f"{size:4} {key}")
    wrong = [
        f"{key} has {size} methods, and may have {MOST}: give some of them to a class of their own"
        for key, size in sorted(found.items())
        if size > MOST
    ]
    print("\n".join(wrong) or f"{len(found)} classes: none has more than {MOST} methods")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
