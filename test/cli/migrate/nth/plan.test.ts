import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { QueueRule } from '../../../../cli/migrate/nth/observation.ts';
import { nthHooksOf } from '../../../../cli/migrate/nth/plan/hooks.ts';
import { planMigration } from '../../../../cli/migrate/nth/plan/plan.ts';
import { holdSecondsOf } from '../../../../cli/migrate/nth/plan/times.ts';
import { queueArnOf } from '../../../../cli/migrate/nth/queue.ts';
import { type MigrationRecord, readRecord, recordTags } from '../../../../cli/migrate/nth/record.ts';
import { readSettings } from '../../../../cli/migrate/nth/settings/settings.ts';
import type { LifecycleHook } from '../../../../shared/groups/group.ts';
import { group, observation } from '../../adopt/observed.ts';

const queueArn = 'arn:aws:sqs:eu-west-1:123456789012:nth';
const hook = (lifecycleHookName: string, changes: Partial<LifecycleHook> = {}): LifecycleHook => ({
  lifecycleHookName,
  transition: 'terminating',
  heartbeatTimeoutSeconds: 300,
  globalTimeoutSeconds: 30_000,
  defaultResult: 'CONTINUE',
  ...changes,
});
const rule = (...detailTypes: readonly string[]): QueueRule => ({
  name: 'r',
  detailTypes,
  targetIds: ['1'],
  hasOtherTargets: false,
});
const terminations = rule('EC2 Instance-terminate Lifecycle Action');

const namesOf = (
  hooks: readonly LifecycleHook[],
  rules: readonly QueueRule[] | 'unknown' = [terminations],
  named: readonly string[] = [],
) => {
  const found = nthHooksOf(
    hooks,
    {
      names: observation(),
      ownership: { kind: 'tag', key: 't' },
      queueArn,
      rules: rules === 'unknown' ? undefined : rules,
    },
    { hooks: named },
  );
  const names = (some: readonly LifecycleHook[]) => some.map(({ lifecycleHookName }) => lifecycleHookName);
  return { hooks: names(found.hooks), unclear: names(found.unclear) };
};

describe('the hooks that the handler completes', () => {
  it.each<[string, readonly LifecycleHook[], readonly string[], readonly string[]]>([
    ['the only one', [hook('a')], ['a'], []],
    ['none of Drover', [hook('drover-node-leaving'), hook('a')], ['a'], []],
    [
      'those that notify its queue',
      [hook('a', { notificationTarget: queueArn }), hook('b', { notificationTarget: 'arn:aws:sns:x' })],
      ['a'],
      [],
    ],
    ['none of another target', [hook('b', { notificationTarget: `${queueArn}-2` })], [], []],
    ['one of several is unclear', [hook('a'), hook('b')], [], ['a', 'b']],
    [
      'beside one that notifies its queue too',
      [hook('a', { notificationTarget: queueArn }), hook('b')],
      [],
      ['a', 'b'],
    ],
    ['none on launching instances without their events', [hook('l', { transition: 'launching' })], [], []],
  ])('are %s', (_, hooks, expected, unclear) => {
    expect(namesOf(hooks)).toEqual({ hooks: expected, unclear });
  });

  it('are those that are named, and those on launching instances if a rule brings their events', () => {
    expect(namesOf([hook('a'), hook('b')], [terminations], ['b', 'elsewhere'])).toEqual({
      hooks: ['b'],
      unclear: [],
    });
    const launching = hook('l', { transition: 'launching' });
    expect(namesOf([launching, hook('a')], 'unknown').hooks).toEqual(['a', 'l']);
    expect(namesOf([launching], [rule('EC2 Instance-launch Lifecycle Action')]).hooks).toEqual(['l']);
  });
});

const settingsWith = (interval: number, until: number) =>
  readSettings(
    {
      heartbeatInterval: { kind: 'text', text: String(interval) },
      heartbeatUntil: { kind: 'text', text: String(until) },
    },
    { isChart: false },
  );

describe('the time that an instance is held', () => {
  it.each([
    ['one heartbeat timeout without heartbeats', { timeout: 300, interval: -1, until: -1 }, 300],
    [
      'until the timeout after the last heartbeat, as in its README',
      { timeout: 3000, interval: 1000, until: 4500 },
      7000,
    ],
    ['two days at most', { timeout: 7200, interval: 1000, until: -1 }, 172_800],
    ['a hundred timeouts at most', { timeout: 60, interval: 30, until: 172_800 }, 6000],
    ['one timeout if heartbeats come too late', { timeout: 60, interval: 60, until: 600 }, 60],
  ])('is %s', (_, { timeout, interval, until }, expected) => {
    expect(
      holdSecondsOf(hook('a', { heartbeatTimeoutSeconds: timeout }), settingsWith(interval, until)),
    ).toBe(expected);
  });

  it('is a value that the tag drover.dev/drain-timeout takes', () => {
    const seconds = fc.integer({ min: -1, max: 200_000 });
    fc.assert(
      fc.property(fc.integer({ min: 30, max: 7200 }), seconds, seconds, (timeout, interval, until) => {
        const held = holdSecondsOf(
          hook('a', { heartbeatTimeoutSeconds: timeout }),
          settingsWith(interval, until),
        );
        expect(held).toBeGreaterThanOrEqual(timeout);
        expect(held).toBeLessThanOrEqual(172_800);
      }),
    );
  });
});

describe('the ARN of the queue', () => {
  it.each([
    ['https://sqs.eu-west-1.amazonaws.com/123456789012/nth', queueArn],
    ['https://eu-west-1.queue.amazonaws.com/123456789012/nth/', queueArn],
    ['http://localhost:4566/123456789012/nth', queueArn],
    [
      'https://sqs.cn-north-1.amazonaws.com.cn/123456789012/nth',
      'arn:aws-cn:sqs:cn-north-1:123456789012:nth',
    ],
    [
      'https://sqs.us-gov-west-1.amazonaws.com/123456789012/nth.fifo',
      'arn:aws-us-gov:sqs:us-gov-west-1:123456789012:nth.fifo',
    ],
    ['nth', undefined],
    ['', undefined],
  ])('of %j is %s', (url, expected) => {
    expect(queueArnOf(url, 'eu-west-1')).toBe(expected);
  });
});

const text = fc.string({ minLength: 1, maxLength: 100 });
const hooks = fc.record(
  {
    lifecycleHookName: text,
    transition: fc.constantFrom('launching' as const, 'terminating' as const),
    heartbeatTimeoutSeconds: fc.integer({ min: 30, max: 7200 }),
    globalTimeoutSeconds: fc.integer({ min: 30, max: 172_800 }),
    defaultResult: fc.constantFrom('CONTINUE' as const, 'ABANDON' as const),
    notificationTarget: text,
    roleArn: text,
    notificationMetadata: fc.string({ maxLength: 1023, minLength: 1 }),
  },
  {
    requiredKeys: [
      'lifecycleHookName',
      'transition',
      'heartbeatTimeoutSeconds',
      'globalTimeoutSeconds',
      'defaultResult',
    ],
  },
);
// JSON has no such key: `{"__proto__": ...}` is dropped.
const key = text.filter((one) => one !== '__proto__');
const records: fc.Arbitrary<MigrationRecord> = fc.record({
  managedTag: fc.option(text, { nil: undefined }),
  hooks: fc.array(hooks, { maxLength: 3 }),
  tags: fc.dictionary(key, fc.option(fc.record({ value: fc.string(), propagates: fc.boolean() }))),
  newHooks: fc.array(text, { maxLength: 2 }),
});

describe('the record of a group', () => {
  it('is read as it was written, from tags that Auto Scaling takes', () => {
    fc.assert(
      fc.property(records, (record) => {
        const tags = recordTags(record);
        for (const value of tags.values()) expect(value).toMatch(/^[\w.-]{1,256}$/);
        expect(readRecord({ team: 'a', ...Object.fromEntries(tags) })).toEqual({ kind: 'record', record });
      }),
    );
  });

  it('is unreadable if a tag of it is gone or changed, and none without its tags', () => {
    const tags = recordTags({
      managedTag: 'nth',
      hooks: [hook('x'.repeat(255))],
      tags: {},
      newHooks: [],
    });
    expect(tags.size).toBeGreaterThan(1);
    for (const key of tags.keys()) {
      const { [key]: value = '', ...rest } = Object.fromEntries(tags);
      expect(readRecord(rest)).toEqual({ kind: 'unreadable' });
      expect(readRecord({ ...rest, [key]: value.slice(4) })).toEqual({ kind: 'unreadable' });
    }
    expect(readRecord({ 'drover.dev/role': 'worker' })).toEqual({ kind: 'none' });
  });
});

describe('a group whose launch template gives the tag to new instances', () => {
  const managedTag = 'aws-node-termination-handler/managed';
  const planOf = (taggingTemplates: readonly string[]) =>
    planMigration(
      {
        handler: {
          name: 'values.yaml',
          settings: readSettings(
            { enableSqsTerminationDraining: { kind: 'text', text: 'true' } },
            { isChart: true },
          ),
          uninstall: undefined,
          isStopped: false,
          onNodes: [],
        },
        rules: [terminations],
        queueArn,
        groups: [
          {
            group: group('workers', { [managedTag]: '' }, { hooks: [hook('a')] }),
            tagged: new Map(),
            taken: new Map(),
            taggingTemplates,
          },
        ],
        adoption: observation(),
        others: [],
      },
      { hooks: [], bothDrain: false, isOneOfSeveral: false },
    );

  it('is refused, because the handler would drain them too', () => {
    expect(planOf(['nodes'])).toMatchObject({
      groups: [],
      refusals: [{ subject: 'workers', reason: expect.stringContaining('launch template nodes') }],
    });
    expect(planOf([]).groups[0]?.steps.map(({ kind }) => kind)).toEqual([
      'record',
      'adopt',
      'adopt',
      'await',
      'delete-hook',
      'delete-tags',
    ]);
  });
});
