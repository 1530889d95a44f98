import type { Cases } from '../../../truth/contract.ts';
import { inDetail, matcher, type PatternWorld, refused } from './support.ts';

/**
 * Fields, lists, alternatives and existence in event patterns.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 */
export const structureCases: Cases<PatternWorld> = {
  'values of nested lists are values of the field': inDetail({
    pattern: matcher('x'),
    matches: [{ a: [['x']] }, { a: ['y', ['z', ['x']]] }],
    leavesOut: [{ a: [['y'], []] }, { a: [{ a: 'x' }] }],
  }),
  'a dot in the name of a field separates nested fields': inDetail({
    pattern: { 'a.b': ['x'] },
    matches: [{ a: { b: 'x' } }, { 'a.b': 'x' }],
    leavesOut: [{ a: 'x' }, { b: 'x' }],
  }),
  'fields of a list of objects must match in the same object': inDetail({
    pattern: { list: { a: [1], b: [2] } },
    matches: [
      { list: [{ a: 1, b: 2 }] },
      { list: [{ a: 3 }, { a: [1, 4], b: 2 }] },
      { list: { a: 1, b: 2 } },
    ],
    leavesOut: [
      { list: [{ a: 1 }, { b: 2 }] },
      {
        list: [
          { a: 1, b: 3 },
          { a: 3, b: 2 },
        ],
      },
    ],
  }),
  'fields of nested lists must match in the same object, independent of other lists': inDetail({
    pattern: { list: { a: [1], b: [2] }, other: { c: [3] } },
    matches: [
      { list: [[{ a: 1, b: 2 }]], other: [{ c: 4 }, { c: 3 }] },
      { list: [[{ a: 9 }], [{ a: 1, b: 2 }]], other: { c: 3 } },
    ],
    leavesOut: [
      { list: [[{ a: 1 }, { b: 2 }]], other: { c: 3 } },
      { list: [[{ a: 1 }], [{ b: 2 }]], other: { c: 3 } },
      { list: [[{ a: 1, b: 2 }]], other: [{ c: 4 }] },
    ],
  }),
  'an alternative and the other fields must match in the same object of a list': inDetail({
    pattern: { $or: [{ list: { a: [1] } }, { list: { a: [2] } }], list: { b: [3] } },
    matches: [{ list: [{ a: 2, b: 3 }] }],
    leavesOut: [{ list: [{ a: 2 }, { b: 3 }] }],
  }),
  'exists:false matches a field without any value': inDetail({
    pattern: matcher({ exists: false }),
    matches: [{}, { a: {} }, { a: { b: 1 } }, { a: [] }, { a: [{ b: 1 }] }, { a: [[]] }],
    leavesOut: [{ a: null }, { a: '' }, { a: [1] }, { a: [{ b: 1 }, 0] }, { a: [[1]] }],
  }),
  'exists looks at all objects of a list together': inDetail({
    pattern: { list: { a: [{ exists: false }] } },
    matches: [{ list: [{ b: 1 }] }, { list: [] }],
    leavesOut: [{ list: [{ b: 1 }, { a: 1 }] }],
  }),
  'a field can be absent or have a value in one pattern': inDetail({
    pattern: matcher({ exists: false }, 'x'),
    matches: [{}, { a: 'x' }],
    leavesOut: [{ a: 'y' }],
  }),
  'one matching alternative of $or is enough, also in nested fields': inDetail({
    pattern: { x: ['1'], $or: [{ a: [1] }, { b: [2], c: [3] }, { $or: [{ d: [4] }, { e: { f: [5] } }] }] },
    matches: [
      { x: '1', a: 1 },
      { x: '1', b: 2, c: 3 },
      { x: '1', d: 4 },
      { x: '1', e: { f: 5 } },
    ],
    leavesOut: [{ a: 1 }, { x: '1', b: 2 }, { x: '1' }, { x: '1', f: 5 }],
  }),
  'a pattern can contain $or at several levels': inDetail({
    pattern: { $or: [{ a: [1] }, { b: [2] }], c: { $or: [{ d: [3] }, { e: [4] }] } },
    matches: [
      { a: 1, c: { d: 3 } },
      { b: 2, c: { e: 4 } },
    ],
    leavesOut: [{ a: 1, b: 2 }, { c: { d: 3, e: 4 } }, { a: 1, d: 3 }],
  }),
  'a field named $or without a list of objects is an ordinary field': inDetail({
    pattern: { $or: ['x'] },
    matches: [{ $or: 'x' }],
    leavesOut: [{}],
  }),
  'a pattern must consist of objects and lists that are not empty': refused(
    {},
    { a: {} },
    { a: [] },
    { a: 'x' },
    { a: null },
    { a: [['x']] },
    { a: [{}] },
    { a: [{ like: 'x' }] },
    { a: [{ prefix: 'x', suffix: 'y' }] },
    { a: [{ exists: 'true' }] },
    { a: [{ prefix: 5 }] },
    { a: [{ suffix: { prefix: 'x' } }] },
    { a: [{ 'equals-ignore-case': 5 }] },
  ),
};
