import { describe, expect, it } from 'vitest';
import { capacityPass } from '../../../../shared/capacity/holds/pass.ts';
import type { Notification, NotificationResult } from '../../../../shared/notifications/notification.ts';
import { groupWith } from '../fixtures.ts';
import { web } from '../pod-holds/fixtures.ts';
import { hour, start } from './fixtures.ts';
import { createHoldWorld } from './world.ts';

/** A group without instances in service whose hold has had enough time. Only the record stores that a notification was sent. */
async function createShortGroup(result: NotificationResult) {
  const world = createHoldWorld();
  const told: Notification[] = [];
  const answers = { result };
  const context = {
    ...world.context,
    notify: async (notification: Notification) => {
      told.push(notification);
      return answers.result;
    },
  };
  world.hold({
    autoScalingGroupName: 'workers',
    name: 'morning',
    nodes: 6,
    until: start + 9 * hour,
    raiseMaxSize: false,
    createdAt: start,
  });
  const minutes = async (count: number): Promise<void> => {
    for (let minute = 0; minute < count; minute += 1) {
      await capacityPass(context, 'workers');
      world.passSeconds(60);
    }
  };
  const isUnmet = () => world.recordText()?.includes('"unmet":true') === true;
  return { world, told, answers, minutes, isUnmet };
}

describe('a group whose holds lack nodes', () => {
  it('is notified 15 minutes after the request, and only once', async () => {
    const { told, minutes, isUnmet } = await createShortGroup('sent');
    await minutes(15);
    expect([told.length, isUnmet()]).toEqual([0, false]);
    await minutes(60);
    expect(told).toEqual([
      {
        kind: 'hold-unmet',
        occurrence: 'workers/2026-11-23T08:00:00.000Z',
        message: 'group workers lacks capacity: the holds ask for 6 nodes, and 0 are in service',
        facts: { autoScalingGroupName: 'workers', reasons: ['hold morning asks for 6'] },
      },
    ]);
    expect(isUnmet()).toBe(true);
  });

  it('is not notified again by a pass that writes the record for another reason', async () => {
    const { world, told, minutes } = await createShortGroup('sent');
    await minutes(20);
    const record = world.recordText();
    world.change({ minSize: 3, maxSize: 12 });
    await minutes(30);
    expect(world.recordText()).not.toBe(record);
    expect(told).toHaveLength(1);
  });

  it('is notified by each pass until EventBridge accepts it, with one ID within the hour', async () => {
    const { told, answers, minutes, isUnmet } = await createShortGroup('failed');
    await minutes(20);
    expect(told.length).toBeGreaterThan(2);
    expect(new Set(told.map(({ occurrence }) => occurrence)).size).toBe(1);
    expect(isUnmet()).toBe(false);
    answers.result = 'sent';
    await minutes(1);
    const count = told.length;
    await minutes(10);
    expect([told.length, isUnmet()]).toEqual([count, true]);
  });

  it('is recorded once if notifications are off', async () => {
    const { world, minutes, isUnmet } = await createShortGroup('off');
    await minutes(20);
    expect(isUnmet()).toBe(true);
    const record = world.recordText();
    await minutes(10);
    expect(world.recordText()).toBe(record);
  });

  describe('while it is paused', () => {
    const tags = { 'kubernetes.io/cluster/drover': 'owned', 'drover.dev/role': 'worker' };
    const pause = { tags: { ...tags, 'drover.dev/paused': 'by=ana' } };
    const serving = (count: number) => groupWith(Array.from({ length: count }, () => 'InService')).instances;

    it('keeps its bounds, and is notified with the reason', async () => {
      const { world, told, minutes } = await createShortGroup('sent');
      world.change(pause);
      const before = world.group();
      await minutes(30);
      expect(world.group()).toEqual(before);
      expect(told.map(({ message }) => message)).toEqual([
        expect.stringMatching(/ask for 6 nodes, and 0 are in service; the group is paused/),
      ]);
    });

    it('is not notified of a lack that ended during the pause and has just begun again', async () => {
      const { world, told, minutes } = await createShortGroup('sent');
      await minutes(10);
      world.change({ ...pause, instances: serving(6) });
      await minutes(20);
      world.change({ tags, instances: serving(5) });
      await minutes(14);
      expect(told).toEqual([]);
      await minutes(2);
      expect(told.map(({ occurrence }) => occurrence)).toEqual(['workers/2026-11-23T08:30:00.000Z']);
    });

    it('has the base again once its holds have ended, whatever changed during the pause', async () => {
      const { world, minutes } = await createShortGroup('off');
      world.change(pause);
      await minutes(5);
      world.change({ minSize: 4, desiredCapacity: 4 });
      await minutes(5);
      world.change({ tags });
      await minutes(5);
      expect(world.group().minSize).toBe(6);
      world.end('morning');
      await minutes(10);
      expect(world.group().minSize).toBe(4);
    });
  });

  it('is notified with another ID when it lacks nodes again', async () => {
    const { world, told, minutes } = await createShortGroup('sent');
    await minutes(20);
    world.end('morning');
    await minutes(70);
    world.hold({
      autoScalingGroupName: 'workers',
      name: 'noon',
      nodes: 7,
      until: start + 9 * hour,
      raiseMaxSize: false,
      createdAt: start,
    });
    await minutes(20);
    expect(told.map(({ occurrence }) => occurrence)).toEqual([
      'workers/2026-11-23T08:00:00.000Z',
      'workers/2026-11-23T09:30:00.000Z',
    ]);
  });
});

describe('a pass that has changed bounds', () => {
  const passFor = async (asks: { readonly nodes: number; readonly pods?: ReturnType<typeof web> }) => {
    const { context, hold } = createHoldWorld();
    const until = start + hour;
    hold({
      autoScalingGroupName: 'workers',
      name: 'sale',
      until,
      raiseMaxSize: false,
      createdAt: start,
      ...asks,
    });
    const reading = { kind: 'read', readAt: start, nodes: 6, holds: {} } as const;
    return () => capacityPass(context, 'workers', asks.pods && reading);
  };

  it('comes again for pods when every read shows the change, and then has nothing to do', async () => {
    const pass = await passFor({ nodes: 0, pods: web() });
    expect(await pass()).toMatchObject({
      status: 'again',
      afterSeconds: 10,
      reason: expect.stringContaining('MinSize is now 6'),
    });
    expect(await pass()).toMatchObject({ status: 'done', facts: { action: 'wait' } });
  });

  it('is done for nodes, whose number each pass reads in the hold', async () => {
    const pass = await passFor({ nodes: 6 });
    expect(await pass()).toMatchObject({
      status: 'done',
      reason: expect.stringContaining('MinSize is now 6'),
    });
  });
});
