"""Finite fields GF(q), as far as the constructions of designs need them."""

from functools import lru_cache


def prime_power(number: int) -> tuple[int, int] | None:
    """Return (p, e) if the number is the e-th power of the prime p, else None."""
    if number < 2:
        return None
    prime = next(divisor for divisor in range(2, number + 1) if number % divisor == 0)
    exponent = 0
    while number % prime == 0:
        number //= prime
        exponent += 1
    return (prime, exponent) if number == 1 else None


def prime_powers(number: int) -> list[int]:
    """Return the largest prime powers that divide the number: 12 gives 4 and 3."""
    parts = []
    divisor = 2
    while number > 1:
        part = 1
        while number % divisor == 0:
            number //= divisor
            part *= divisor
        if part > 1:
            parts.append(part)
        divisor += 1
    return parts


class Field:
    """GF(q); its elements are 0 to q - 1, whose digits to the base p are the coefficients of a polynomial.

    Attributes:
        powers: the powers of a primitive element, from its 0th on.
    """

    __slots__ = ("_logarithms", "exponent", "powers", "prime", "size")

    def __init__(self, size: int) -> None:
        parts = prime_power(size)
        if parts is None:
            raise ValueError(f"There is no field of {size} elements.")
        self.size = size
        self.prime, self.exponent = parts
        self.powers = self._primitive_powers()
        self._logarithms = {element: exponent for exponent, element in enumerate(self.powers)}

    def add(self, element: int, other: int) -> int:
        """Return the sum of two elements."""
        if self.exponent == 1:
            return (element + other) % self.prime
        total, weight = 0, 1
        while element or other:
            element, first = divmod(element, self.prime)
            other, second = divmod(other, self.prime)
            total += (first + second) % self.prime * weight
            weight *= self.prime
        return total

    def multiply(self, element: int, other: int) -> int:
        """Return the product of two elements."""
        if not element or not other:
            return 0
        return self.powers[(self._logarithms[element] + self._logarithms[other]) % (self.size - 1)]

    def negative(self, element: int) -> int:
        """Return the element that added to this one gives 0."""
        return self.multiply(self.prime - 1, element)

    def _primitive_powers(self) -> list[int]:
        """Return the powers of x modulo the first polynomial for which they are all elements but 0."""
        if self.exponent == 1:
            return next(powers for base in range(1, self.prime) if (powers := self._prime_powers_of(base)))
        for polynomial in range(1, self.size):
            if powers := self._powers_of_x(polynomial):
                return powers
        raise ValueError(f"There is no primitive polynomial for {self.size} elements.")

    def _prime_powers_of(self, base: int) -> list[int]:
        powers = [1]
        while (power := powers[-1] * base % self.prime) != 1:
            powers.append(power)
        return powers if len(powers) == self.prime - 1 else []

    def _powers_of_x(self, polynomial: int) -> list[int]:
        """Return the powers of x, where x to the degree is minus the polynomial; empty if they are too few."""
        digits = [polynomial // self.prime**place % self.prime for place in range(self.exponent)]
        power = [1] + [0] * (self.exponent - 1)
        powers: list[int] = []
        seen = set()
        while (number := self._number(power)) not in seen and number:
            seen.add(number)
            powers.append(number)
            top = power[-1]
            power = [(low - top * digit) % self.prime for low, digit in zip([0, *power[:-1]], digits, strict=True)]
        return powers if len(powers) == self.size - 1 and number == 1 else []

    def _number(self, digits: list[int]) -> int:
        return sum(digit * self.prime**place for place, digit in enumerate(digits))


@lru_cache(maxsize=64)
def field(size: int) -> Field:
    """Return GF(q), computed once."""
    return Field(size)
