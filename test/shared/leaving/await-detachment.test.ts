import { describe, expect, it } from 'vitest';
import { awaitLoadBalancers, awaitVolumes } from '../../../shared/leaving/await-detachment.ts';
import type { LeavingContext } from '../../../shared/leaving/context.ts';
import type { LeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import { markedAt } from '../../support/leave-state.ts';
import { createNodeContext } from '../../support/leaving-context.ts';
import { instanceId, node, pod } from '../../support/pods.ts';
import { groupOf } from '../../support/waiting-group.ts';

const startedAt = Date.parse('2026-11-21T07:00:00Z');
const withVolumes = { ...node(), status: { ...node().status, volumesInUse: ['vol-1'] } };
const attachment = (persistentVolumeName: string) => ({
  spec: { attacher: 'ebs.csi.aws.com', nodeName: 'node-1', source: { persistentVolumeName } },
});
const claimed = (claimName: string) =>
  pod({ spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }, { name: 'other' }] } });

function createContext(attached: readonly string[]): LeavingContext {
  const { context } = createNodeContext(startedAt, withVolumes);
  return {
    ...context,
    cluster: {
      ...context.cluster,
      listVolumeAttachments: () => Promise.resolve(attached.map(attachment)),
      volumeOfClaim: (_, claim) => Promise.resolve(claim === 'unbound' ? undefined : `volume-of-${claim}`),
    },
  };
}

const planUntil = (deadline: number) => ({
  hooks: [],
  plan: {
    cause: 'terminating' as const,
    onFailure: 'CONTINUE' as const,
    since: startedAt,
    deadlines: { deadline, limit: Infinity },
    mustHurry: false,
  },
});

const mark = (mayHaveVolumes?: true): LeavingMark => ({
  cause: 'terminating',
  instanceId,
  since: new Date(startedAt).toISOString(),
  renewedAt: new Date(startedAt).toISOString(),
  before: { unschedulable: false, excludedFromLoadBalancers: false },
  ...(mayHaveVolumes && { mayHaveVolumes }),
  waitingFor: [],
});
const emptied = {
  ...planUntil(startedAt + 60_000),
  subject: { instanceId, notices: [] },
  notes: [],
  node: withVolumes,
  mark: mark(),
  podsLeft: [],
};

describe('a node whose pods are gone', () => {
  it('waits for its volumes, and names them', async () => {
    const outcome = await awaitVolumes(createContext(['a', 'b']), emptied);
    expect(outcome).toMatchObject({
      status: 'again',
      reason: /a, b/,
      facts: { waitsFor: 'volumes', volumesAttached: 2 },
    });
  });

  it('waits for volumes for five minutes, and then names those that are still attached', async () => {
    const emptySince = (seconds: number) => ({
      ...emptied,
      mark: { ...mark(), emptySince: new Date(startedAt - seconds * 1000).toISOString() },
    });
    const context = createContext(['a']);
    expect(await awaitVolumes(context, emptySince(299))).toMatchObject({ status: 'again' });
    expect(context.events).toHaveLength(0);
    expect(await awaitVolumes(context, emptySince(300))).toEqual({
      notes: [expect.stringMatching(/^its volumes are still attached after 5 minutes, .*: a$/)],
    });
    expect(context.events).toHaveLength(1);
    expect(await awaitVolumes(createContext([]), emptySince(300))).toEqual({});
  });

  it('waits for volumes that the Node no longer reports because they are detaching', async () => {
    const silent = { ...emptied, node: node(), mark: mark(true) };
    expect(await awaitVolumes(createContext(['a']), silent)).toMatchObject({
      facts: { volumesAttached: 1 },
    });
    expect(await awaitVolumes(createContext([]), silent)).toEqual({});
  });

  it('does not wait for an ephemeral volume of a pod that stays to the end', async () => {
    const podsLeft = [pod({ name: 'agent', spec: { volumes: [{ name: 'scratch', ephemeral: {} }] } })];
    const context = createContext(['volume-of-agent-scratch']);
    expect(await awaitVolumes(context, { ...emptied, podsLeft })).toEqual({});
  });

  it('does not wait for volumes of pods that stay to the end', async () => {
    const context = createContext(['volume-of-logs']);
    const podsLeft = [claimed('logs'), claimed('unbound')];
    expect(await awaitVolumes(context, { ...emptied, podsLeft })).toEqual({});
  });

  it.each([
    ['past the deadline', planUntil(startedAt), withVolumes],
    [
      'where the kubelet is silent',
      {},
      { ...withVolumes, status: { ...withVolumes.status, ...node({ ready: 'Unknown' }).status } },
    ],
    ['where the node names no volumes', {}, node()],
  ])('does not wait for volumes %s', async (_, until, of) => {
    expect(await awaitVolumes(createContext(['a']), { ...emptied, ...until, node: of })).toEqual({});
  });
});

it('waits for requests in flight if its group has targets, but not past the deadline', async () => {
  const made = createNodeContext(startedAt, node()).context;
  const context = { ...made, targetHealth: { draining: () => Promise.resolve(['arn:tg']) } };
  const group = groupOf({ [instanceId]: 'Terminating:Wait' });
  const [member] = group.instances;
  if (!member) throw new Error('the group has no member');
  const wait = (targetGroupArns: readonly string[], deadline = startedAt + 60_000) =>
    awaitLoadBalancers(context, {
      ...planUntil(deadline),
      instance: { ...member, autoScalingGroupName: 'workers' },
      group: { ...group, targetGroupArns },
      settings: context.settings.defaults,
      ec2: undefined,
      waits: true,
      toWarmPool: false,
      keepsNode: false,
      node: node(),
      mark: markedAt(startedAt),
      podsLeft: [],
    });
  expect(await wait(['arn:tg'])).toMatchObject({ facts: { waitsFor: 'targets', targetsDraining: 1 } });
  expect(await wait([])).toEqual({});
  expect(await wait(['arn:tg'], startedAt)).toEqual({});
});
