import * as z from 'zod/mini';
import { QuantityError, quantityIn } from '../plan/quantity.ts';
import { whyNotDnsLabel, whyNotKey, whyNotLabelValue, whyNotSubdomain } from './names.ts';

/** Something wrong below a value. */
export interface Finding {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** A check that names the fields below its value that are wrong. */
export const finding = <T>(find: (value: T) => Iterable<Finding>) =>
  z.check<T>((payload) => {
    for (const { path, message } of find(payload.value))
      payload.issues.push({ code: 'custom', message, path: [...path], input: payload.value });
  });

const textThat = (whyNot: (text: string) => string | undefined) =>
  z.string().check(
    finding((text) => {
      const message = whyNot(text);
      return message === undefined ? [] : [{ path: [], message }];
    }),
  );

export const text = () => z.string();
/** A text that must be there. */
export const filled = () => z.string().check(z.minLength(1, 'is missing'));
export const subdomain = () => textThat(whyNotSubdomain);
export const dnsLabel = () => textThat(whyNotDnsLabel);
export const key = () => textThat(whyNotKey);
export const flag = () => z.optional(z.boolean());
export const listOf = <T extends z.ZodMiniType>(item: T) => z.optional(z.array(item));

/** The largest int32. */
const largest = 2 ** 31 - 1;

export const whole = (least = 0, most = largest) => z.int().check(z.gte(least), z.lte(most));

/** Labels as the API server takes them. */
export const labels = () =>
  z.optional(
    z.record(z.string(), z.string()).check(
      finding(function* (map) {
        for (const [name, value] of Object.entries(map)) {
          const message = whyNotKey(name) ?? whyNotLabelValue(value);
          if (message !== undefined) yield { path: [name], message };
        }
      }),
    ),
  );

/** A quantity as text or number, with the number of decimals of `quantityIn`. */
export function quantityOf(value: string | number, decimals = 0): bigint | string {
  try {
    const quantity = quantityIn(decimals, value);
    return quantity < 0n ? 'must not be negative' : quantity;
  } catch (error) {
    if (error instanceof QuantityError) return error.message;
    throw error;
  }
}

/** Resources by name, each with a quantity. */
export const quantities = () =>
  z.optional(
    z.record(z.string(), z.union([z.string(), z.number()])).check(
      finding(function* (map) {
        for (const [name, value] of Object.entries(map)) {
          const quantity = whyNotKey(name) ?? quantityOf(value);
          if (typeof quantity === 'string') yield { path: [name], message: quantity };
        }
      }),
    ),
  );

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist'] as const;

/** One entry of `matchExpressions`. */
export const expression = (more: readonly string[] = []) =>
  z.looseObject({ key: key(), operator: z.enum([...operators, ...more]), values: listOf(z.string()) }).check(
    finding(({ operator, values = [] }) => {
      const message = whyNotValues(operator, values);
      return message === undefined ? [] : [{ path: ['values'], message }];
    }),
  );

function whyNotValues(operator: string, values: readonly string[]): string | undefined {
  if (operator === 'In' || operator === 'NotIn')
    return values.length === 0 ? `must not be empty with operator ${operator}` : undefined;
  if (operator === 'Exists' || operator === 'DoesNotExist')
    return values.length > 0 ? `must be empty with operator ${operator}` : undefined;
  return values.length === 1 && /^[+-]?\d{1,18}$/.test(values[0] ?? '')
    ? undefined
    : `must be one whole number with operator ${operator}`;
}

/** A LabelSelector. */
export const selector = () =>
  z.looseObject({ matchLabels: labels(), matchExpressions: listOf(expression()) });

/** Metadata of an object or a template. */
export const metadata = () =>
  z.looseObject({
    name: z.optional(z.string()),
    generateName: z.optional(z.string()),
    namespace: z.optional(z.string()),
    labels: labels(),
    annotations: z.optional(z.record(z.string(), z.string())),
  });
