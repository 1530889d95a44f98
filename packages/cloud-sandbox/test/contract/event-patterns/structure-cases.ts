import type { Cases } from '../../../truth/contract.ts';
import { inDetail, matcher, type PatternWorld, refused } from './support.ts';

/**
 * Fields, lists, alternatives and existence in event patterns.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 */
export const structureCases: Cases<PatternWorld> = {
  'a value of a list in a list is a value of the field': inDetail({
    pattern: matcher('x'),
    matches: [{ a: [['x']] }, { a: ['y', ['z', ['x']]] }],
    leavesOut: [{ a: [['y'], []] }, { a: [{ a: 'x' }] }],
  }),
  'a dot in the name of a field is a step into it': inDetail({
    pattern: { 'a.b': ['x'] },
    matches: [{ a: { b: 'x' } }, { 'a.b': 'x' }],
    leavesOut: [{ a: 'x' }, { b: 'x' }],
  }),
  'fields of a list of objects hold for one and the same object': inDetail({
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
  'they do so in a list of lists, and beside fields of another list': inDetail({
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
  'an alternative and the fields beside it hold for the same object of a list': inDetail({
    pattern: { $or: [{ list: { a: [1] } }, { list: { a: [2] } }], list: { b: [3] } },
    matches: [{ list: [{ a: 2, b: 3 }] }],
    leavesOut: [{ list: [{ a: 2 }, { b: 3 }] }],
  }),
  'exists asks for a value, or for none anywhere': inDetail({
    pattern: matcher({ exists: false }),
    matches: [{}, { a: {} }, { a: { b: 1 } }, { a: [] }, { a: [{ b: 1 }] }, { a: [[]] }],
    leavesOut: [{ a: null }, { a: '' }, { a: [1] }, { a: [{ b: 1 }, 0] }, { a: [[1]] }],
  }),
  'exists of a list of objects asks about all of them together': inDetail({
    pattern: { list: { a: [{ exists: false }] } },
    matches: [{ list: [{ b: 1 }] }, { list: [] }],
    leavesOut: [{ list: [{ b: 1 }, { a: 1 }] }],
  }),
  'a field may be absent or have a value': inDetail({
    pattern: matcher({ exists: false }, 'x'),
    matches: [{}, { a: 'x' }],
    leavesOut: [{ a: 'y' }],
  }),
  'one of the alternatives is enough, within a field as well': inDetail({
    pattern: { x: ['1'], $or: [{ a: [1] }, { b: [2], c: [3] }, { $or: [{ d: [4] }, { e: { f: [5] } }] }] },
    matches: [
      { x: '1', a: 1 },
      { x: '1', b: 2, c: 3 },
      { x: '1', d: 4 },
      { x: '1', e: { f: 5 } },
    ],
    leavesOut: [{ a: 1 }, { x: '1', b: 2 }, { x: '1' }, { x: '1', f: 5 }],
  }),
  'alternatives stand beside others': inDetail({
    pattern: { $or: [{ a: [1] }, { b: [2] }], c: { $or: [{ d: [3] }, { e: [4] }] } },
    matches: [
      { a: 1, c: { d: 3 } },
      { b: 2, c: { e: 4 } },
    ],
    leavesOut: [{ a: 1, b: 2 }, { c: { d: 3, e: 4 } }, { a: 1, d: 3 }],
  }),
  'a field of the name $or that has no alternatives is a field': inDetail({
    pattern: { $or: ['x'] },
    matches: [{ $or: 'x' }],
    leavesOut: [{}],
  }),
  'a pattern is an object of objects and lists that are not empty': refused(
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
