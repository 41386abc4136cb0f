# SPDX-License-Identifier: MIT
"""A logarithmic plot as SVG: some lines over one x axis."""

import math

WIDTH, HEIGHT = 640, 420
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 40, 50
COLOURS = ("#2457a6", "#b3412e", "#3b7d3b", "#7a4fa0")


def decades(values):
    """The powers of ten around the values: as exponents, first and last."""
    first = math.floor(math.log10(min(values)) + 1e-9)
    last = math.ceil(math.log10(max(values)) - 1e-9)
    return first, max(last, first + 1)


def label(power):
    return f"{10.0 ** power:g}" if -4 < power < 5 else f"1e{power}"


def write(path, axis, sizes, series):
    """`series`: name -> values, one for each size."""
    positive = [[max(v, 1e-6) for v in values] for values in series.values()]
    x_first, x_last = decades(sizes)
    y_first, y_last = decades([v for values in positive for v in values])

    def x_of(value):
        return LEFT + (math.log10(value) - x_first) / (x_last - x_first) * (WIDTH - LEFT - RIGHT)

    def y_of(value):
        return HEIGHT - BOTTOM - (math.log10(value) - y_first) / (y_last - y_first) * (HEIGHT - TOP - BOTTOM)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for power in range(x_first, x_last + 1):
        x = x_of(10.0 ** power)
        out.append(f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#ddd"/>')
        out.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{label(power)}</text>')
    for power in range(y_first, y_last + 1):
        y = y_of(10.0 ** power)
        out.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{label(power)}</text>')
    for i, (name, values) in enumerate(zip(series, positive)):
        colour = COLOURS[i % len(COLOURS)]
        points = [(x_of(s), y_of(v)) for s, v in zip(sizes, values)]
        out.append(f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
        out.append(f'<text x="{LEFT + 10 + 170 * i}" y="24" fill="{colour}">{name}</text>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" text-anchor="middle">{axis}</text>')
    out.append("</svg>")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")
