import * as fc from 'fast-check';

/** Few names and values, so that patterns and events meet often. */
const name = fc.constantFrom('a', 'b', 'c', 'a.b', 'list');
const character = fc.constantFrom('a', 'b', 'A', 'B', '*', '\\', '.', '\n', 'é', '😀');
const text = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('', 'a', 'b', 'ab', 'aB', 'AB', 'ba', 'aab', 'é', 'É') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('10.0.0.1', '10.0.1.255', '10.1.0.0', '::1', '0:0::1', '2001:db8::ff'),
  },
  { weight: 1, arbitrary: fc.string({ unit: character, maxLength: 4 }) },
);
const number = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -3, max: 3 }) },
  fc.constantFrom(0.1, 0.30000000000000004, 0.3, 1e-7, 2.0000001, -4999999999.5, 5e9, 5000000001),
);
const scalar = fc.oneof({ weight: 4, arbitrary: text }, number, fc.constantFrom(null, true, false));
const oneOrMany = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof(arbitrary, fc.array(arbitrary, { minLength: 1, maxLength: 3 }));

const affix = fc.oneof(text, fc.record({ 'equals-ignore-case': text }));
const wildcard = fc
  .array(fc.constantFrom('a', 'b', 'B', 'é', '*', '\\*', '\\\\', '\n'), { maxLength: 4 })
  .map((pieces) => pieces.join(''));
const someText = oneOrMany(text.filter((one) => one !== ''));
const anythingBut = fc.oneof(
  oneOrMany(text),
  oneOrMany(number),
  fc.record({ prefix: someText }),
  fc.record({ suffix: someText }),
  fc.record({ 'equals-ignore-case': someText }),
  fc.record({ wildcard: oneOrMany(wildcard) }),
);
const numeric = fc.oneof(
  fc.tuple(
    fc.constantFrom('=', '<', '<=', '>', '>='),
    number.filter((bound) => bound < 5e9),
  ),
  fc
    .tuple(fc.constantFrom('>', '>='), number, fc.constantFrom('<', '<='), fc.nat(3))
    .map(([bottom, least, top, size]) => [bottom, least, top, least + size]),
);
const cidr = fc.oneof(
  fc.integer({ min: 8, max: 31 }).map((bits) => `10.0.1.7/${bits}`),
  fc.integer({ min: 16, max: 127 }).map((bits) => `2001:db8::/${bits}`),
);

/** What is refused, each by itself, for a pattern with one of them asks nothing any more. */
const refusedMatcher = fc.oneof(
  fc.record({ 'anything-but': fc.array(scalar, { maxLength: 3 }) }),
  fc.record({ 'anything-but': fc.record({ prefix: affix, suffix: affix }, { requiredKeys: [] }) }),
  fc.record({
    numeric: fc.tuple(fc.constantFrom('=', '<', '>'), number, fc.constantFrom('=', '<', '>'), number),
  }),
  fc.record({ wildcard: text }),
  fc.record({ prefix: scalar, suffix: text }, { requiredKeys: [] }),
);

const matcher: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 60, arbitrary: scalar },
  { weight: 15, arbitrary: fc.record({ prefix: affix }) },
  { weight: 15, arbitrary: fc.record({ suffix: affix }) },
  { weight: 10, arbitrary: fc.record({ 'equals-ignore-case': text }) },
  { weight: 15, arbitrary: fc.record({ wildcard }) },
  { weight: 40, arbitrary: fc.record({ 'anything-but': anythingBut }) },
  { weight: 30, arbitrary: fc.record({ exists: fc.boolean() }) },
  { weight: 20, arbitrary: fc.record({ numeric }) },
  { weight: 10, arbitrary: fc.record({ cidr }) },
  { weight: 3, arbitrary: refusedMatcher },
);

const fields = (value: fc.Arbitrary<unknown>) => fc.dictionary(name, value, { minKeys: 1, maxKeys: 3 });
const asked = fc.array(matcher, { minLength: 1, maxLength: 2 });
const flat = fields(asked);
const nested = fields(fc.oneof({ weight: 2, arbitrary: asked }, flat));

const anyPattern: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: flat },
  { weight: 3, arbitrary: nested },
  { weight: 1, arbitrary: fields(nested) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(flat, fc.array(nested, { minLength: 1, maxLength: 3 }))
      .map(([beside, $or]) => ({ ...beside, $or })),
  },
  { weight: 1, arbitrary: fields(fc.record({ $or: fc.array(flat, { minLength: 2, maxLength: 3 }) })) },
);

/**
 * Patterns with every operator, alternatives and steps into lists, a few of them invalid. If a field has a wildcard beside a suffix or
 * text in any case, event-ruler 1.7.3 confuses the two (`{"wildcard": "*a"}` beside `{"equals-ignore-case": "b"}` matches `ab`):
 * this generator leaves such patterns out.
 */
export const eventPattern: fc.Arbitrary<unknown> = anyPattern.filter((pattern) => {
  const written = JSON.stringify(pattern);
  return !(written.includes('wildcard') && /suffix|equals-ignore-case/.test(written));
});

const flatEvent = fc.dictionary(name, fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })), { maxKeys: 4 });
const deeper = (inner: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { weight: 3, arbitrary: scalar },
    inner,
    fc.array(fc.oneof(scalar, inner, fc.array(inner, { maxLength: 2 })), { maxLength: 3 }),
  );

/** Events with objects and lists in one another. */
export const randomEvent: fc.Arbitrary<unknown> = fc.dictionary(
  name,
  deeper(fc.oneof(flatEvent, fc.dictionary(name, deeper(flatEvent), { maxKeys: 2 }))),
  { minKeys: 2, maxKeys: 5 },
);
