import { describe, expect, it } from 'vitest';
import { waitForDetachment } from '../../../../shared/draining/leaving/wait-for-detachment.ts';
import type { LeavingWorld } from '../../../../shared/draining/leaving/world.ts';
import type { LeavingMark } from '../../../../shared/draining/leaving-mark.ts';
import { createNodeWorld } from '../../../support/leaving-world.ts';
import { instanceId, node, pod } from '../../../support/pods.ts';

const startedAt = Date.parse('2026-11-21T07:00:00Z');
const withVolumes = { ...node(), status: { ...node().status, volumesInUse: ['vol-1'] } };
const attachment = (persistentVolumeName: string) => ({
  spec: { attacher: 'ebs.csi.aws.com', nodeName: 'node-1', source: { persistentVolumeName } },
});
const claimed = (claimName: string) =>
  pod({ spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }, { name: 'other' }] } });

function createWorld(attached: readonly string[], draining: readonly string[] = []): LeavingWorld {
  const { world } = createNodeWorld(startedAt, withVolumes);
  return {
    ...world,
    cluster: {
      ...world.cluster,
      listVolumeAttachments: () => Promise.resolve(attached.map(attachment)),
      volumeOfClaim: (_, claim) => Promise.resolve(claim === 'unbound' ? undefined : `volume-of-${claim}`),
    },
    targetHealth: { draining: () => Promise.resolve(draining) },
  };
}

type Terms = Parameters<typeof waitForDetachment>[1];
const terms = (deadline = startedAt + 60_000, targetGroupArns: readonly string[] = []): Terms => ({
  instance: {
    instanceId,
    autoScalingGroupName: 'workers',
    lifecycleState: 'Terminating:Wait',
    availabilityZone: 'a',
    healthy: true,
  },
  group: {
    autoScalingGroupName: 'workers',
    tags: {},
    minSize: 0,
    maxSize: 9,
    desiredCapacity: 1,
    instances: [],
    targetGroupArns,
    retainsAbandoned: false,
  },
  settings: createWorld([]).settings.defaults,
  cause: 'terminating',
  etcdHookStands: false,
  toWarmPool: false,
  since: startedAt,
  toldAt: startedAt,
  deadlines: { deadline, limit: Infinity },
  mustHurry: false,
});

const mark = (mayHaveVolumes?: true): LeavingMark => ({
  cause: 'terminating',
  instanceId,
  since: new Date(startedAt).toISOString(),
  lastSignAt: new Date(startedAt).toISOString(),
  before: { unschedulable: false, excludedFromLoadBalancers: false },
  ...(mayHaveVolumes && { mayHaveVolumes }),
  waitingFor: [],
});
const emptied = { node: withVolumes, mark: mark(), podsLeft: [] };

describe('a node whose pods are gone', () => {
  it('waits for its volumes, and names them', async () => {
    const outcome = await waitForDetachment(createWorld(['a', 'b']), terms(), emptied);
    expect(outcome).toMatchObject({
      status: 'again',
      reason: /a, b/,
      facts: { waitsFor: 'volumes', volumesAttached: 2 },
    });
  });

  it('waits for those that the Node no longer reports, since their detaching has begun', async () => {
    const silent = { ...emptied, node: node(), mark: mark(true) };
    expect(await waitForDetachment(createWorld(['a']), terms(), silent)).toMatchObject({
      facts: { volumesAttached: 1 },
    });
    expect(await waitForDetachment(createWorld([]), terms(), silent)).toBeUndefined();
  });

  it('does not wait for a volume of its own of a pod that stays to the end', async () => {
    const podsLeft = [pod({ name: 'agent', spec: { volumes: [{ name: 'scratch', ephemeral: {} }] } })];
    const world = createWorld(['volume-of-agent-scratch']);
    expect(await waitForDetachment(world, terms(), { ...emptied, podsLeft })).toBeUndefined();
  });

  it('does not wait for volumes of pods that stay to the end', async () => {
    const world = createWorld(['volume-of-logs']);
    const podsLeft = [claimed('logs'), claimed('unbound')];
    expect(await waitForDetachment(world, terms(), { ...emptied, podsLeft })).toBeUndefined();
  });

  it.each([
    ['past the deadline', terms(startedAt), withVolumes],
    [
      'where the kubelet is silent',
      terms(),
      { ...withVolumes, status: { ...withVolumes.status, ...node({ ready: 'Unknown' }).status } },
    ],
    ['where the node names no volumes', terms(), node()],
  ])('does not wait for volumes %s', async (_, until, of) => {
    expect(await waitForDetachment(createWorld(['a']), until, { ...emptied, node: of })).toBeUndefined();
  });

  it('waits for requests in flight, where its group has targets', async () => {
    const world = createWorld([], ['arn:tg']);
    const outcome = await waitForDetachment(world, terms(undefined, ['arn:tg']), emptied);
    expect(outcome).toMatchObject({ facts: { waitsFor: 'targets', targetsDraining: 1 } });
    expect(await waitForDetachment(world, terms(), emptied)).toBeUndefined();
  });
});
