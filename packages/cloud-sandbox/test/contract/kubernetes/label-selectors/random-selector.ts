import * as fc from 'fast-check';
import type { Labels } from './choosing-api.ts';

const maybeSpace = fc.constantFrom('', '', '', ' ', '  ');

const key = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('app', 'tier', 'weight', 'example.com/role') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'in',
      'notin',
      'App_1',
      'a..b/x',
      '-bad',
      'x/y/z',
      'Upper.com/x',
      '',
      'k'.repeat(64),
    ),
  },
);

const value = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('web', 'db', 'front', '5', '007') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '',
      '-1',
      '+5',
      '1.5',
      'in',
      'we b',
      'web!',
      'x'.repeat(64),
      '99999999999999999999',
      '9007199254740993',
      '1e1',
      '0x10',
    ),
  },
);

const values = fc
  .array(
    fc.tuple(maybeSpace, value, maybeSpace).map((parts) => parts.join('')),
    { maxLength: 3 },
  )
  .map((list) => list.join(','));

const requirement = fc.oneof(
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom('', '!', '! ', '!!'), key) },
  {
    weight: 4,
    arbitrary: fc.tuple(key, maybeSpace, fc.constantFrom('=', '==', '!=', '===', '=!'), maybeSpace, value),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(key, maybeSpace, fc.constantFrom('>', '<', '>=', '<>'), maybeSpace, value),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(
      key,
      fc.constantFrom(' ', '  ', ''),
      fc.constantFrom('in', 'notin', 'In', 'not in'),
      maybeSpace,
      fc.constant('('),
      values,
      fc.constantFrom(')', ')', ')', ')', ''),
      maybeSpace,
    ),
  },
);

/** The text of a label selector: mostly one that can be read. */
export const selectorText = fc
  .tuple(
    fc.constantFrom('', '', '', '', '', ','),
    fc.array(
      requirement.map((parts) => parts.join('')),
      { minLength: 1, maxLength: 3 },
    ),
    fc.constantFrom(',', ',', ',', ' , ', ',,', ' '),
    fc.constantFrom('', '', '', '', '', ','),
  )
  .map(([before, requirements, separator, after]) => `${before}${requirements.join(separator)}${after}`);

/** The labels of an object, over the keys that selectors ask for. */
export const randomLabels: fc.Arbitrary<Labels> = fc.record(
  {
    app: fc.constantFrom('web', 'db', ''),
    tier: fc.constantFrom('front', 'back'),
    weight: fc.constantFrom(
      '5',
      '007',
      '1.5',
      '1e1',
      '0x10',
      '10',
      '99999999999999999999',
      '9007199254740993',
      '9007199254740992',
      'heavy',
    ),
    'example.com/role': fc.constantFrom('web', '5'),
    in: fc.constantFrom('web'),
    App_1: fc.constantFrom('db'),
  },
  { requiredKeys: [] },
);
