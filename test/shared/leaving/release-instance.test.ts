import { describe, expect, it } from 'vitest';
import { ThrottledError } from '../../../shared/groups/auto-scaling.ts';
import { KubernetesError } from '../../../shared/kubernetes/status.ts';
import { searchNode } from '../../../shared/leaving/find-node.ts';
import {
  completeHook,
  deleteNode,
  handBackDrained,
  release,
} from '../../../shared/leaving/release-instance.ts';
import type { LeavingNotice } from '../../../shared/passes/leaving-notice.ts';
import { markedAt } from '../../support/leave-state.ts';
import { createNodeContext } from '../../support/leaving-context.ts';
import { instanceId, node } from '../../support/pods.ts';
import { groupOf } from '../../support/waiting-group.ts';

const startedAt = Date.parse('2026-11-21T07:00:00Z');

function createWorld(complete: () => Promise<'completed' | 'not-active'>) {
  const world = createNodeContext(startedAt, node());
  const group = groupOf({ [instanceId]: 'Terminating:Wait' });
  const [member] = group.instances;
  if (!member) throw new Error('the group has no member');
  const notice: LeavingNotice = {
    cause: 'terminating',
    instanceId,
    noticedAt: new Date(startedAt).toISOString(),
    hook: { autoScalingGroupName: 'workers', lifecycleHookName: 'drover-node-leaving' },
  };
  const state = {
    subject: { instanceId, notices: [notice] },
    group,
    instance: { ...member, autoScalingGroupName: 'workers' },
    settings: world.context.settings.defaults,
    ec2: undefined,
    waits: true,
    toWarmPool: false,
    keepsNode: false,
    hooks: [],
    node: node(),
    plan: {
      cause: 'terminating' as const,
      action: { autoScalingGroupName: 'workers', lifecycleHookName: 'drover-node-leaving', instanceId },
      onFailure: 'CONTINUE' as const,
      since: startedAt,
      deadlines: { deadline: Infinity, limit: Infinity },
      mustHurry: false,
    },
  };
  const context = { ...world.context, autoScaling: { ...world.context.autoScaling, complete } };
  return { ...world, context, state };
}

describe('a hook that Auto Scaling does not complete because calls come too fast', () => {
  const throttled = () => Promise.reject(new ThrottledError('Rate exceeded'));

  function createThrottledWorld(sendFailure?: Error) {
    const sent: LeavingNotice[] = [];
    const errors: string[] = [];
    const { context, state } = createWorld(throttled);
    const sendNotice = async (notice: LeavingNotice) => {
      if (sendFailure) throw sendFailure;
      sent.push(notice);
    };
    const reportError = (message: string) => void errors.push(message);
    return { context: { ...context, sendNotice, reportError }, state, sent, errors };
  }

  it('is left to a pass that knows from its message that the Node is gone', async () => {
    const { context, state, sent } = createThrottledWorld();
    const completion = completeHook(context, { ...state, nodeResult: 'it has no node', nodeIsGone: true });
    await expect(completion).rejects.toThrow(ThrottledError);
    expect(sent).toEqual([{ ...state.subject.notices[0], nodeDeleted: true }]);
  });

  it('sends no second message', async () => {
    const { context, state, sent } = createThrottledWorld();
    const [first] = state.subject.notices;
    if (!first) throw new Error('there is no notice');
    const subject = { instanceId, notices: [first, { ...first, nodeDeleted: true as const }] };
    const left = { ...state, subject, nodeResult: 'it has no node', nodeIsGone: true };
    await expect(completeHook(context, left)).rejects.toThrow(ThrottledError);
    expect(sent).toEqual([]);
  });

  it('sends no message while there is a Node', async () => {
    const { context, state, sent } = createThrottledWorld();
    const left = { ...state, nodeResult: 'its node is not deleted', nodeIsGone: false };
    await expect(completeHook(context, left)).rejects.toThrow(ThrottledError);
    expect(sent).toEqual([]);
  });

  it('is tried again also if that message cannot be sent', async () => {
    const { context, state, errors } = createThrottledWorld(new Error('SQS does not respond'));
    const left = { ...state, nodeResult: 'it has no node', nodeIsGone: true };
    await expect(completeHook(context, left)).rejects.toThrow(ThrottledError);
    expect(errors).toEqual([`the message that the node of ${instanceId} is deleted could not be sent`]);
  });
});

describe('an instance', () => {
  it('counts as released once its hook is completed', async () => {
    const { context, state } = createWorld(async () => 'completed');
    await completeHook(context, { ...state, nodeResult: 'it has no node' });
    expect(context.memory.recall(instanceId)?.released).toBe('completed');
  });

  it('without a wait counts as handed back', async () => {
    const { context, state } = createWorld(async () => 'completed');
    const { action: _, ...plan } = state.plan;
    const autoScaling = { ...context.autoScaling, terminate: async () => 'terminating' as const };
    const left = { ...state, waits: false, plan, nodeResult: 'it has no node' };
    await completeHook({ ...context, autoScaling }, left);
    expect(context.memory.recall(instanceId)?.released).toBe('handed-back');
  });

  it('of a group with a warm pool is reported as returned to the pool', async () => {
    const { context, state } = createWorld(async () => 'completed');
    const outcome = await completeHook(context, {
      ...state,
      toWarmPool: true,
      nodeResult: 'its node is deleted',
    });
    expect(outcome).toMatchObject({
      reason: 'its node is deleted; its hook is completed, it returns to the warm pool',
      facts: { toWarmPool: true },
    });
  });

  it('whose wait has ended by itself is reported as such, and is still done', async () => {
    const { context, state } = createWorld(async () => 'not-active');
    expect(await completeHook(context, { ...state, nodeResult: 'its node is deleted' })).toMatchObject({
      status: 'done',
      reason: 'its node is deleted; its hook waits no longer',
    });
  });

  it.each([
    ['terminating', 'it is handed back to Auto Scaling'],
    ['not-in-group', 'it has left its group'],
  ] as const)(
    'that was drained in service is reported by the answer to its termination: %s',
    async (answer, reason) => {
      const { context, state } = createWorld(async () => 'completed');
      const { action: _, ...plan } = state.plan;
      const instance = { ...state.instance, lifecycleState: 'InService' };
      const autoScaling = { ...context.autoScaling, terminate: async () => answer };
      const outcome = await completeHook(
        { ...context, autoScaling },
        { ...state, waits: false, plan, instance, nodeResult: 'its node is deleted' },
      );
      expect(outcome.reason).toBe(`its node is deleted; ${reason}`);
    },
  );

  it('does not count as released if the completion fails', async () => {
    const { context, state } = createWorld(() => Promise.reject(new Error('throttled')));
    await expect(completeHook(context, { ...state, nodeResult: 'it has no node' })).rejects.toThrow();
    expect(context.memory.recall(instanceId)?.released).toBeUndefined();
  });
});

describe('the Node of a leave', () => {
  it('is deleted', async () => {
    const world = createWorld(async () => 'completed');
    await deleteNode(world.context, world.state);
    expect(world.node()).toBeUndefined();
  });

  it('is deleted before the hook is completed if the leave ends early, so that a killed pass leaves no Node behind', async () => {
    const nodes: unknown[] = [];
    const world = createWorld(async () => {
      nodes.push(world.node());
      return 'completed';
    });
    await release(world.context, world.state);
    expect(nodes).toEqual([undefined]);
  });

  describe('of an instance in service', () => {
    function inService(answer: 'terminating' | 'not-in-group') {
      const world = createWorld(async () => 'completed');
      const { action: _, ...plan } = world.state.plan;
      const nodes: unknown[] = [];
      const terminate = async () => {
        nodes.push(world.node());
        return answer;
      };
      const context = { ...world.context, autoScaling: { ...world.context.autoScaling, terminate } };
      const instance = { ...world.state.instance, lifecycleState: 'InService' };
      const state = { ...world.state, waits: false, plan, instance, mark: markedAt(startedAt) };
      return { ...world, context, state, nodes };
    }

    it('is deleted after the instance is handed back, so that a killed pass leaves no instance without a Node', async () => {
      const { context, state, nodes, node: current } = inService('terminating');
      expect(await handBackDrained(context, state)).toMatchObject({ handedBack: { release: 'handed-back' } });
      await release(context, state);
      expect(nodes).toEqual([node(), node()]);
      expect(current()).toBeUndefined();
    });

    it('is kept if the instance has left its group, because it may go on running', async () => {
      const { context, state, node: current } = inService('not-in-group');
      for (const outcome of [await handBackDrained(context, state), await release(context, state)])
        expect(outcome).toMatchObject({ status: 'again', reason: 'it has left its group' });
      expect(current()).toBeDefined();
    });

    it('is deleted first if EC2 has ended the instance', async () => {
      const { context, state, nodes } = inService('terminating');
      await release(context, state, { isGone: true });
      expect(nodes).toEqual([undefined]);
    });

    it('is not the last if others name the instance, which is not handed back yet', async () => {
      const { context, state, nodes } = inService('terminating');
      const mark = markedAt(startedAt, { hasTwins: true });
      expect(await handBackDrained(context, { ...state, mark })).toEqual({});
      expect(nodes).toEqual([]);
    });
  });

  it('does not hold a drained instance if the API server does not respond', async () => {
    const world = createWorld(async () => 'completed');
    const noAnswer = new KubernetesError('unreachable', 'DELETE /api/v1/nodes/node-1: no answer');
    const cluster = { ...world.context.cluster, deleteNode: () => Promise.reject(noAnswer) };
    const errors: string[] = [];
    const reportError = (message: string) => void errors.push(message);
    const deleted = await deleteNode({ ...world.context, cluster, reportError }, world.state);
    expect(errors).toEqual(['node node-1 is not deleted, and its instance is released']);
    if (!('nodeResult' in deleted)) throw new Error('the pass waits');
    expect(deleted.nodeResult).toMatch(/is drained, and not deleted: .*no answer/);
    expect(await completeHook(world.context, { ...world.state, ...deleted })).toMatchObject({
      status: 'done',
    });
  });

  it.each([
    [2, 'tried again if it fails quickly', 2],
    [3, 'not tried again if it hangs, because the pass has to complete the hook in its time', 1],
  ])('is, after %i s without an answer, %s', async (seconds, _, attempts) => {
    const { context, state, pass } = createWorld(async () => 'completed');
    let deletions = 0;
    const deleteNode = async () => {
      deletions += 1;
      pass(seconds);
      throw new KubernetesError('unreachable', 'DELETE /api/v1/nodes/node-1: no answer');
    };
    await release({ ...context, cluster: { ...context.cluster, deleteNode } }, state);
    expect(deletions).toBe(attempts);
  });

  it('does not count as deleted if the deletion fails, because the next pass has to find it', async () => {
    const { context, state } = createWorld(async () => 'completed');
    const denied = new KubernetesError('forbidden', 'DELETE /api/v1/nodes/node-1: not allowed');
    const cluster = { ...context.cluster, deleteNode: () => Promise.reject(denied) };
    await deleteNode({ ...context, cluster }, state).catch(() => undefined);
    expect(context.memory.recall(instanceId)?.nodeDeleted).toBeUndefined();
  });

  it('that was deleted is not searched again if the completion failed, because the search may fail too', async () => {
    const world = createWorld(() => Promise.reject(new Error('throttled')));
    await expect(release(world.context, world.state)).rejects.toThrow('throttled');
    const cluster = { ...world.context.cluster, listNodes: () => Promise.reject(new Error('no answer')) };
    const subject = { instanceId, notices: [] };
    expect(await searchNode({ ...world.context, cluster }, subject)).toBeUndefined();
  });

  it('is not the last if other Nodes have the same providerID: they are drained before the instance is released', async () => {
    const world = createWorld(async () => 'completed');
    const marked = { ...world.state, mark: markedAt(startedAt, { hasTwins: true }) };
    expect(await deleteNode(world.context, marked)).toMatchObject({ status: 'again', afterSeconds: 1 });
    expect(world.node()).toBeUndefined();
    const twin = node({ name: 'by-hand', ready: 'Unknown' });
    const cluster = { ...world.context.cluster, listNodes: async () => [twin] };
    const found = await searchNode({ ...world.context, cluster }, { instanceId, notices: [] });
    expect(found).toEqual({ node: twin, hasTwins: false });
  });

  it('is kept if a new Node has taken its name', async () => {
    const world = createWorld(async () => 'completed');
    const successor = { ...node(), metadata: { ...node().metadata, uid: 'another' } };
    world.replaceNode(successor);
    await deleteNode(world.context, world.state);
    expect(world.node()).toEqual(successor);
  });
});

function leaving(context: ReturnType<typeof createNodeContext>['context']) {
  const group = groupOf({ [instanceId]: 'Terminating:Wait' });
  const [member] = group.instances;
  if (!member) throw new Error('the group has no member');
  return {
    subject: { instanceId, notices: [] },
    instance: { ...member, autoScalingGroupName: 'workers' },
    group,
    settings: context.settings.defaults,
    ec2: undefined,
    waits: true,
    toWarmPool: false,
    keepsNode: false,
    hooks: [],
    plan: {
      cause: 'terminating' as const,
      onFailure: 'CONTINUE' as const,
      since: startedAt,
      deadlines: { deadline: startedAt, limit: Infinity },
      mustHurry: false,
    },
    node: node(),
  };
}

it('reports a Node as deleted, or as gone, and neither as drained nor with a drain time, when the drain did not end', async () => {
  const { context } = createNodeContext(startedAt, node());
  const name = node().metadata?.name;
  const facts = { autoScalingGroupName: 'workers', node: name, release: 'no-hook', leaveSeconds: 0 };
  expect(await release(context, leaving(context))).toEqual({
    status: 'done',
    reason: `node ${name} is deleted; it waits on no hook of ours`,
    facts,
  });
  expect(await release(context, leaving(context))).toMatchObject({
    reason: `node ${name} was gone; it waits on no hook of ours`,
    facts,
  });
});

describe('the deletion of a drained Node', () => {
  async function deleteAfter(seconds: number, hasTwins = false) {
    const sent: LeavingNotice[] = [];
    const { context, state } = createWorld(async () => 'completed');
    const begun = { at: startedAt - seconds * 1000, hooksOf: async () => [] };
    const mark = { ...markedAt(startedAt), hasTwins };
    await deleteNode(
      { ...context, sendNotice: async (notice) => void sent.push(notice) },
      { ...state, mark, subject: { ...state.subject, begun } },
    );
    return sent;
  }

  it('is noted for the next pass if this one may end before the answer', async () => {
    expect(await deleteAfter(12)).toEqual([expect.objectContaining({ nodeDeleted: true })]);
  });

  it('is not noted if there is time, or if another Node of the instance is next', async () => {
    expect(await deleteAfter(11)).toEqual([]);
    expect(await deleteAfter(12, true)).toEqual([]);
  });
});
