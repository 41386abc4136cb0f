// SPDX-License-Identifier: MIT
// variables_c.c's like in C++: classes, references, templates, lambdas and what is of the library.
//
// usage: variables_cxx [abort] [SEED]

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <unistd.h>
#include <utility>
#include <variant>
#include <vector>

#define APART         __attribute__((noinline))
#define USE(value)    __asm__ volatile("" : : "g"(value) : "memory")
#define USE_AT(place) __asm__ volatile("" : : "r"(&(place)) : "memory")

namespace
{

volatile unsigned seed_cell = 20261127;

enum class kind : std::uint8_t { none, read = 3, write };
enum old_kind { OLD_FIRST = 1, OLD_SECOND };

struct state {
    unsigned seed;
    bool aborts;
    unsigned draw(unsigned below)
    {
        seed = seed * 1103515245u + seed_cell;
        return (seed >> 8) % below;
    }
};

APART void park(const state &state)
{
    if (state.aborts) {
        raise(SIGABRT);
    }
    std::puts("ready");
    std::fflush(stdout);
    while (seed_cell != 0) {
        pause();
    }
}

} // namespace

namespace shapes
{

struct base {
    int id;
    static int count;
    explicit base(int id) : id(id)
    {
        count++;
    }
    virtual ~base() = default;
    virtual int area() const
    {
        return id;
    }
};
int base::count = 0;

struct named {
    std::string name;
    explicit named(std::string name) : name(std::move(name))
    {
    }
};

struct square : base, named {
    short side;
    square(int id, short side) : base(id), named("square"), side(side)
    {
    }
    int area() const override
    {
        return side * side + id;
    }
};

struct left : virtual base {
    int left_value = 4;
    left() : base(1)
    {
    }
};
struct right : virtual base {
    int right_value = 5;
    right() : base(2)
    {
    }
};
struct diamond : left, right {
    int own;
    explicit diamond(int own) : base(3), own(own)
    {
    }
    int area() const override
    {
        return own + left_value + right_value;
    }
    APART int measure(state &state, const base &other, int factor) const;
};

} // namespace shapes

namespace
{

using shapes::base;
using shapes::diamond;
using shapes::square;

template <typename T, int N> struct box {
    T items[N];
    T first() const
    {
        return items[0];
    }
    static constexpr int size = N;
};

template <typename T> struct owner {
    T *pointer;
    long owned;
};

APART int moves(state &state, std::string &&moved, int &&rvalue, int base::*member,
                int (base::*method)() const, std::nullptr_t nothing)
{
    std::string taken = std::move(moved);
    int own = rvalue + 1;
    const char *pointer = taken.c_str();
    USE(own);
    park(state);
    USE_AT(taken);
    USE(pointer);
    USE(member);
    USE_AT(method);
    USE(nothing);
    return own;
}

template <typename T> APART int generic(state &state, const T &value, box<T, 3> packed)
{
    T twice = value + value;
    owner<T> owned = {&twice, static_cast<long>(sizeof(T))};
    std::pair<T, int> pair(packed.first(), box<T, 3>::size);
    USE_AT(twice);
    int below;
    if constexpr (std::is_same_v<T, std::string>) {
        std::string moved = twice + " moved to where there is more room";
        below = moves(state, std::move(moved), static_cast<int>(state.draw(50)), &base::id,
                      &base::area, nullptr);
    } else {
        std::string text(state.draw(12), 'x');
        below = generic<std::string>(state, text, {{text, "second", std::string(20, 'y')}});
    }
    USE_AT(owned);
    USE_AT(pair);
    return below + pair.second;
}

APART int throws(state &state, const std::string &what)
{
    try {
        throw std::runtime_error(what);
    } catch (const std::runtime_error &error) {
        const char *text = error.what();
        double number = state.draw(1000) / 8.0;
        int below = generic<double>(state, number, {{number, 2.5, -1}});
        USE(text);
        return below + text[0];
    }
}

APART int lambdas(state &state, int base_value, const std::vector<int> &numbers)
{
    int by_value = static_cast<int>(state.draw(1000));
    std::string by_reference = "captured";
    auto lambda = [=, &by_reference, &state](int argument) {
        int local = argument + by_value;
        by_reference += std::to_string(local);
        int below = throws(state, by_reference);
        return below + local + base_value;
    };
    std::function<int(int)> function = lambda;
    int sum = 0;
    for (const int &number : numbers) {
        sum += number;
        if (sum > 1) {
            sum += function(number);
            break;
        }
    }
    return sum + by_value;
}

APART int library(state &state, std::string_view view, std::unique_ptr<square> owned,
                  std::shared_ptr<base> shared, kind kind, old_kind old)
{
    std::vector<int> numbers;
    for (unsigned i = 0; i < 3 + state.draw(5); i++) {
        numbers.push_back(static_cast<int>(state.draw(1000)));
    }
    std::vector<std::string> texts = {"one", "two", std::string(40, 'z')};
    std::vector<bool> flags = {true, false, true};
    std::map<std::string, int> map = {{"a", 1}, {"b", 2}};
    std::set<int> set = {5, 3};
    std::deque<short> deque = {1, 2, 3};
    std::array<std::uint16_t, 4> array = {1, 2, 3, static_cast<std::uint16_t>(state.draw(99))};
    std::optional<double> some = state.draw(10) + 0.5, none;
    std::variant<int, std::string> variant = std::string("held");
    std::tuple<int, char, std::string> tuple(1, 'c', "tuple");
    std::string empty, small = "fifteen letters", large(100, 'l');
    std::weak_ptr<base> weak = shared;
    std::wstring wide = L"wide \u20ac";
    std::u16string wide16 = u"sixteen";
    int below = lambdas(state, static_cast<int>(view.size()), numbers);
    USE_AT(texts);
    USE_AT(flags);
    USE_AT(map);
    USE_AT(set);
    USE_AT(deque);
    USE_AT(array);
    USE_AT(some);
    USE_AT(none);
    USE_AT(variant);
    USE_AT(tuple);
    USE_AT(empty);
    USE_AT(small);
    USE_AT(large);
    USE_AT(wide);
    USE_AT(wide16);
    return below + owned->side + static_cast<int>(weak.use_count()) + static_cast<int>(kind) + old;
}

} // namespace

int diamond::measure(state &state, const base &other, int factor) const
{
    auto shared = std::make_shared<square>(own, static_cast<short>(factor));
    auto owned = std::make_unique<square>(own + 1, static_cast<short>(state.draw(90)));
    const base *upcast = shared.get();
    const diamond &self = *this;
    int below = library(state, "a view of a literal", std::move(owned), shared,
                        state.draw(2) ? kind::read : kind::write, OLD_SECOND);
    return below + other.area() + upcast->area() + self.own;
}

namespace
{

APART int objects(state &state, int number, const int &reference, int &out, base &polymorphic)
{
    square local(number, static_cast<short>(reference));
    diamond both(number * 2);
    base *pointer = &both;
    base &bound = local;
    const std::string &name = local.name;
    int below = both.measure(state, bound, number % 7);
    out = below;
    return below + pointer->area() + static_cast<int>(name.size()) + polymorphic.area();
}

} // namespace

int main(int count, char **arguments)
{
    state state = {seed_cell, false};
    for (int i = 1; i < count; i++) {
        if (std::strcmp(arguments[i], "abort") == 0) {
            state.aborts = true;
        } else {
            state.seed += static_cast<unsigned>(std::strtoul(arguments[i], nullptr, 0));
        }
    }
    int out = 0, number = static_cast<int>(state.draw(500));
    square polymorphic(number, 9);
    int result = objects(state, number, number, out, polymorphic);
    USE(out);
    return result & 1;
}
