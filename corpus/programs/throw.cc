/*
 * C++: virtual functions, destructors while an exception passes, a handler, an exception thrown anew.
 *
 * chain: area_of < measure < shapes < main < ..
 * chain: .. < thrower < guarded < nested*5 < catcher < main < ..
 * chain: leave < guarded < nested*5 < catcher < main < ..
 * chain: .. < guarded < nested*5 < catcher < main < ..
 * chain: .. < catcher < main < ..
 * chain: handle < catcher < main < ..
 * chain: .. < thrower < again < rethrower < main < ..
 * chain: .. < again < rethrower < main < ..
 * chain: .. < rethrower < main < ..
 * chain: handle < rethrower < main < ..
 *
 * excused arm: libgcc_s.so.1 libstdc++.so.6: while it searches for the handler the runtime overwrites the return addresses it saved
 */
#include "common.h"

namespace {

struct Shape {
    virtual ~Shape() = default;
    virtual unsigned area() const = 0;
};

} // namespace

/* Names without mangling, so that the chains above can be read. */
extern "C" {
unsigned area_of(unsigned value);
unsigned measure(const void *shape);
void shapes(void);
void thrower(unsigned value);
void leave(unsigned value);
void guarded(unsigned value);
void nested(unsigned depth);
void handle(unsigned value);
void catcher(void);
void again(unsigned value);
void rethrower(void);
}

KEEP unsigned area_of(unsigned value)
{
    return value * value + spin(2);
}

namespace {

struct Square final : Shape {
    unsigned side;
    explicit Square(unsigned length) : side(length) {}
    unsigned area() const override __attribute__((always_inline))
    {
        return area_of(side);
    }
};

struct Guard {
    unsigned value;
    ~Guard()
    {
        leave(value);
    }
};

} // namespace

KEEP unsigned measure(const void *shape)
{
    unsigned result = static_cast<const Square *>(shape)->Square::area();

    sink = result;
    return result + 1;
}

KEEP void shapes()
{
    Square square(7);

    for (unsigned i = 0; i < 3000; i++)
        sink = measure(&square);
}

KEEP void thrower(unsigned value)
{
    sink = spin(250000);
    throw value;
}

KEEP void leave(unsigned value)
{
    sink = spin(250000) + value;
}

KEEP void guarded(unsigned value)
{
    Guard guard{value};

    thrower(value);
    sink = 3;
}

KEEP void nested(unsigned depth)
{
    if (depth > 1)
        nested(depth - 1);
    else
        guarded(depth);
    sink = depth;
}

KEEP void handle(unsigned value)
{
    sink = spin(250000) + value;
}

KEEP void catcher()
{
    try {
        nested(5);
    } catch (unsigned value) {
        handle(value);
    }
    sink = spin(1);
}

KEEP void again(unsigned value)
{
    try {
        thrower(value);
    } catch (unsigned) {
        sink = 1;
        throw;
    }
    sink = 2;
}

KEEP void rethrower()
{
    try {
        again(2);
    } catch (unsigned value) {
        handle(value);
    }
    sink = spin(1);
}

int main()
{
    ready();
    while (running) {
        shapes();
        catcher();
        rethrower();
    }
}
