import type { Cases } from '../../../truth/contract.ts';
import { inDetail, matcher, type PatternWorld, refused } from './support.ts';

/**
 * What the operators of event patterns ask of a value.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 */
export const operatorCases: Cases<PatternWorld> = {
  'a value equals one of the listed values, including its type': inDetail({
    pattern: matcher('5', 6, null, true),
    matches: [{ a: '5' }, { a: 6 }, { a: 6.0 }, { a: null }, { a: true }, { a: ['x', 6] }],
    leavesOut: [{ a: 5 }, { a: '6' }, { a: 'null' }, { a: 'true' }, { a: false }, {}, { a: [] }, { A: 6 }],
  }),
  'prefix matches the beginning of a string, optionally ignoring case': inDetail({
    pattern: { a: [{ prefix: 'eu-' }], b: [{ prefix: { 'equals-ignore-case': 'Eu-' } }] },
    matches: [
      { a: 'eu-west-1', b: 'EU-WEST-1' },
      { a: 'eu-', b: 'eu-' },
      { a: ['x', 'eu-1'], b: 'eU-1' },
    ],
    leavesOut: [
      { a: 'EU-', b: 'eu-' },
      { a: 'eu', b: 'eu-' },
      { a: 'xeu-', b: 'eu-' },
      { a: 'eu-', b: 'u-' },
    ],
  }),
  'an empty prefix matches every string, and no prefix matches other types': inDetail({
    pattern: { a: [{ prefix: '' }] },
    matches: [{ a: '' }, { a: 'x' }],
    leavesOut: [{ a: 1 }, { a: null }, { a: true }, {}],
  }),
  'suffix matches the end of a string, optionally ignoring case': inDetail({
    pattern: { a: [{ suffix: '.log' }], b: [{ suffix: { 'equals-ignore-case': '.Log' } }] },
    matches: [
      { a: 'x.log', b: 'x.LOG' },
      { a: '.log', b: '.log' },
    ],
    leavesOut: [
      { a: 'x.LOG', b: '.log' },
      { a: 'x.log.', b: '.log' },
      { a: '.log', b: 'log' },
    ],
  }),
  'equals-ignore-case matches strings of the same length': inDetail({
    pattern: matcher({ 'equals-ignore-case': 'Drain' }),
    matches: [{ a: 'drain' }, { a: 'DRAIN' }],
    leavesOut: [{ a: 'drains' }, { a: 'drai' }, { a: '' }, { a: 5 }],
  }),
  'a wildcard matches any characters, also none': inDetail({
    pattern: matcher({ wildcard: 'dir/*.log' }, { wildcard: '*x*y' }),
    matches: [{ a: 'dir/a/b.log' }, { a: 'dir/.log' }, { a: 'xy' }, { a: '1x\n2y' }, { a: 'xyy' }],
    leavesOut: [{ a: 'dir/a.logs' }, { a: 'Dir/a.log' }, { a: 'yx' }, { a: 5 }, { a: 'dirZ.log' }],
  }),
  'a question mark and a bracket are literal in a wildcard': inDetail({
    pattern: matcher({ wildcard: 'a?[b]*' }),
    matches: [{ a: 'a?[b]' }, { a: 'a?[b]c' }],
    leavesOut: [{ a: 'ax[b]' }, { a: 'a?b' }],
  }),
  'a backslash escapes an asterisk and a backslash in a wildcard': inDetail({
    pattern: matcher({ wildcard: String.raw`\**\\` }),
    matches: [{ a: String.raw`*\ `.trim() }, { a: String.raw`*x\ `.trim() }],
    leavesOut: [{ a: 'x\\' }, { a: '*' }],
  }),
  'a wildcard with two asterisks in a row or another escape is refused': refused(
    matcher({ wildcard: 'a**' }),
    matcher({ wildcard: String.raw`a\b` }),
    matcher({ wildcard: 'a\\' }),
    matcher({ 'anything-but': { wildcard: 'a**' } }),
  ),
  'anything-but matches every other value of every type': inDetail({
    pattern: matcher({ 'anything-but': 'x' }),
    matches: [{ a: 'y' }, { a: 5 }, { a: null }, { a: true }, { a: ['x', 'y'] }, { a: '' }],
    leavesOut: [{ a: 'x' }, { a: ['x', 'x'] }, {}, { a: [] }, { a: {} }],
  }),
  'anything-but with a number matches every other value': inDetail({
    pattern: matcher({ 'anything-but': [5, 6] }),
    matches: [{ a: 7 }, { a: '5' }, { a: null }],
    leavesOut: [{ a: 5 }, { a: 6.0 }, {}],
  }),
  'anything-but negates prefix, suffix, wildcard and equals-ignore-case': inDetail({
    pattern: {
      p: [{ 'anything-but': { prefix: ['a', 'b'] } }],
      s: [{ 'anything-but': { suffix: 'a' } }],
      w: [{ 'anything-but': { wildcard: '*/lib/*' } }],
      i: [{ 'anything-but': { 'equals-ignore-case': ['X', 'y'] } }],
    },
    matches: [
      { p: 'c', s: 'b', w: 'lib', i: 'z' },
      { p: '', s: '', w: '', i: '' },
    ],
    leavesOut: [
      { p: 'ab', s: 'b', w: 'lib', i: 'z' },
      { p: 'c', s: 'ba', w: 'lib', i: 'z' },
      { p: 'c', s: 'b', w: '/lib/', i: 'z' },
      { p: 'c', s: 'b', w: 'lib', i: 'Y' },
    ],
  }),
  'anything-but with a prefix matches values that are not strings': inDetail({
    pattern: { p: [{ 'anything-but': { prefix: 'a' } }] },
    matches: [{ p: 5 }, { p: null }, { p: true }],
    leavesOut: [{}],
  }),
  'anything-but refuses mixed types and other operators': refused(
    matcher({ 'anything-but': ['x', 5] }),
    matcher({ 'anything-but': [] }),
    matcher({ 'anything-but': [null] }),
    matcher({ 'anything-but': null }),
    matcher({ 'anything-but': true }),
    matcher({ 'anything-but': { numeric: ['=', 5] } }),
    matcher({ 'anything-but': { exists: true } }),
    matcher({ 'anything-but': { cidr: '10.0.0.0/8' } }),
    matcher({ 'anything-but': { prefix: '' } }),
    matcher({ 'anything-but': { prefix: ['a', ''] } }),
    matcher({ 'anything-but': { suffix: '' } }),
    matcher({ 'anything-but': { prefix: [5] } }),
    matcher({ 'anything-but': { suffix: [] } }),
    matcher({ 'anything-but': {} }),
    matcher({ 'anything-but': { prefix: 'a', suffix: 'b' } }),
    matcher({ 'anything-but': { prefix: { 'equals-ignore-case': 'a' } } }),
  ),
  'numeric compares values as numbers': inDetail({
    pattern: { n: [{ numeric: ['>', 0, '<=', 5] }], m: [{ numeric: ['=', 3.018e2] }] },
    matches: [
      { n: 5, m: 301.8 },
      { n: 0.000001, m: 301.8 },
      { n: [9, 1], m: 301.8 },
    ],
    leavesOut: [
      { n: 0, m: 301.8 },
      { n: 5.1, m: 301.8 },
      { n: '5', m: 301.8 },
      { n: 5, m: 301.81 },
    ],
  }),
  'numeric accepts numbers between minus and plus five billion only': async (world) => {
    await refused(matcher({ numeric: ['<', 5000000001] }), matcher({ numeric: ['=', -5e10] }))(world);
    await inDetail({
      pattern: matcher({ numeric: ['>', 0] }),
      matches: [{ a: 5000000000 }],
      leavesOut: [{ a: 5000000001 }],
    })(world);
  },
  'a numeric range needs its lower bound first and below the upper bound': refused(
    matcher({ numeric: ['<', 5, '>', 0] }),
    matcher({ numeric: ['>', 5, '<', 5] }),
    matcher({ numeric: ['>', 5, '<', 1] }),
    matcher({ numeric: ['=', 5, '<', 9] }),
    matcher({ numeric: ['>', 1, '>', 2] }),
    matcher({ numeric: ['>=', 5e9] }),
    matcher({ numeric: ['<', -5e9] }),
    matcher({ numeric: ['>', 1, '<', 5, '<', 3] }),
    matcher({ numeric: ['>'] }),
    matcher({ numeric: [] }),
    matcher({ numeric: 5 }),
    matcher({ numeric: ['!=', 5] }),
    matcher({ numeric: ['=', '5'] }),
  ),
  'cidr matches addresses of the same IP version only': inDetail({
    pattern: matcher({ cidr: '10.0.0.0/24' }, { cidr: '2001:db8::/32' }),
    matches: [{ a: '10.0.0.0' }, { a: '10.0.0.255' }, { a: '2001:db8::1' }, { a: '2001:0DB8:0::1' }],
    leavesOut: [{ a: '10.0.1.0' }, { a: '9.255.255.255' }, { a: '2001:db9::1' }, { a: 'x' }, { a: 10 }],
  }),
  'cidr refuses a malformed address or prefix length': refused(
    matcher({ cidr: '10.0.0.0/33' }),
    matcher({ cidr: '10.0.0.0/32' }),
    matcher({ cidr: '10.0.0.0' }),
    matcher({ cidr: '10.0.0/8' }),
    matcher({ cidr: '10.0.0.0/-1' }),
    matcher({ cidr: '::/128' }),
    matcher({ cidr: 'x/8' }),
    matcher({ cidr: 5 }),
  ),
  'cidr matches every spelling of an address': inDetail({
    pattern: matcher('2001:db8::1'),
    matches: [{ a: '2001:DB8:0:0:0:0:0:1' }],
    leavesOut: [{ a: '2001:db8::2' }],
  }),
};
