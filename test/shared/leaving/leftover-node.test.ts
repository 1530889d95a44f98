import { describe, expect, it } from 'vitest';
import { cordonPatch } from '../../../shared/draining/cordon.ts';
import { KubernetesError } from '../../../shared/kubernetes/status.ts';
import type { LeavingContext, LeavingSubject } from '../../../shared/leaving/context.ts';
import {
  confirmMissing,
  deleteOrphanedNode,
  uncordonAfterChange,
  uncordonLeftoverNode,
  uncordonReturnedNode,
} from '../../../shared/leaving/leftover-node.ts';
import { type LeavingMark, readLeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import type { LeavingNotice } from '../../../shared/passes/leaving-notice.ts';
import { markedAt } from '../../support/leave-state.ts';
import { createNodeContext } from '../../support/leaving-context.ts';
import { instanceId, node } from '../../support/pods.ts';

const startedAt = Date.parse('2026-11-21T07:00:00Z');
const mark: LeavingMark = {
  cause: 'rebalance',
  instanceId,
  since: '2026-11-21T06:00:00.000Z',
  until: '2026-11-21T07:00:00.000Z',
  renewedAt: '2026-11-21T06:30:00.000Z',
  before: { unschedulable: false, excludedFromLoadBalancers: false },
  waitingFor: [],
};

async function createContext({
  marked,
  ready = 'Unknown',
}: {
  readonly marked: boolean;
  readonly ready?: 'True' | 'False' | 'Unknown';
}) {
  const made = createNodeContext(startedAt, node({ ready }));
  const patch = cordonPatch(node(), mark);
  if (marked && patch) await made.context.cluster.patchNode('node-1', patch);
  return { ...made, markNow: () => readLeavingMark(made.node()?.metadata?.annotations) };
}

const subject = (cause: LeavingNotice['cause'] = 'swept'): LeavingSubject => ({
  instanceId,
  notices: [{ cause, instanceId, noticedAt: '2026-11-21T07:00:00.000Z', nodeName: 'node-1' }],
});

it('a Node whose scheduled changes have ended is uncordoned a minute after the last end', async () => {
  const { context, node: current, pass } = createNodeContext(startedAt, node());
  const patch = cordonPatch(node(), { ...mark, cause: 'scheduled-change' });
  if (patch) await context.cluster.patchNode('node-1', patch);
  const ended = (noticedAt: string) => ({
    cause: 'change-ended' as const,
    instanceId,
    noticedAt,
    nodeName: 'node-1',
  });
  const both = {
    instanceId,
    notices: [ended('2026-11-21T06:58:00.000Z'), ended('2026-11-21T07:00:00.000Z')],
  };
  pass(59);
  expect(await uncordonAfterChange(context, both, 'it is InService')).toMatchObject({
    status: 'again',
    afterSeconds: 1,
  });
  expect(current()?.spec?.unschedulable).toBe(true);
  pass(1);
  expect(await uncordonAfterChange(context, both, 'it is InService')).toMatchObject({ status: 'done' });
  expect(current()?.spec?.unschedulable).toBeFalsy();
});

describe('an instance that neither Auto Scaling nor EC2 knows', () => {
  it('counts as gone only when it is still unknown five minutes later, and its Node’s mark says since when', async () => {
    const { context, node: current, pass, markNow } = await createContext({ marked: true });
    expect(await confirmMissing(context, subject())).toMatchObject({
      status: 'again',
      afterSeconds: 20,
      reason: /in 300 s, its node is deleted \(checked every 20 s/,
    });
    expect(markNow()?.missingSince).toBe('2026-11-21T07:00:00.000Z');
    pass(200);
    expect(await confirmMissing(context, subject())).toMatchObject({ status: 'again', reason: /in 100 s/ });
    expect(current()).toBeDefined();
    pass(100);
    expect(await confirmMissing(context, subject())).toMatchObject({
      status: 'done',
      reason: expect.stringContaining('its node is deleted'),
    });
    expect(current()).toBeUndefined();
  });

  it('restarts the count if the last miss is so old that the instance may have existed in between', async () => {
    const { context, node: current, pass, markNow } = await createContext({ marked: true });
    await confirmMissing(context, subject());
    pass(3 * 24 * 3600);
    expect(await confirmMissing(context, subject())).toMatchObject({ status: 'again', reason: /in 300 s/ });
    expect(markNow()?.missingSince).toBe('2026-11-24T07:00:00.000Z');
    pass(299);
    expect(await confirmMissing(context, subject())).toMatchObject({ status: 'again', reason: /in 1 s/ });
    expect(current()).toBeDefined();
  });

  it('keeps a Node that Drover has not marked', async () => {
    const { context, node: current, pass } = await createContext({ marked: false });
    for (const seconds of [0, 600]) {
      pass(seconds);
      expect(await confirmMissing(context, subject())).toMatchObject({
        status: 'done',
        reason: /managed by Drover/,
      });
    }
    expect(current()?.metadata?.annotations).toBeUndefined();
  });

  it('needs nothing if no Node has one of its likely names', async () => {
    const { context } = await createContext({ marked: true });
    const elsewhere = { ...subject(), notices: [] };
    expect(await confirmMissing(context, elsewhere)).toMatchObject({ status: 'done', reason: /no node/ });
  });

  it('does not delete a newer Node of the same name', async () => {
    const { context, node: current, replaceNode, pass } = await createContext({ marked: true });
    await confirmMissing(context, subject());
    pass(20);
    const readAsBefore = current();
    replaceNode(node({ uid: 'uid-of-another' }));
    const gone = { isManaged: false, reason: 'it has terminated' };
    const stale = { ...context, cluster: { ...context.cluster, getNode: async () => readAsBefore } };
    expect(await deleteOrphanedNode(stale, subject(), gone)).toMatchObject({
      reason: expect.stringContaining('its node was gone'),
    });
    expect(current()?.metadata?.uid).toBe('uid-of-another');
  });
});

describe('the Node of an instance that is gone, whose kubelet reports', () => {
  const gone = { isManaged: true, reason: 'EC2 reports it as terminated' };
  const reportedAt = (lastHeartbeatTime: string) =>
    ({
      ...node(),
      status: { conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime }] },
    }) as ReturnType<typeof node>;
  const endedAt: LeavingSubject = {
    instanceId,
    notices: [{ cause: 'instance-gone', instanceId, noticedAt: '2026-11-21T07:00:00.000Z' }],
  };
  /** A Node that is found by its likely name. */
  const contextOf = (found: ReturnType<typeof node>) => {
    const made = createNodeContext(startedAt, found);
    return {
      ...made,
      context: { ...made.context, cluster: { ...made.context.cluster, getNode: async () => made.node() } },
    };
  };

  it('is deleted at once if the last report is from before the end that EC2 reports', async () => {
    const { context, node: current } = contextOf(reportedAt('2026-11-21T06:59:55Z'));
    expect((await deleteOrphanedNode(context, endedAt, gone)).status).toBe('done');
    expect(current()).toBeUndefined();
  });

  it('is deleted if its last report is from before the last of several ends that EC2 reports', async () => {
    // EC2 may report more than one end of an instance, such as stopping before terminated.
    const noticedAt = (time: string): LeavingNotice => ({
      cause: 'instance-gone',
      instanceId,
      noticedAt: time,
    });
    const ends = [
      noticedAt('2026-11-21T06:58:00.000Z'),
      noticedAt('2026-11-21T07:00:00.000Z'),
      noticedAt('2026-11-21T06:59:00.000Z'),
    ];
    const { context, node: current } = contextOf(reportedAt('2026-11-21T06:59:30Z'));
    await deleteOrphanedNode(context, { instanceId, notices: ends }, gone);
    expect(current()).toBeUndefined();
  });

  it('is kept if it has reported since, and the cordon of Drover is removed', async () => {
    const { context, node: current, pass } = contextOf(reportedAt('2026-11-21T07:00:40Z'));
    const patch = cordonPatch(node(), mark);
    if (patch) await context.cluster.patchNode('node-1', patch);
    expect(await deleteOrphanedNode(context, endedAt, gone)).toMatchObject({ status: 'again' });
    pass(60);
    expect(await deleteOrphanedNode(context, endedAt, gone)).toMatchObject({
      status: 'done',
      reason: expect.stringMatching(/is kept, .* kubectl delete node node-1.*; it is uncordoned$/),
    });
    expect(current()?.spec?.unschedulable).toBeUndefined();
    expect(readLeavingMark(current()?.metadata?.annotations)).toBeUndefined();
  });

  it('is read again, because the remembered Node does not show that it still reports', async () => {
    const { context, node: current, pass } = contextOf(reportedAt('2026-11-21T07:00:40Z'));
    pass(60);
    context.memory.remember(instanceId, { node: reportedAt('2026-11-21T06:59:55Z') });
    expect(await deleteOrphanedNode(context, endedAt, gone)).toMatchObject({ reason: /is kept/ });
    expect(current()).toBeDefined();
  });

  it('is kept a minute after the notice of the sweep, which does not know when the instance ended', async () => {
    const { context, node: current, pass } = contextOf(reportedAt('2026-11-20T01:00:00Z'));
    expect(await deleteOrphanedNode(context, subject('instance-gone'), gone)).toMatchObject({
      status: 'again',
    });
    pass(60);
    expect(await deleteOrphanedNode(context, subject('instance-gone'), gone)).toMatchObject({
      status: 'done',
      reason: expect.stringContaining('is kept'),
    });
    expect(current()).toBeDefined();
  });

  it('is kept if neither Auto Scaling nor EC2 knows the instance for five minutes, until the kubelet is silent', async () => {
    const {
      context,
      node: current,
      replaceNode,
      pass,
    } = await createContext({ marked: true, ready: 'True' });
    await confirmMissing(context, subject());
    pass(300);
    expect(await confirmMissing(context, subject())).toMatchObject({
      status: 'done',
      reason: expect.stringContaining('its kubelet reports: node node-1 is kept'),
    });
    const kept = current();
    if (!kept) throw new Error('the Node is deleted');
    replaceNode({ ...kept, status: node({ ready: 'Unknown' }).status ?? {} });
    expect(await confirmMissing(context, subject())).toMatchObject({
      reason: expect.stringContaining('its node is deleted'),
    });
  });
});

describe('the Node of an instance that is gone', () => {
  it('is deleted if it has our mark, and kept without one', async () => {
    for (const marked of [true, false]) {
      const { context, node: current } = await createContext({ marked });
      const gone = { isManaged: false, reason: 'it has terminated' };
      const outcome = await deleteOrphanedNode(context, subject(), gone);
      expect(outcome.status).toBe('done');
      expect(current() === undefined).toBe(marked);
    }
  });
});

describe('a cordon of ours on a node whose instance stays', () => {
  it('is removed once the mark is five minutes past its deadline, and no sooner', async () => {
    const { context, node: current, pass, markNow } = await createContext({ marked: true });
    pass(299);
    expect(await uncordonLeftoverNode(context, subject())).toBeUndefined();
    expect(current()?.spec?.unschedulable).toBe(true);
    pass(1);
    expect(await uncordonLeftoverNode(context, subject())).toMatchObject({
      status: 'done',
      reason: /is uncordoned/,
    });
    expect(current()?.spec?.unschedulable).toBeUndefined();
    expect(markNow()).toBeUndefined();
  });

  it('is removed all the same if something has edited the mark to name another instance', async () => {
    const { context, node: current, pass, markNow } = await createContext({ marked: true });
    const found = current() ?? node();
    const edited = { ...mark, instanceId: 'i-0aaaaaaaaaaaaaaaa' };
    await context.cluster.patchNode('node-1', cordonPatch(found, edited) ?? { metadata: {} });
    pass(299);
    expect(await uncordonLeftoverNode(context, subject())).toBeUndefined();
    pass(1);
    expect(await uncordonLeftoverNode(context, subject())).toMatchObject({ status: 'done' });
    expect(current()?.spec?.unschedulable).toBeUndefined();
    expect(markNow()).toBeUndefined();
  });

  it('is removed by the sweep only', async () => {
    const { context, pass } = await createContext({ marked: true });
    pass(3600);
    expect(await uncordonLeftoverNode(context, subject('rebalance'))).toBeUndefined();
  });

  it('is removed only if Drover made it', async () => {
    const { context, pass } = await createContext({ marked: false });
    pass(3600);
    expect(await uncordonLeftoverNode(context, subject())).toBeUndefined();
  });
});

/** The API server answers reads, and no longer permits Drover to change Nodes. */
const withoutRights = (context: LeavingContext): LeavingContext => ({
  ...context,
  cluster: {
    ...context.cluster,
    patchNode: () =>
      Promise.reject(
        new KubernetesError('forbidden', 'PATCH /api/v1/nodes/node-1: forbidden', { statusCode: 403 }),
      ),
  },
});

describe('a Node that Drover may not change', () => {
  it('is reported once, and the next sweep requests another attempt', async () => {
    const { context, pass, markNow } = await createContext({ marked: true });
    pass(300);
    const denied = withoutRights(context);
    expect(await uncordonLeftoverNode(denied, subject())).toMatchObject({
      status: 'done',
      reason: expect.stringMatching(/^its instance stays, but node node-1 is not uncordoned: .*forbidden/),
    });
    expect(await confirmMissing(denied, subject())).toMatchObject({
      status: 'done',
      reason: expect.stringMatching(/but node node-1 cannot be marked: .*forbidden/),
    });
    expect(markNow()).toBeDefined();
  });

  it('stays cordoned beside the machine that took its name, and the reason says so', async () => {
    const { context, pass } = await createContext({ marked: true, ready: 'True' });
    pass(60);
    const found = node({ ready: 'True' });
    const marked = { ...found, metadata: { ...found.metadata, ...cordonPatch(found, mark)?.metadata } };
    const denied = withoutRights({
      ...context,
      cluster: { ...context.cluster, getNode: async () => marked as typeof found },
    });
    const gone = { isManaged: true, reason: 'EC2 reports it as terminated' };
    const outcome = await deleteOrphanedNode(denied, subject('instance-gone'), gone);
    expect(outcome.reason).toMatch(/is kept, .*; it is not uncordoned: .*forbidden/);
  });

  it('fails the pass if the API server itself fails', async () => {
    const { context, pass } = await createContext({ marked: true });
    pass(300);
    const patchNode = () =>
      Promise.reject(new KubernetesError('unavailable', 'etcd has no leader', { statusCode: 500 }));
    const failing = { ...context, cluster: { ...context.cluster, patchNode } };
    await expect(uncordonLeftoverNode(failing, subject())).rejects.toThrow('etcd has no leader');
  });
});

const inState = (lifecycleState: string) => ({
  instanceId,
  lifecycleState,
  autoScalingGroupName: 'workers',
  availabilityZone: 'eu-west-1a',
  healthy: true,
});
const noticedBy = (parts: Partial<LeavingSubject['notices'][number]>): LeavingSubject => ({
  instanceId,
  notices: [
    { cause: 'terminating', instanceId, noticedAt: '2026-11-21T07:00:00.000Z', nodeName: 'node-1', ...parts },
  ],
});
const replaced = noticedBy({ action: 'ReplaceRootVolume' });

async function markedNode({ ready = 'True', bootID = 'first', bootBefore = 'first' } = {}) {
  const conditions = [{ type: 'Ready', status: ready }];
  const booted = { ...node(), status: { conditions, nodeInfo: { bootID } } } as ReturnType<typeof node>;
  const made = createNodeContext(startedAt, booted);
  const patch = cordonPatch(booted, markedAt(startedAt, { bootBefore }));
  if (patch) await made.context.cluster.patchNode('node-1', patch);
  return { ...made, isMarked: () => readLeavingMark(made.node()?.metadata?.annotations) !== undefined };
}

describe('the Node of an instance that is back with a new root volume', () => {
  it('is uncordoned when it is Ready after another boot', async () => {
    const { context, isMarked, node: current } = await markedNode({ bootID: 'second' });
    expect(await uncordonReturnedNode(context, replaced, inState('InService'))).toMatchObject({
      status: 'done',
    });
    expect(isMarked()).toBe(false);
    expect(current()?.spec?.unschedulable ?? undefined).toBeUndefined();
  });

  it.each([
    ['is not Ready', { bootID: 'second', ready: 'Unknown' }],
    ['is Ready as before the reboot', { bootID: 'first' }],
  ])('stays cordoned while it %s', async (_, parts) => {
    const { context, isMarked } = await markedNode(parts);
    expect(await uncordonReturnedNode(context, replaced, inState('InService'))).toMatchObject({
      status: 'again',
      reason: expect.stringContaining('is not Ready since'),
    });
    expect(isMarked()).toBe(true);
  });

  it('is read again, because the remembered Node is from before the reboot', async () => {
    const { context, isMarked } = await markedNode({ bootID: 'second' });
    context.memory.remember(instanceId, { node: node(), hasTwins: false });
    await uncordonReturnedNode(context, replaced, inState('InService'));
    expect(isMarked()).toBe(false);
  });

  it('stays cordoned while a launching hook holds its instance', async () => {
    const { context, isMarked } = await markedNode({ bootID: 'second' });
    expect(await uncordonReturnedNode(context, replaced, inState('Pending:Wait'))).toMatchObject({
      status: 'again',
    });
    expect(isMarked()).toBe(true);
  });

  it('is uncordoned five minutes after its last renewal even if no other boot was seen', async () => {
    const { context, isMarked, pass } = await markedNode();
    pass(300);
    await uncordonReturnedNode(context, replaced, inState('InService'));
    expect(isMarked()).toBe(false);
  });

  it('needs no other boot if the Node did not report one', async () => {
    const { context, isMarked } = await markedNode({ bootID: '', bootBefore: '' });
    await uncordonReturnedNode(context, replaced, inState('InService'));
    expect(isMarked()).toBe(false);
  });

  it('is reported and left to the next sweep if Drover may not change it', async () => {
    const { context, isMarked } = await markedNode({ bootID: 'second' });
    expect(await uncordonReturnedNode(withoutRights(context), replaced, inState('InService'))).toMatchObject({
      status: 'done',
      reason: expect.stringMatching(
        /^it is back with a new root volume, but node node-1 is not uncordoned: .*forbidden/,
      ),
    });
    expect(isMarked()).toBe(true);
  });

  it('is not searched for if the message is about a termination', async () => {
    const { context, isMarked } = await markedNode({ bootID: 'second' });
    expect(await uncordonReturnedNode(context, noticedBy({}), inState('InService'))).toBeUndefined();
    expect(isMarked()).toBe(true);
  });
});
