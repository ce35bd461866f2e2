"""What the scripts of mixers share: products and functions of complex numbers, so that derivatives are
exact to rounding, and a family's cases."""

import cmath
import math


def wave(start, count, scale):
    return [scale * math.sin(start + .7 * k) for k in range(count)]


def silu(x):
    return x / (1 + cmath.exp(-x))


def softplus(x):
    return cmath.log(1 + cmath.exp(x))


def rows_of(flat, columns):
    return [flat[i:i + columns] for i in range(0, len(flat), columns)]


def product(matrix, vector):
    return [sum(m * v for m, v in zip(row, vector)) for row in matrix]


def slope(values, index, of):
    """The derivative by one of some values: exact to rounding, by a step along the imaginary axis."""
    tiny, kept = 1e-30, values[index]
    values[index] = complex(kept, tiny)
    found = of().imag / tiny
    values[index] = kept
    return found


def given(shapes, scales, gain, time, width, rounded=float):
    """Weights by name, and inputs [time][width]."""
    weights = {}
    for number, (name, sizes) in enumerate(shapes):
        values = wave(number + 1, math.prod(sizes), scales[name])
        weights[name] = [rounded(1 + .3 * v if name.endswith(gain) else v) for v in values]
    return weights, rows_of(wave(.5, time * width, 1.), width)


def case(layer, shapes, weights, inputs, both_ways):
    """Outputs of a layer, and derivatives of their sum with unlike factors."""
    time, width = len(inputs), len(inputs[0])
    factors = wave(.2, time * width, 1.)

    def loss():
        outputs = sum(layer(weights, inputs, both_ways), [])
        return sum(f * y for f, y in zip(factors, outputs))

    gradients = []
    for name, sizes in shapes:
        count = math.prod(sizes)
        for index in sorted({0, count - 1, count // 3, (2 * count) // 3, (7 * count) // 11}):
            gradients.append({"of": name, "index": index,
                              "value": slope(weights[name], index, loss)})
    for t in range(time):
        column = (5 * t) % width
        gradients.append({"of": "inputs", "index": t * width + column,
                          "value": slope(inputs[t], column, loss)})
    outputs = [y.real for y in sum(layer(weights, inputs, both_ways), [])]
    return {"both_ways": both_ways, "outputs": outputs, "gradients": gradients}
