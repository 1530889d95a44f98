import { describe, expect, it } from 'vitest';
import { samplePlace, sampleText } from '../../../events/index.ts';
import { readEtcdMessage } from '../../../shared/etcd/message.ts';
import { type HeartbeatRequest, requestHeartbeats } from '../../../shared/heartbeats/request.ts';
import { readEventText } from '../../../shared/intake/events/read-event.ts';
import { createHurryLimit } from '../../../shared/intake/hurry-limit.ts';
import { takeIn } from '../../../shared/intake/intake.ts';
import { createFakeGroups } from '../../support/managed-groups.ts';
import { createMemoryQueue } from '../../support/memory-queue.ts';

const domain = 'etcd.example.internal';
const etcdHookName = 'drover-etcd';
const etcdLaunchHookName = 'drover-etcd-launch';
const instanceId = 'i-0a1b2c3d4e5f60718';

/** The samples of the other hooks, with the names of our etcd hooks. */
const launching = sampleText('launch-action').replaceAll('drover-node-joining', etcdLaunchHookName);
const terminating = sampleText('terminate-action').replaceAll('drover-node-leaving', etcdHookName);
const notified = sampleText('hook-terminate').replaceAll('drover-node-leaving', etcdHookName);

function createIntake({
  managed = ['drover-workers'],
  ...state
}: Partial<Parameters<typeof createFakeGroups>[0]> = {}) {
  const fake = createFakeGroups({ members: {}, managed, ...state });
  const [leaving, zones, heartbeats] = [createMemoryQueue(), createMemoryQueue(), createMemoryQueue()];
  const clock = { now: () => Date.parse('2026-11-20T09:14:08Z') };
  const world = {
    place: samplePlace,
    clock,
    groups: fake.groups,
    send: leaving.send,
    requestHeartbeats: (requests: readonly HeartbeatRequest[]) =>
      requestHeartbeats(requests, { send: heartbeats.send, clock }),
    leavingHookName: 'drover-node-leaving',
    hurryLimit: createHurryLimit({ clock, perMinute: 50 }),
    joining: { joiningHookName: 'drover-node-joining', send: createMemoryQueue().send },
    etcd: { domain, etcdHookName, etcdLaunchHookName, send: zones.send },
  };
  const take = (...texts: readonly string[]) =>
    takeIn(
      texts.map((text, index) => ({ key: String(index), text, receivedAt: clock.now() })),
      world,
    );
  return { ...fake, leaving, zones, heartbeats, world, take };
}

describe('an instance that EC2 takes', () => {
  const spot = sampleText('spot-interruption-terminate');
  const noticed = readEventText(spot, samplePlace);
  const [notice] = noticed.kind === 'leaving' ? noticed.notices : [];
  if (!notice) throw new Error('the sample is a notice');
  const members = { [notice.instanceId]: 'drover-workers' };

  it.each(['etcd', 'control-plane'] as const)(
    'wakes the zone with its deadline if its group has the role %s',
    async (role) => {
      const { take, zones, leaving } = createIntake({ members, roles: { 'drover-workers': role } });
      await take(spot, spot);
      expect(leaving.messages).toHaveLength(1);
      expect(zones.messages.map(({ body }) => readEtcdMessage(body))).toMatchObject([
        {
          message: {
            notice: { cause: 'taken', instanceId: notice.instanceId, deadline: notice.deadline },
          },
        },
      ]);
    },
  );

  it('does not wake a zone if its group has the role worker', async () => {
    const { take, zones, leaving } = createIntake({ members });
    const { leftAlone } = await take(spot, sampleText('rebalance-recommendation'));
    expect(zones.messages).toEqual([]);
    expect(leaving.messages).toHaveLength(2);
    expect(leftAlone).toEqual([]);
  });

  it('does not wake a zone for a rebalance recommendation', async () => {
    const { take, zones } = createIntake({ members, roles: { 'drover-workers': 'etcd' } });
    await take(sampleText('rebalance-recommendation'));
    expect(zones.messages).toEqual([]);
  });
});

describe('a wait on our hook for etcd', () => {
  it('wakes the zone, in the message group of its domain', async () => {
    const { take, zones, leaving } = createIntake();
    const { woken } = await take(launching, terminating);
    expect(woken.map(({ cause }) => cause)).toEqual(['launching', 'terminating']);
    expect(leaving.messages).toEqual([]);
    expect(zones.messages.map(({ groupId }) => groupId)).toEqual([domain, domain]);
    expect(zones.messages.map(({ body }) => readEtcdMessage(body))).toMatchObject([
      { kind: 'message', message: { subject: domain, notice: { cause: 'launching', instanceId } } },
      { kind: 'message', message: { subject: domain, notice: { cause: 'terminating', instanceId } } },
    ]);
  });

  it('wakes the zone once, however many channels report it', async () => {
    const { take, zones } = createIntake();
    await take(terminating, notified);
    await take(terminating);
    expect(zones.messages).toHaveLength(1);
  });

  it('of a foreign group is ignored', async () => {
    const { take, zones } = createIntake({ managed: [] });
    const { leftAlone } = await take(terminating);
    expect(zones.messages).toEqual([]);
    expect(leftAlone.map(({ reason }) => reason)).toEqual([
      `the group drover-workers of ${instanceId} is not managed by this cluster`,
    ]);
  });

  it('is retried if its group could not be read or the zone could not be woken', async () => {
    const { take, failNext, zones } = createIntake();
    failNext();
    expect([...(await take(terminating)).failed.keys()]).toEqual(['0']);
    zones.refuse(() => true);
    expect([...(await take(terminating)).failed.keys()]).toEqual(['0']);
  });

  it('is ignored by a deployment that manages no etcd', async () => {
    const { world, zones } = createIntake();
    const { etcd: _, ...without } = world;
    const report = await takeIn([{ key: '0', text: terminating, receivedAt: world.clock.now() }], without);
    expect(zones.messages).toEqual([]);
    expect(report.leftAlone.map(({ reason }) => reason)).toEqual(['the hook drover-etcd is not ours']);
  });
});

describe('a message for a zone', () => {
  it('of a later version is kept, and one that no version can read is poison', () => {
    expect(readEtcdMessage('{"version":2}')).toEqual({ kind: 'newer', version: 2 });
    expect(readEtcdMessage('{"version":1,"work":"etcd-membership"}').kind).toBe('poison');
    expect(readEtcdMessage('no JSON').kind).toBe('poison');
  });
});

it('an instance that is launched into a warm pool does not wake a zone: it is not a member until it leaves the pool', async () => {
  const { take, zones } = createIntake();
  const pooled = sampleText('launch-action-into-warm-pool').replaceAll(
    'drover-node-joining',
    etcdLaunchHookName,
  );
  const { leftAlone } = await take(pooled);
  expect(zones.messages).toEqual([]);
  expect(leftAlone.map(({ reason }) => reason)).toEqual([
    `${instanceId} is launched into a warm pool, not into service`,
  ]);
});
