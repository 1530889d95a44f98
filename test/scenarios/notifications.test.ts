import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { describe, expect, it } from 'vitest';
import { nodeUser } from '../../local/world/certificates/requests.ts';
import {
  createDroverWorld,
  type DroverWorld,
  type DroverWorldOptions,
  nodesOf,
  stateOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { putHold } from '../../local/world/holds.ts';
import { deployment, heldDeployment, run } from '../../local/world/workloads.ts';
import { askForCertificate } from '../support/certificates/kubelet.ts';
import { launchWorkers, startJoiningWorld } from '../support/joining-world.ts';
import { nodeNameOf } from '../support/observed-instance.ts';
import { listenForPeople } from '../support/people.ts';

const minute = 60;
const ofPutEvents = (strike: Strike) => ({
  weather: { strike: ({ what }: CallInFlight) => (what === 'events PutEvents' ? strike : undefined) },
});

/** A worker whose pods are held until its deadline leaves. */
async function heldLeave(options: DroverWorldOptions = {}) {
  const world = createDroverWorld(options);
  const received = listenForPeople(world);
  const tags = { 'drover.dev/drain-timeout': '15m' };
  const [leaving = ''] = await withWorkers(world, { size: 2, tags });
  await run(world, ...heldDeployment({ name: 'held', replicas: 4 }));
  const startedAt = world.clock.now();
  terminate(world, leaving, { replace: false });
  await world.timeline.until(() => stateOf(world, leaving) === undefined, {
    withinSeconds: 40 * minute,
    what: 'the end of the instance',
  });
  const seconds = (world.clock.now() - startedAt) / 1000;
  await world.timeline.pass(minute);
  return { world, leaving, seconds, received };
}

/** Without digests of the problems: test/scenarios/digest.test.ts. */
const kindsOf = (received: ReturnType<typeof listenForPeople>) =>
  received().flatMap(({ detail }) => (detail.kind === 'problems' ? [] : [detail.kind]));

describe('a node that leaves', () => {
  it('causes one notification for each thing that happens to it, however many passes see it', async () => {
    const { world, leaving, received } = await heldLeave();
    expect(kindsOf(received)).toEqual(['node-leaving', 'drain-held', 'drain-forced', 'node-gone']);
    for (const { source, detail } of received()) {
      expect(source).toBe('drover');
      expect(detail).toMatchObject({
        version: 1,
        cluster: 'drover',
        instanceId: leaving,
        autoScalingGroupName: 'workers',
      });
    }
    expect(received()[1]?.detail.reasons?.[0]).toContain('held');
    const passes = world.lines.filter(({ work, message }) => work === 'node-leaving' && message === 'pass');
    expect(passes.length).toBeGreaterThan(20);
    expect(world.problems).toEqual([]);
  });

  it('causes two notifications with the same id if a pass is killed after the event', async () => {
    let killed = false;
    const { received } = await heldLeave({
      weather: {
        strike: ({ what }: CallInFlight): Strike | undefined => {
          if (what !== 'events PutEvents' || killed) return undefined;
          killed = true;
          return { kind: 'kill-after' };
        },
      },
    });
    expect(kindsOf(received)).toEqual([
      'node-leaving',
      'node-leaving',
      'drain-held',
      'drain-forced',
      'node-gone',
    ]);
    expect(new Set(received().map(({ detail }) => detail.id)).size).toBe(4);
  });

  it('causes its notification later if EventBridge is down at the start', async () => {
    let refusals = 0;
    const { received } = await heldLeave({
      weather: {
        strike: ({ what }: CallInFlight): Strike | undefined =>
          what === 'events PutEvents' && refusals++ < 1 ? { kind: 'fail-before' } : undefined,
      },
    });
    expect(kindsOf(received)).toEqual(['node-leaving', 'drain-held', 'drain-forced', 'node-gone']);
  });
});

describe('a drain', () => {
  it.each([
    ['fails', { kind: 'fail-before' }],
    ['hangs', { kind: 'hang-before' }],
  ] as const)(
    'ends as usual, at most seconds later, while EventBridge %s, and the log and a metric show it',
    async (_, strike) => {
      const usual = await heldLeave();
      const { world, seconds, received } = await heldLeave(ofPutEvents(strike));
      expect(seconds).toBeLessThan(usual.seconds + 30);
      expect(nodesOf(world)).toHaveLength(1);
      expect(received()).toEqual([]);
      expect(world.problems).toEqual([]);
      expect(world.lines).toContainEqual(expect.objectContaining({ NotificationsFailed: 1 }));
      expect(world.lines).toContainEqual(
        expect.objectContaining({ message: 'a notification could not be sent, and the work goes on' }),
      );
    },
  );

  it('does not notify, and makes no call to EventBridge, if notifications are off', async () => {
    const calls: string[] = [];
    const { received } = await heldLeave({
      editWiring: (wiring) => ({
        ...wiring,
        functions: wiring.functions.map((one) => ({
          ...one,
          environment: { ...one.environment, DROVER_NOTIFICATIONS: 'off' },
        })),
      }),
      weather: { onCall: ({ what }) => void calls.push(what) },
    });
    expect(received()).toEqual([]);
    expect(calls).not.toContain('events PutEvents');
  });

  it('causes only the notifications that its node leaves and is gone, if nothing holds it', async () => {
    const world = createDroverWorld();
    const received = listenForPeople(world);
    const [leaving = ''] = await withWorkers(world, { size: 2 });
    await run(world, deployment({ name: 'web', replicas: 4 }));
    terminate(world, leaving, { replace: false });
    await world.timeline.pass(5 * minute);
    expect(received().map((event) => event['detail-type'])).toEqual([
      'Drover Node Leaving',
      'Drover Node Gone',
    ]);
  });
});

describe('an instance that does not join', () => {
  const launched = async (tags: Readonly<Record<string, string>>): Promise<DroverWorld> => {
    const world = await startJoiningWorld({ kubelets: { configure: () => ({ readyDelaySeconds: 7200 }) } });
    launchWorkers(world, 1, {
      heartbeatTimeoutSeconds: 300,
      tags: { 'drover.dev/join-timeout': '2m', ...tags },
    });
    return world;
  };

  it('causes one notification while it is held for an hour', async () => {
    const world = await launched({});
    const received = listenForPeople(world);
    await world.timeline.pass(60 * minute);
    expect(kindsOf(received)).toEqual(['join-failed']);
    expect(received()[0]?.detail.message).toContain('it is held');
  });

  it('causes one notification for each abandoned launch', async () => {
    const world = await launched({ 'drover.dev/on-join-failure': 'ABANDON' });
    const received = listenForPeople(world);
    await world.timeline.pass(4 * minute);
    expect(kindsOf(received)).toEqual(['join-failed']);
    expect(received()[0]?.detail.message).toContain('its launch is abandoned');
  });
});

describe('a certificate request that is refused', () => {
  it('causes one notification, with the reason', async () => {
    const world = createDroverWorld();
    const received = listenForPeople(world);
    const [instanceId = ''] = await withWorkers(world, { size: 1 });
    const node = nodeNameOf(world, instanceId);
    await askForCertificate(world, {
      name: 'serving',
      user: nodeUser(node),
      signer: 'serving',
      subject: `O=system:nodes,CN=system:node:${node}`,
      ipAddresses: ['192.0.2.1'],
    });
    await world.timeline.pass(5 * minute);
    expect(kindsOf(received)).toEqual(['certificate-refused']);
    expect(received()[0]?.detail).toMatchObject({ nodeName: node, severity: 'warning' });
    expect(received()[0]?.detail.message).toContain('address 192.0.2.1 is not one of instance');
  });
});

describe('a hold that lacks capacity', () => {
  it('causes one notification, and another only when it lacks capacity again', async () => {
    const world = createDroverWorld();
    const all = listenForPeople(world);
    const received = () => all().filter(({ detail }) => detail.kind !== 'problems');
    await withWorkers(world, { size: 1, settings: { MinSize: 1, MaxSize: 2 } });
    putHold(world, { nodes: 4, minutes: 300 });
    await world.timeline.pass(60 * minute);
    expect(kindsOf(received)).toEqual(['hold-unmet']);
    expect(received()[0]?.detail).toMatchObject({
      autoScalingGroupName: 'workers',
      message: 'drover: group workers lacks capacity: the holds ask for 4 nodes, and 2 are in service',
      reasons: ['hold morning asks for 4'],
    });
    putHold(world, { nodes: 2, minutes: 300 });
    await world.timeline.pass(60 * minute);
    putHold(world, { nodes: 5, minutes: 300 });
    await world.timeline.pass(60 * minute);
    expect(kindsOf(received)).toEqual(['hold-unmet', 'hold-unmet']);
    expect(new Set(received().map(({ detail }) => detail.id)).size).toBe(2);
    expect(world.problems).toEqual([]);
  });
});

describe('fifty nodes that leave at once', () => {
  it('cause an event each, and people get one of ten', async () => {
    const world = createDroverWorld();
    const received = listenForPeople(world);
    const leaving = await withWorkers(world, { size: 50 });
    for (const instanceId of leaving) terminate(world, instanceId, { replace: false });
    await world.timeline.pass(10 * minute);
    for (const kind of ['node-leaving', 'node-gone']) {
      const events = received().flatMap(({ detail }) => (detail.kind === kind ? [detail] : []));
      expect(new Set(events.map(({ instanceId }) => instanceId))).toEqual(new Set(leaving));
      expect(events.filter(({ repeats }) => repeats === undefined)).toHaveLength(5);
    }
  });
});
