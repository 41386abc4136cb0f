// SPDX-License-Identifier: MIT
// Lambdas of equal and of different signatures in one function, one of which is in no debug
// information, in templates, and generic ones; inlined and called.

static volatile unsigned long sink;

static inline __attribute__((always_inline)) void burn(unsigned long n)
{
    for (unsigned long i = 0; i < n; i++)
        sink += i;
}

template <class Function> __attribute__((noinline)) static void call(Function function)
{
    function(300000);
}

template <class Number> __attribute__((noinline)) static void of_template(Number number)
{
    auto first = [=](unsigned long n) { burn(n + number); };
    auto other = [=](long n) { burn(n + number); };
    auto second = [=](unsigned long n) { burn(n + 2 * number); };

    first(300000);
    other(300000);
    second(300000);
    call(other);
}

int main()
{
    (void)sizeof([] {}); // counted by the compiler, and nowhere else
    auto first = [](unsigned long n) { burn(n); };
    auto other = [](int n) { burn(n); };
    auto second = [](unsigned long n) __attribute__((noinline)) { burn(n); };

    {
        auto generic = [](auto n) { burn(n); };
        generic(300000ul);
        call(generic);
    }
    for (int i = 0; i < 100; i++) {
        first(300000);
        other(300000);
        second(300000);
        call(first);
        of_template(1);
        of_template(2l);
    }
    return 0;
}
