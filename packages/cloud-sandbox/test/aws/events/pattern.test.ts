import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compilePattern } from '../../../src/aws/events/pattern.ts';

const event = {
  source: 'aws.autoscaling',
  'detail-type': 'EC2 Instance-terminate Lifecycle Action',
  region: 'eu-west-1',
  resources: ['arn:aws:autoscaling:eu-west-1:123456789012:autoScalingGroup:x:autoScalingGroupName/workers'],
  detail: {
    AutoScalingGroupName: 'workers',
    LifecycleHookName: 'drain',
    state: null,
    empty: '',
    count: 5,
    ready: true,
    address: '10.0.3.7',
    file: 'dir/sub/node.log',
    tags: ['one', 'two'],
    entities: [
      { entityValue: 'i-1', status: 'IMPAIRED' },
      { entityValue: 'i-2', status: 'OK' },
    ],
  },
};

const matches = (pattern: unknown): boolean => compilePattern(JSON.stringify(pattern))(event);
const detail = (pattern: unknown): boolean => matches({ detail: pattern });

// https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
describe('an event pattern', () => {
  test.each<[string, unknown, boolean]>([
    ['an exact value', { AutoScalingGroupName: ['workers'] }, true],
    ['one of several values', { AutoScalingGroupName: ['other', 'workers'] }, true],
    ['another value', { AutoScalingGroupName: ['other'] }, false],
    ['a value in another case', { AutoScalingGroupName: ['Workers'] }, false],
    [
      'every field of the pattern',
      { AutoScalingGroupName: ['workers'], LifecycleHookName: ['other'] },
      false,
    ],
    ['null', { state: [null] }, true],
    ['the empty string', { empty: [''] }, true],
    ['a number', { count: [5] }, true],
    ['a boolean', { ready: [true] }, true],
    ['one element of a list', { tags: ['two'] }, true],
    ['one element of a list of objects', { entities: { entityValue: ['i-2'] } }, true],
    [
      'only an element that matches as a whole',
      { entities: { entityValue: ['i-2'], status: ['IMPAIRED'] } },
      false,
    ],
    ['a prefix', { AutoScalingGroupName: [{ prefix: 'work' }] }, true],
    ['a prefix in any case', { AutoScalingGroupName: [{ prefix: { 'equals-ignore-case': 'WORK' } }] }, true],
    ['a suffix', { file: [{ suffix: '.log' }] }, true],
    ['a suffix in any case', { file: [{ suffix: { 'equals-ignore-case': '.LOG' } }] }, true],
    ['anything but a value', { LifecycleHookName: [{ 'anything-but': 'drain' }] }, false],
    ['anything but a list', { LifecycleHookName: [{ 'anything-but': ['a', 'b'] }] }, true],
    ['anything but a number', { count: [{ 'anything-but': [5] }] }, false],
    ['anything but a prefix', { LifecycleHookName: [{ 'anything-but': { prefix: 'dr' } }] }, false],
    ['anything but some suffixes', { file: [{ 'anything-but': { suffix: ['.txt', '.csv'] } }] }, true],
    ['anything but a wildcard', { file: [{ 'anything-but': { wildcard: '*/sub/*' } }] }, false],
    ['anything but, for a missing field', { missing: [{ 'anything-but': 'x' }] }, false],
    ['a value in any case', { AutoScalingGroupName: [{ 'equals-ignore-case': 'WORKERS' }] }, true],
    ['a wildcard', { file: [{ wildcard: 'dir/*/*.log' }] }, true],
    ['a wildcard that does not fit', { file: [{ wildcard: 'dir/*.txt' }] }, false],
    ['a range of numbers', { count: [{ numeric: ['>', 0, '<=', 5] }] }, true],
    ['a number outside the range', { count: [{ numeric: ['>', 5] }] }, false],
    ['a numeric comparison with text', { file: [{ numeric: ['=', 5] }] }, false],
    ['an address in a network', { address: [{ cidr: '10.0.0.0/22' }] }, true],
    ['an address outside it', { address: [{ cidr: '10.0.0.0/24' }] }, false],
    ['a field that exists', { state: [{ exists: true }] }, true],
    ['a field that does not exist', { missing: [{ exists: false }] }, true],
    ['existence of a field that is not a leaf', { entities: [{ exists: true }] }, false],
    ['one alternative', { $or: [{ LifecycleHookName: ['x'] }, { count: [{ numeric: ['=', 5] }] }] }, true],
    ['no alternative', { $or: [{ LifecycleHookName: ['x'] }, { count: [6] }] }, false],
  ])('matches %s', (_what, pattern, expected) => {
    expect(detail(pattern)).toBe(expected);
  });

  test('combines alternatives with the other fields', () => {
    const alternatives = [{ detail: { count: [5] } }, { detail: { count: [6] } }];
    expect(matches({ source: ['aws.autoscaling'], $or: alternatives })).toBe(true);
    expect(matches({ source: ['aws.ec2'], $or: alternatives })).toBe(false);
  });

  test.each([
    ['no object', '"x"'],
    ['no JSON', '{'],
    ['an empty object', '{}'],
    ['a bare value', '{"source": "aws.ec2"}'],
    ['an empty list', '{"source": []}'],
    ['an unknown operator', '{"source": [{"like": "x"}]}'],
    ['two operators in one', '{"source": [{"prefix": "x", "suffix": "y"}]}'],
    ['a malformed range', '{"source": [{"numeric": [">"]}]}'],
    ['a malformed network', '{"source": [{"cidr": "10.0.0.0/99"}]}'],
    ['a single alternative', '{"$or": [{"source": ["x"]}]}'],
  ])('that is %s is refused', (_what, pattern) => {
    expect(() => compilePattern(pattern)).toThrow(
      expect.objectContaining({ code: 'InvalidEventPatternException' }),
    );
  });

  test('that is made from an event matches that event', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string().filter((key) => key !== '$or'),
          fc.string(),
          { minKeys: 1 },
        ),
        (fields) => {
          const pattern = Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, [value]]));
          expect(compilePattern(JSON.stringify(pattern))(fields)).toBe(true);
        },
      ),
    );
  });
});
