import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { cordonPatch } from '../../../shared/draining/cordon.ts';
import type { LifecycleHook } from '../../../shared/groups/group.ts';
import { KubernetesError } from '../../../shared/kubernetes/status.ts';
import type { LeavePlan } from '../../../shared/leaving/leave-plan.ts';
import { markNode, updateMark } from '../../../shared/leaving/mark-and-cordon.ts';
import { readLeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import { createNodeContext } from '../../support/leaving-context.ts';
import { instanceId, node } from '../../support/pods.ts';

const startedAt = Date.parse('2026-11-21T07:00:00Z');
const plan = {
  cause: 'terminating' as const,
  onFailure: 'CONTINUE' as const,
  since: startedAt,
  deadlines: { deadline: startedAt + 900_000, limit: Infinity },
  mustHurry: false,
};
const subject = {
  notices: [{ cause: 'terminating' as const, instanceId, noticedAt: new Date(startedAt).toISOString() }],
};
const heldPods = (count: number) =>
  Array.from({ length: count }, (_, index) => `shop/web-${index} (budget ${'w'.repeat(200)})`);

/** A marked Node, and the passes over it: each reads the mark from the Node, as a real pass does. */
async function markedNode() {
  const { context, node: current, pass } = createNodeContext(startedAt, node());
  await markNode(context, {
    subject,
    instanceId,
    autoScalingGroupName: 'workers',
    plan,
    node: node(),
  });
  const updates: string[] = [];
  const recording = {
    ...context,
    cluster: {
      ...context.cluster,
      recordEvent: ({ reason }: { readonly reason: string }) => {
        updates.push(reason);
        return Promise.resolve();
      },
    },
  };
  const mark = () => readLeavingMark(current()?.metadata?.annotations);
  const update = async (held: readonly string[], parts: Partial<LeavePlan> = {}) => {
    const [marked, before] = [current(), mark()];
    if (!marked || !before) throw new Error('the Node has no mark');
    const input = { node: marked, mark: before, plan: { ...plan, ...parts }, held, hasClaims: false };
    return await updateMark(recording, input);
  };
  return { update, updates, mark, pass, node: current, cluster: context.cluster };
}

it('writes nothing new while the same held pods wait, also more of them than the mark shows', async () => {
  const { update, updates, mark, pass } = await markedNode();
  await update(heldPods(13));
  const first = mark();
  expect(first).toMatchObject({ andMore: 3 });
  pass(40);
  await update(heldPods(13));
  expect(updates).toEqual(['DrainHeld']);
  expect(mark()).toEqual(first);
});

it('recounts the held pods in each update of the mark', async () => {
  const { update, updates, mark, pass } = await markedNode();
  await update(heldPods(13));
  pass(40);
  await update(heldPods(14));
  expect(mark()).toMatchObject({ andMore: 4 });
  pass(40);
  await update(heldPods(2));
  expect(mark()).not.toHaveProperty('andMore');
  expect(updates).toEqual(['DrainHeld', 'DrainHeld', 'DrainHeld']);
});

it('writes each list of held pods once, whatever their names and number', async () => {
  const lists = fc.array(fc.string({ maxLength: 200 }), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(lists, async (held) => {
      const { update, updates, mark, pass } = await markedNode();
      await update(held);
      const first = mark();
      for (const _ of [1, 2, 3]) {
        pass(40);
        await update(held);
      }
      expect(mark()).toEqual(first);
      expect(updates).toEqual(['DrainHeld']);
    }),
    { numRuns: 30 },
  );
});

it('writes a different list of held pods half a minute after the last write, because each write reaches every watcher of Nodes', async () => {
  const { update, mark, pass } = await markedNode();
  await update(['shop/web-1']);
  pass(29);
  await update(['shop/web-2']);
  expect(mark()).toMatchObject({ waitingFor: ['shop/web-1'] });
  pass(1);
  await update(['shop/web-2']);
  expect(mark()).toMatchObject({ waitingFor: ['shop/web-2'] });
});

it('keeps in the mark the timeout with which the plan times the heartbeats', async () => {
  const { update, mark } = await markedNode();
  expect(mark()).not.toHaveProperty('heartbeatTimeoutSeconds');
  const hook: LifecycleHook = {
    lifecycleHookName: 'drover-node-leaving',
    transition: 'terminating',
    heartbeatTimeoutSeconds: 60,
    globalTimeoutSeconds: 6000,
    defaultResult: 'CONTINUE',
  };
  await update([], { hook });
  expect(mark()).toMatchObject({ heartbeatTimeoutSeconds: 60 });
});

it('forgets that the instance was missing once a pass has found it again', async () => {
  const { update, mark, node: current, cluster } = await markedNode();
  const [marked, before] = [current(), mark()];
  if (!marked || !before) throw new Error('the Node has no mark');
  const patch = cordonPatch(marked, { ...before, missingSince: '2026-11-21T07:00:00.000Z' });
  await cluster.patchNode('node-1', patch ?? {});
  await update([]);
  expect(mark()).toMatchObject({ cause: 'terminating' });
  expect(mark()).not.toHaveProperty('missingSince');
});

it('records in the mark that the Node reported volumes, because it reports none that is detaching', async () => {
  const withVolumes = { ...node(), status: { volumesInUse: ['vol-1'] } };
  const { context } = createNodeContext(startedAt, withVolumes);
  const { mark } = await markNode(context, {
    subject,
    instanceId,
    autoScalingGroupName: 'workers',
    plan,
    node: withVolumes,
  });
  expect(mark.mayHaveVolumes).toBe(true);
});

it.each([
  ['sent', ['node-leaving']],
  ['failed', undefined],
  ['off', undefined],
] as const)(
  'records in the mark whether the notification was sent, if the result is %s',
  async (result, told) => {
    const { context } = createNodeContext(startedAt, node());
    const leave = { subject, instanceId, autoScalingGroupName: 'workers', plan, node: node() };
    const { mark } = await markNode({ ...context, notify: () => Promise.resolve(result) }, leave);
    expect(mark.told).toEqual(told);
  },
);

it('adds to the mark what a pass has sent, so that the next one does not send it again', async () => {
  const { context, node: current } = createNodeContext(startedAt, node());
  const leave = { subject, instanceId, autoScalingGroupName: 'workers', plan, node: node() };
  const marked = await markNode({ ...context, notify: () => Promise.resolve('sent') }, leave);
  await updateMark(context, { ...marked, plan, held: [], hasClaims: false, told: ['drain-held'] });
  expect(readLeavingMark(current()?.metadata?.annotations)?.told).toEqual(['node-leaving', 'drain-held']);
});

it('stops the pass if another Node has the name of the marked one by now', async () => {
  const { context } = createNodeContext(startedAt, node());
  const leave = { subject, instanceId, autoScalingGroupName: 'workers', plan, node: node() };
  const marked = await markNode(context, leave);
  const conflict = new KubernetesError('conflict', 'PATCH /api/v1/nodes/node-1: the UID differs');
  const cluster = { ...context.cluster, patchNode: () => Promise.reject(conflict) };
  const update = updateMark(
    { ...context, cluster },
    { ...marked, plan, held: ['shop/web'], hasClaims: false },
  );
  await expect(update).rejects.toBe(conflict);
});

it('records that the Node has a twin, and that no deadline ends the drain', async () => {
  const { context } = createNodeContext(startedAt, node());
  const messages: string[] = [];
  const recordEvent = ({ message }: { readonly message: string }) =>
    Promise.resolve(void messages.push(message));
  const unlimited = { ...plan, deadlines: { deadline: Infinity, limit: Infinity } };
  const leave = { subject, instanceId, autoScalingGroupName: 'workers', node: node(), hasTwins: true };
  const { mark } = await markNode(
    { ...context, cluster: { ...context.cluster, recordEvent } },
    { ...leave, plan: unlimited },
  );
  expect(mark).toMatchObject({ hasTwins: true });
  expect(mark).not.toHaveProperty('until');
  expect(messages).toEqual(['its instance leaves (terminating); pods are evicted until none is left']);
});

it.each([true, false])(
  'remembers whether the marked Node has a twin, which is drained after it: %s',
  async (hasTwins) => {
    const { context } = createNodeContext(startedAt, node());
    const leave = { subject, instanceId, autoScalingGroupName: 'workers', plan, node: node(), hasTwins };
    const marked = await markNode(context, leave);
    expect(context.memory.recall(instanceId)).toMatchObject({ hasTwins });
    await updateMark(context, { ...marked, plan, held: ['shop/web'], hasClaims: false });
    expect(context.memory.recall(instanceId)).toMatchObject({ hasTwins });
  },
);
