import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GroupsError, type GroupsErrorCode } from '../../../../shared/capacity/groups.ts';
import { refuseHold } from '../../../../shared/capacity/holds/check-hold.ts';
import { capacityMessage } from '../../../../shared/capacity/holds/message.ts';
import { holdParameterOf } from '../../../../shared/capacity/holds/parameters.ts';
import { capacityPass } from '../../../../shared/capacity/holds/pass.ts';
import { scanHolds } from '../../../../shared/capacity/holds/scan-holds.ts';
import type { ScheduleSource } from '../../../../shared/capacity/schedules/due-holds.ts';
import type { GroupMember } from '../../../../shared/groups/group.ts';
import { behave, behaviours, finished } from '../../../support/item-faults.ts';
import { createMemoryQueue } from '../../../support/memory-queue.ts';
import { record } from '../schedules/support.ts';
import { group as groupWith, hour, start } from './fixtures.ts';
import { createHoldWorld, paths } from './world.ts';

const sale = {
  autoScalingGroupName: 'workers',
  name: 'sale',
  nodes: 6,
  until: start + hour,
  raiseMaxSize: false,
  createdAt: start,
};

const noSchedules: ScheduleSource = {
  readSchedules: async () => ({ records: [], failures: [] }),
  readLaunches: async () => [],
};

function createScan(schedules = noSchedules) {
  const world = createHoldWorld();
  const queue = createMemoryQueue();
  const givingBack = createMemoryQueue();
  const asked: string[] = [];
  const scan = () =>
    scanHolds({
      ...world.context,
      clock: world.clock,
      send: queue.send,
      sendGivingBack: givingBack.send,
      schedules,
      readReasons: async ({ autoScalingGroupName }) => {
        asked.push(autoScalingGroupName);
        return [
          'the last launch failed: We currently do not have sufficient m5.large capacity in the Availability Zone you requested (eu-west-1a).',
        ];
      },
    });
  return { ...world, queue, givingBack, scan, asked };
}

describe('the scan of every minute', () => {
  it('starts a pass only for a group with something to do', async () => {
    const { scan, hold, context, passSeconds } = createScan();
    expect((await scan()).groups).toEqual([]);
    hold(sale);
    expect((await scan()).sent).toEqual(['workers']);
    await capacityPass(context, 'workers');
    passSeconds(60);
    expect(await scan()).toMatchObject({
      sent: [],
      failures: [],
      groups: [{ activeHolds: 1, problems: [] }],
    });
  });

  it('starts a pass for a hold that does not exceed the base, so that missing nodes become a problem', async () => {
    const { scan, hold, context, passSeconds } = createScan();
    hold({ ...sale, nodes: 1 });
    expect((await scan()).sent).toEqual(['workers']);
    await capacityPass(context, 'workers');
    passSeconds(900);
    expect((await scan()).groups[0]?.problems.join()).toContain(
      'the holds ask for 1 nodes, and 0 are in service',
    );
  });

  it('does not count an instance that Auto Scaling is about to replace', async () => {
    const { scan, hold, context, passSeconds, change } = createScan();
    const instance = (healthy: boolean) =>
      ({ instanceId: 'i-1', lifecycleState: 'InService', healthy }) as unknown as GroupMember;
    hold({ ...sale, nodes: 1 });
    await capacityPass(context, 'workers');
    passSeconds(900);
    change({ instances: [instance(false)] });
    expect((await scan()).groups[0]?.problems).toHaveLength(1);
    change({ instances: [instance(true)] });
    expect((await scan()).groups[0]?.problems).toEqual([]);
  });

  it('reads and reports the reason for missing nodes only after 15 minutes', async () => {
    const { scan, hold, context, passSeconds, asked } = createScan();
    hold(sale);
    await capacityPass(context, 'workers');
    passSeconds(899);
    expect((await scan()).groups[0]?.problems).toEqual([]);
    expect(asked).toEqual([]);
    passSeconds(1);
    expect((await scan()).groups[0]?.problems).toEqual([
      'the holds ask for 6 nodes, and 0 are in service; the last launch failed: We currently do not have sufficient m5.large capacity in the Availability Zone you requested (eu-west-1a).',
    ]);
  });

  it('reports missing nodes even if the change is refused each minute', async () => {
    const { scan, hold, context, passSeconds } = createScan();
    hold(sale);
    const setBounds = () => Promise.reject(new GroupsError('busy', 'EKS is in the middle of something'));
    const refused = { ...context, groups: { ...context.groups, setBounds } };
    for (let minutes = 0; minutes < 15; minutes += 1) {
      expect((await scan()).groups[0]?.problems).toEqual([]);
      await capacityPass(refused, 'workers');
      passSeconds(60);
    }
    expect((await scan()).groups[0]?.problems.join()).toContain(
      'the holds ask for 6 nodes, and 0 are in service',
    );
  });

  it('reports holds of a group that does not exist, and deletes them when they have ended', async () => {
    const { scan, hold, context, passSeconds, texts } = createScan();
    hold({ ...sale, autoScalingGroupName: 'gone' });
    expect((await scan()).groups[0]?.problems.join()).toContain('does not exist or has lost its tags');
    passSeconds(3720);
    expect((await scan()).sent).toEqual(['gone']);
    const gone = { ...context, groups: { ...context.groups, describeGroup: async () => undefined } };
    await capacityPass(gone, 'gone');
    expect([...texts.keys()]).toEqual([]);
  });

  it('keeps the record of a group for an hour after the group has gone', async () => {
    const { scan, hold, end, context, passSeconds, texts, lose } = createScan();
    hold(sale);
    await capacityPass(context, 'workers');
    end('sale');
    lose();
    passSeconds(3599);
    expect((await scan()).sent).toEqual([]);
    passSeconds(1);
    expect((await scan()).sent).toEqual(['workers']);
    await capacityPass(context, 'workers');
    expect([...texts.keys()]).toEqual([]);
  });

  it('keeps the record of a raised group that has lost its tags, and lowers MinSize once it has them again', async () => {
    const { scan, hold, end, context, passSeconds, group, change } = createScan();
    const { tags } = group();
    hold(sale);
    await capacityPass(context, 'workers');
    end('sale');
    change({ tags: {} });
    passSeconds(7200);
    expect(await scan()).toMatchObject({
      sent: [],
      groups: [{ problems: [expect.stringContaining('without holds they were 2 and 10')] }],
    });
    await capacityPass(context, 'workers');
    change({ tags });
    await capacityPass(context, 'workers');
    expect(group().minSize).toBe(2);
  });

  it('deletes the record of an untagged group that has other bounds now, and an unreadable record', async () => {
    const { scan, hold, end, context, passSeconds, texts, change } = createScan();
    hold(sale);
    await capacityPass(context, 'workers');
    end('sale');
    change({ tags: {}, minSize: 3 });
    passSeconds(3600);
    texts.set(`${paths.floors}/gone`, 'nothing');
    expect((await scan()).sent).toEqual(['workers', 'gone']);
    await capacityPass(context, 'workers');
    await capacityPass(
      { ...context, groups: { ...context.groups, describeGroup: async () => undefined } },
      'gone',
    );
    expect([...texts.keys()]).toEqual([]);
  });

  it('reports a group whose pass could not be started', async () => {
    const { scan, hold, queue } = createScan();
    hold(sale);
    queue.refuse(() => true);
    expect(await scan()).toMatchObject({
      sent: [],
      failures: [{ autoScalingGroupName: 'workers', error: { message: 'InternalError' } }],
    });
  });

  it('reports a group whose empty nodes could not be requested', async () => {
    const { scan, hold, end, context, passSeconds, group, change, givingBack } = createScan();
    change({ tags: { ...group().tags, 'drover.dev/give-back-empty': 'true' } });
    hold(sale);
    await capacityPass(context, 'workers');
    end('sale');
    passSeconds(120);
    await capacityPass(context, 'workers');
    expect(await scan()).toMatchObject({ groups: [{ givesBack: true }], failures: [] });
    passSeconds(60);
    givingBack.refuse(() => true);
    expect(await scan()).toMatchObject({
      failures: [{ autoScalingGroupName: 'workers', error: { message: 'InternalError' } }],
    });
  });
});

describe('a pass that is refused', () => {
  const refusedWith = async (code: GroupsErrorCode): Promise<unknown> => {
    const { hold, context } = createScan();
    hold(sale);
    const setBounds = () => Promise.reject(new GroupsError(code, 'why'));
    return await capacityPass({ ...context, groups: { ...context.groups, setBounds } }, 'workers');
  };

  it('waits for the next scan while the group is busy, and fails otherwise', async () => {
    expect(await refusedWith('busy')).toMatchObject({ status: 'done', reason: 'why' });
    await expect(refusedWith('denied')).rejects.toThrow('why');
  });
});

describe('the message of a group', () => {
  const groupIdOf = (autoScalingGroupName: string, noticedAt: string) =>
    capacityMessage({ cause: 'looked', autoScalingGroupName, noticedAt }).groupId;

  it('is in one message group with the others of its group, so that one pass runs at a time', () => {
    const [one, two] = ['2026-11-23T08:00:00Z', '2026-11-23T08:01:00Z'] as const;
    expect(groupIdOf('workers', one)).toBe(groupIdOf('workers', two));
    expect(groupIdOf('workers', one)).not.toBe(groupIdOf('other', one));
    expect(groupIdOf('\u6728'.repeat(255), one)).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('a hold beyond maxSizeLimit', () => {
  const wish = { ...sale, nodes: 120 };

  it('is refused only if it would raise MaxSize', () => {
    const limits = { now: start, maxSizeLimit: 100 };
    expect(refuseHold(groupWith({ maxSize: 150 }), wish, limits)).toBeUndefined();
    expect(refuseHold(groupWith(), { ...wish, raiseMaxSize: true }, limits)?.cause).toBe('out-of-bounds');
  });
});

describe('the schedules of a scan', () => {
  const at = new Date(start + 5 * 60_000).toISOString().slice(0, 19);
  const once = record(
    { name: 'once', expression: `at(${at})` },
    { nodes: 4, lead: 600, durationSeconds: 1800 },
  );
  const holdName = `once.${at.slice(0, 16).replaceAll(/[-:]/g, '')}Z`;
  const parameter = holdParameterOf(paths, { autoScalingGroupName: 'workers', name: holdName });
  const scheduled = (): ScheduleSource => ({
    ...noSchedules,
    readSchedules: async () => ({ records: [once], failures: [] }),
  });

  it('create a hold ahead of time, once, and the pass of its group is started in the same scan', async () => {
    const { scan, texts, passSeconds } = createScan(scheduled());
    expect(await scan()).toMatchObject({ made: [holdName], scheduleProblems: [], sent: ['workers'] });
    expect(JSON.parse(texts.get(parameter) ?? '')).toMatchObject({ nodes: 4, by: 'schedule once' });
    passSeconds(60);
    expect(await scan()).toMatchObject({ made: [], scheduleProblems: [] });
  });

  it('do not change an existing hold of that name, even if it was extended', async () => {
    const { scan, texts, hold } = createScan(scheduled());
    hold({ ...sale, name: holdName, until: start + 9 * hour });
    const before = texts.get(parameter);
    expect(await scan()).toMatchObject({ made: [], scheduleProblems: [] });
    expect(texts.get(parameter)).toBe(before);
  });

  it('do not stop other holds if they cannot be read, or if their hold cannot be created', async () => {
    const denied = createScan({
      ...noSchedules,
      readSchedules: () => Promise.reject(new Error('AccessDenied')),
    });
    denied.hold(sale);
    expect(await denied.scan()).toMatchObject({
      sent: ['workers'],
      scheduleProblems: ['schedules cannot be read: AccessDenied'],
    });
    const full = createScan(scheduled());
    full.hold(sale);
    full.context.parameters.create = () => Promise.reject(new Error('ParameterLimitExceeded'));
    expect(await full.scan()).toMatchObject({
      sent: ['workers'],
      made: [],
      scheduleProblems: [`hold ${holdName} of schedule once cannot be created: ParameterLimitExceeded`],
    });
  });
});

describe('whatever single calls fail or hang', () => {
  const nameOf = (index: number): string => `group-${index}`;

  it('every group that lacks nodes gets its pass, and is reported with its reason or why that is unknown', async () => {
    await fc.assert(
      fc.asyncProperty(behaviours(25), async (ofReasons) => {
        const { context, clock, hold, end, queue, passSeconds, texts } = createScan();
        hold(sale);
        await capacityPass(context, 'workers');
        const floor = texts.get(`${paths.floors}/workers`) ?? '';
        for (const index of ofReasons.keys()) {
          hold({ ...sale, autoScalingGroupName: nameOf(index) });
          texts.set(`${paths.floors}/${nameOf(index)}`, floor);
        }
        end('sale');
        texts.delete(`${paths.floors}/workers`);
        passSeconds(900);
        const startedAt = clock.now();
        const report = await finished(
          clock,
          scanHolds({
            ...context,
            clock,
            groups: {
              ...context.groups,
              listGroups: async () =>
                ofReasons.map((_, index) => groupWith({ autoScalingGroupName: nameOf(index) })),
            },
            send: queue.send,
            sendGivingBack: queue.send,
            schedules: noSchedules,
            readReasons: ({ autoScalingGroupName }) =>
              behave(ofReasons[Number(autoScalingGroupName.slice('group-'.length))], () => ['no capacity']),
          }),
        );
        expect(report.sent).toEqual(ofReasons.map((_, index) => nameOf(index)));
        expect(queue.messages).toHaveLength(ofReasons.length);
        for (const [index, { problems }] of report.groups.entries())
          expect(problems.join()).toContain(
            ofReasons[index] === 'answers' ? '; ' : 'the reason is unknown: ',
          );
        expect(clock.now() - startedAt).toBeLessThanOrEqual(4000);
      }),
      { numRuns: 25 },
    );
  });

  it('every other hold of a schedule is created', async () => {
    await fc.assert(
      fc.asyncProperty(behaviours(25), async (ofCreates) => {
        const { context, clock, queue, texts } = createScan();
        const at = new Date(start + 5 * 60_000).toISOString().slice(0, 19);
        const report = await finished(
          clock,
          scanHolds({
            ...context,
            clock,
            parameters: {
              ...context.parameters,
              create: (name, text) =>
                behave(ofCreates[Number(/once-(\d+)\./.exec(name)?.[1])], () => {
                  texts.set(name, text);
                  return true;
                }),
            },
            send: queue.send,
            sendGivingBack: queue.send,
            readReasons: async () => [],
            schedules: {
              ...noSchedules,
              readSchedules: async () => ({
                records: ofCreates.map((_, index) =>
                  record(
                    { name: `once-${index}`, expression: `at(${at})` },
                    { nodes: 4, lead: 600, durationSeconds: 1800 },
                  ),
                ),
                failures: [],
              }),
            },
          }),
        );
        const hanging = ofCreates.filter((behaviour) => behaviour === 'hangs').length;
        // Ten at once: with fewer that hang, all others are created in the same scan.
        if (hanging < 10)
          expect(report.made).toHaveLength(ofCreates.filter((behaviour) => behaviour === 'answers').length);
        expect(report.scheduleProblems).toHaveLength(ofCreates.length - report.made.length);
        if (report.made.length > 0) expect(report.sent).toEqual(['workers']);
        expect(clock.now() - start).toBeLessThanOrEqual(3000);
      }),
      { numRuns: 25 },
    );
  });

  it('a record of a group that cannot be described stops no other group', async () => {
    const { context, clock, hold, texts, queue } = createScan();
    hold(sale);
    await capacityPass(context, 'workers');
    texts.set(`${paths.floors}/lost`, texts.get(`${paths.floors}/workers`) ?? '');
    hold({ ...sale, nodes: 8, name: 'more' });
    const report = await finished(
      clock,
      scanHolds({
        ...context,
        clock,
        groups: { ...context.groups, describeGroup: () => new Promise<never>(() => {}) },
        send: queue.send,
        sendGivingBack: queue.send,
        schedules: noSchedules,
        readReasons: async () => [],
      }),
    );
    expect(report.sent).toContain('workers');
    expect(report.groups.map(({ autoScalingGroupName }) => autoScalingGroupName)).toContain('lost');
  });

  it('the groups are not listed if there is nothing to hold', async () => {
    const { context, clock, queue } = createScan();
    const listGroups = () => Promise.reject(new GroupsError('throttled', 'Rate exceeded'));
    const report = await scanHolds({
      ...context,
      clock,
      groups: { ...context.groups, listGroups },
      send: queue.send,
      sendGivingBack: queue.send,
      schedules: noSchedules,
      readReasons: async () => [],
    });
    expect(report).toMatchObject({ groups: [], sent: [], failures: [] });
  });
});

it('a pass that cannot delete one hold that has ended deletes the others, and names it', async () => {
  const { context, hold, passSeconds, texts } = createScan();
  for (const name of ['one', 'two', 'three']) hold({ ...sale, nodes: 1, name });
  await capacityPass(context, 'workers');
  passSeconds(2 * 3600);
  const parameters = {
    ...context.parameters,
    remove: async (name: string) => {
      if (name.endsWith('/two')) throw new Error('AccessDenied');
      await context.parameters.remove(name);
    },
  };
  let failure: unknown;
  for (let passes = 0; passes < 5 && failure === undefined; passes += 1) {
    passSeconds(60);
    failure = await capacityPass({ ...context, parameters }, 'workers').then(() => undefined, String);
  }
  expect(failure).toContain('2 of 3 holds that have ended are deleted: two: AccessDenied');
  expect([...texts.keys()].filter((name) => name.startsWith(paths.holds))).toEqual([
    `${paths.holds}/workers/two`,
  ]);
});
