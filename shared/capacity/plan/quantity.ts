/** Text that the API server would refuse as a quantity. */
export class QuantityError extends Error {
  override readonly name = 'QuantityError';
}

/** An exact number: `digits` times ten to the power of `exponent`. */
interface Scaled {
  readonly digits: bigint;
  readonly exponent: number;
}

const decimalSuffixes: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);

const binarySuffixes: ReadonlyMap<string, number> = new Map([
  ['Ki', 10],
  ['Mi', 20],
  ['Gi', 30],
  ['Ti', 40],
  ['Pi', 50],
  ['Ei', 60],
]);

/** The grammar of k8s.io/apimachinery/pkg/api/resource: a sign, digits with at most one point, and a suffix or an exponent. */
const pattern = /^([+-]?)(\d{0,100})(?:\.(\d{0,100}))?(?:([numkMGTPE]|[KMGTPE]i)?|[eE]([+-]?\d{1,3}))$/;

/** Kubernetes caps quantities at the largest int64. */
const largest = 2n ** 63n - 1n;

/**
 * A quantity such as `500m`, `1.5Gi` or `1e3`, in units of 10^-`decimals`, rounded up to a whole number as the scheduler does: a request of `0.1m`
 * CPU counts as one thousandth. No digit is lost on the way.
 *
 * @param decimals 3 for CPU, whose unit is a thousandth; 0 for everything else.
 * @throws QuantityError
 */
export function quantityIn(decimals: number, quantity: string | number): bigint {
  const { digits, exponent } = parse(String(quantity));
  const magnitude = digits < 0n ? -digits : digits;
  const scaled = magnitude * 10n ** BigInt(decimals) * power(exponent);
  const divisor = power(-exponent);
  // Negative numbers round away from zero too.
  const rounded = (scaled + divisor - 1n) / divisor;
  const capped = rounded > largest ? largest : rounded;
  return digits < 0n ? -capped : capped;
}

/** 1 if the exponent is negative: the other side of the fraction has it then. */
const power = (exponent: number): bigint => (exponent > 0 ? 10n ** BigInt(exponent) : 1n);

function parse(text: string): Scaled {
  const match = pattern.exec(text);
  const [, sign = '', whole = '', fraction = '', suffix = '', exponent] = match ?? [];
  if (match === null || whole + fraction === '')
    throw new QuantityError(
      `"${text.slice(0, 60)}" is not a quantity; write for example 500m, 2, 1.5Gi or 1e3`,
    );
  const digits = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n);
  const binary = binarySuffixes.get(suffix);
  if (binary !== undefined) return binaryOf(digits, fraction.length, binary);
  const decimal = exponent === undefined ? (decimalSuffixes.get(suffix) ?? 0) : Number(exponent);
  return { digits, exponent: decimal - fraction.length };
}

/** `1.5Gi`: the power of two is multiplied in, so that only the decimal point is left. */
const binaryOf = (digits: bigint, places: number, exponent: number): Scaled => ({
  digits: digits * 2n ** BigInt(exponent),
  exponent: -places,
});
