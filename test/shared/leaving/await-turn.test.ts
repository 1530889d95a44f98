import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import type { LifecycleAction, LifecycleHook } from '../../../shared/groups/group.ts';
import { awaitReplacement } from '../../../shared/leaving/await-replacement.ts';
import { awaitTurn } from '../../../shared/leaving/await-turn.ts';
import { formatLeavingMark, type LeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import { leavingAnnotation } from '../../../shared/nodes/node-keys.ts';
import { leaveState, markedAt } from '../../support/leave-state.ts';
import { createNodeContext } from '../../support/leaving-context.ts';
import { terminatingNotice } from '../../support/notices.ts';
import { instanceId, node } from '../../support/pods.ts';
import { groupOf } from '../../support/waiting-group.ts';

const startedAt = Date.parse('2026-11-21T07:00:00Z');
const tags = { 'kubernetes.io/cluster/drover': 'owned', 'drover.dev/role': 'worker' };
const ahead = 'i-00000000000000000';
const group = { ...groupOf({ [ahead]: 'Terminating:Wait', [instanceId]: 'Terminating:Wait' }), tags };
const [, member] = group.instances;
if (!member) throw new Error('the group has no second member');
const ourHook: LifecycleHook = {
  lifecycleHookName: 'drover-node-leaving',
  transition: 'terminating',
  heartbeatTimeoutSeconds: 300,
  globalTimeoutSeconds: 30_000,
  defaultResult: 'CONTINUE',
};
const subject = { instanceId, notices: [] };
const state = {
  subject,
  notes: [],
  group,
  instance: { ...member, autoScalingGroupName: 'workers' },
  ec2: undefined,
  waits: true,
  toWarmPool: false,
  keepsNode: false,
  hooks: [],
  node: node(),
  plan: {
    cause: 'terminating' as const,
    onFailure: 'CONTINUE' as const,
    since: startedAt,
    deadlines: { deadline: Infinity, limit: Infinity },
    mustHurry: false,
  },
};

/** Two instances of a group wait, the other one is first, and so many may leave at once in the cluster. */
function createWorld(maxLeavingPerCluster: number, hooks: readonly LifecycleHook[] = [ourHook]) {
  const { context } = createNodeContext(startedAt, node());
  return {
    ...context,
    autoScaling: {
      ...context.autoScaling,
      listGroups: async () => [group],
      describeHooks: async () => hooks,
    },
    cluster: { ...context.cluster, listNodeMetadata: async () => [] },
    settings: { ...context.settings, maxLeavingPerCluster },
  };
}
const nodeOf = (parts: { readonly uid: string; readonly instanceId: string }) => {
  const one = node({ instanceId: parts.instanceId });
  return { ...one, metadata: { ...one.metadata, uid: parts.uid } };
};
const turnIn = (context: ReturnType<typeof createWorld>) =>
  awaitTurn(context, { ...state, settings: context.settings.defaults });

it('an instance waits for the limit of the cluster where the limit of its group leaves room', async () => {
  expect(await turnIn(createWorld(1))).toMatchObject({ status: 'again', facts: { waitsFor: 'turn' } });
  expect(await turnIn(createWorld(2))).toEqual({ subject: { ...subject, redelivered: false } });
});

it('the next in turn asks again after five seconds, and one further back after twenty', async () => {
  expect(await turnIn(createWorld(1))).toMatchObject({ status: 'again', afterSeconds: 5 });
  const context = createWorld(1);
  const waiting = [ahead, 'i-00000000000000001', instanceId];
  const three = groupOf(Object.fromEntries(waiting.map((id) => [id, 'Terminating:Wait'])));
  context.autoScaling.listGroups = async () => [{ ...three, tags }];
  expect(await turnIn(context)).toMatchObject({ status: 'again', afterSeconds: 20 });
});

it('the next in turn begins as soon as the one ahead of it has left, although the kept list of groups still shows that one', async () => {
  const context = createWorld(1);
  const left = { ...groupOf({ [ahead]: 'Terminating:Proceed', [instanceId]: 'Terminating:Wait' }), tags };
  const waitingThird = { ...left.instances[1], instanceId: 'i-0fffffffffffffff0' };
  const withThird = (one: typeof group) => ({ ...one, instances: [...one.instances, waitingThird] });
  const keptSince = startedAt - 6000;
  const listGroups = async (notBefore = -Infinity) => [withThird(notBefore > keptSince ? left : group)];
  const autoScaling = { ...context.autoScaling, listGroups } as typeof context.autoScaling;
  expect(await turnIn({ ...context, autoScaling })).toEqual({ subject: { ...subject, redelivered: false } });
});

it('a drained instance that another hook holds occupies no slot, since its Node is deleted', async () => {
  const context = createWorld(1, [ourHook, { ...ourHook, lifecycleHookName: 'backup' }]);
  // The only Node is that of the instance that asks: the one ahead of it has none any more.
  expect(await turnIn(context)).toEqual({ subject: { ...subject, redelivered: false } });
  const both = [node(), node({ name: 'node-2', instanceId: ahead })];
  context.cluster.listNodes = async () => both;
  expect(await turnIn(context)).toMatchObject({ status: 'again', facts: { waitsFor: 'turn' } });
});

it('an instance whose Node a watch cache that is behind does not show yet keeps its slot, also where another hook waits', async () => {
  const context = createWorld(1, [ourHook, { ...ourHook, lifecycleHookName: 'backup' }]);
  context.cluster.listNodes = async (consistency = 'cached') =>
    consistency === 'cached' ? [] : [node(), node({ name: 'node-2', instanceId: ahead })];
  expect(await turnIn(context)).toMatchObject({ status: 'again', facts: { waitsFor: 'turn' } });
});

it('control planes leave one at a time, whatever the group says', async () => {
  const roles = { ...tags, 'drover.dev/role': 'control-plane', 'drover.dev/max-leaving': '5' };
  const context = createWorld(10);
  context.autoScaling.listGroups = async () => [{ ...group, tags: roles }];
  expect(await turnIn(context)).toMatchObject({ status: 'again', facts: { waitsFor: 'turn' } });
});

describe('a control plane of three groups with one instance each', () => {
  const clusterTags = { ...tags, 'drover.dev/role': 'control-plane' };
  const ids = [instanceId, 'i-0aaaaaaaaaaaaaaaa', 'i-0bbbbbbbbbbbbbbbb'] as const;
  const groupsWith = (states: readonly string[]) =>
    ids.map((id, index) => ({
      ...groupOf({ [id]: states[index] ?? 'InService' }),
      autoScalingGroupName: `masters-${index}`,
      tags: clusterTags,
    }));
  const ofMaster = (states: readonly string[]) => {
    const groups = groupsWith(states);
    const [own = group] = groups;
    const [master = member] = own.instances;
    const context = createWorld(10);
    context.autoScaling.listGroups = async () => groups;
    return {
      context: {
        ...context,
        cluster: {
          ...context.cluster,
          listNodes: async () => ids.map((id) => node({ name: id, instanceId: id })),
        },
        ec2: { describeInstance: async () => undefined },
      },
      state: {
        ...state,
        group: own,
        instance: { ...master, autoScalingGroupName: own.autoScalingGroupName },
        settings: context.settings.defaults,
      },
    };
  };

  it('has one turn for all of them, although each group has no more instances than may leave of it', async () => {
    const { context, state: leaving } = ofMaster(['Terminating:Wait', 'Terminating:Wait', 'InService']);
    const groups = groupsWith(['Terminating:Wait', 'Terminating:Wait', 'InService']);
    const [, other = group] = groups;
    const [second = member] = other.instances;
    const answers = await Promise.all(
      [
        leaving,
        {
          ...leaving,
          group: other,
          subject: { ...subject, instanceId: second.instanceId },
          instance: { ...second, autoScalingGroupName: 'masters-1' },
        },
      ].map(async (one) => await awaitTurn(context, one)),
    );
    expect(answers.filter((one) => 'status' in one)).toMatchObject([{ facts: { waitsFor: 'turn' } }]);
  });

  it('waits for the replacement of another group, and names the role', async () => {
    const { context, state: leaving } = ofMaster(['Terminating:Wait', 'Pending:Wait', 'InService']);
    expect(await awaitReplacement(context, leaving)).toMatchObject({
      status: 'again',
      reason: expect.stringMatching(
        /^the role control-plane waits for replacements: 1 more of its 3 instances/,
      ),
    });
    const whole = ofMaster(['Terminating:Wait', 'InService', 'InService']);
    expect(await awaitReplacement(whole.context, whole.state)).toEqual({});
  });

  it('lets one that leaves on words go in its turn among the role, without another turn beside the workers', async () => {
    const { context, state: leaving } = ofMaster(['InService', 'InService', 'InService']);
    const workers = groupOf({ 'i-0dddddddddddddddd': 'InService', 'i-0eeeeeeeeeeeeeeee': 'InService' });
    const groups = [...(await context.autoScaling.listGroups()), { ...workers, tags }];
    const notice = {
      cause: 'rebalance' as const,
      instanceId,
      noticedAt: new Date(startedAt).toISOString(),
    };
    const turns = await Promise.all(
      Array.from({ length: 6 }, (_, span) =>
        awaitTurn(
          {
            ...context,
            autoScaling: { ...context.autoScaling, listGroups: async () => groups },
            settings: { ...context.settings, maxLeavingPerCluster: 1 },
            clock: { ...context.clock, now: () => startedAt + span * 10_000 },
          },
          { ...leaving, waits: false, subject: { ...subject, notices: [notice] } },
        ),
      ),
    );
    expect(turns.filter((one) => !('status' in one))).toHaveLength(2);
  });
});

it('one instance at a time leaves a group that has lost its role during the wait, because it may be a control plane', async () => {
  const context = createWorld(10);
  const roleless = { 'kubernetes.io/cluster/drover': 'owned' };
  context.autoScaling.listGroups = async () => [{ ...group, tags: { ...roleless, 'drover.dev/role': '' } }];
  expect(await turnIn(context)).toMatchObject({ status: 'again', facts: { waitsFor: 'turn' } });
});

it('an instance that leaves on advice waits where another was marked after the kept list of marked Nodes was read', async () => {
  const context = createWorld(1);
  const marked = {
    name: 'node-0',
    uid: 'uid-of-node-0',
    labels: {},
    annotations: { [leavingAnnotation]: formatLeavingMark(markedAt(startedAt, { instanceId: ahead })) },
  };
  const keptSince = startedAt - 1000;
  const cluster = {
    ...context.cluster,
    getMarkedNode: async () => nodeOf({ uid: marked.uid, instanceId: ahead }),
    listNodeMetadata: async (_: string, notBefore = -Infinity) => (notBefore > keptSince ? [marked] : []),
  };
  const running = { ...groupOf({ [ahead]: 'InService', [instanceId]: 'InService' }), tags };
  const autoScaling = { ...context.autoScaling, listGroups: async () => [running] };
  const instance = { ...state.instance, lifecycleState: 'InService' };
  for (const seconds of [0, 10])
    expect(
      await awaitTurn(
        { ...context, cluster, autoScaling, clock: { now: () => startedAt + seconds * 1000 } },
        { ...state, group: running, instance, waits: false, settings: context.settings.defaults },
      ),
    ).toMatchObject({ status: 'again', facts: { waitsFor: 'turn' } });
});

describe('instances that wait for their replacements', () => {
  const marks = (parts: Readonly<Record<string, Partial<LeavingMark>>>) =>
    Object.entries(parts).map(([id, mark]) => ({
      name: id,
      uid: `uid-${id}`,
      labels: {},
      annotations: {
        [leavingAnnotation]: formatLeavingMark(markedAt(startedAt, { instanceId: id, ...mark })),
      },
    }));
  const turnAmong = async (parts: Readonly<Record<string, Partial<LeavingMark>>>, tagged = false) => {
    const context = createWorld(1);
    const own = marks(parts).find(({ name }) => name === instanceId);
    const known = node();
    if (own) context.memory.remember(instanceId, { node: withMark(known, own.annotations), hasTwins: false });
    const cluster = {
      ...context.cluster,
      getMarkedNode: async (id: string) => nodeOf({ uid: `uid-${id}`, instanceId: id }),
      listNodeMetadata: async () => marks(parts),
    };
    const settings = { ...context.settings.defaults, awaitReplacement: tagged };
    return await awaitTurn({ ...context, cluster }, { ...state, settings });
  };
  const withMark = (one: Node, annotations: Readonly<Record<string, string>>): Node => ({
    ...one,
    metadata: { ...one.metadata, annotations },
  });
  const ended = { subject: { ...subject, redelivered: false } };

  it('occupy no slot, and take no turn before those that may begin now', async () => {
    expect(await turnAmong({ [ahead]: { awaiting: 'replacement' } })).toEqual(ended);
    expect(await turnAmong({ [ahead]: {} })).toMatchObject({ facts: { waitsFor: 'turn' } });
  });

  it('take turns like the others once it serves', async () => {
    expect(await turnAmong({ [ahead]: { awaiting: 'turn' } })).toMatchObject({ facts: { waitsFor: 'turn' } });
    expect(await turnAmong({ [instanceId]: { awaiting: 'turn' } })).toMatchObject({
      facts: { waitsFor: 'turn' },
    });
    const both = { [ahead]: { awaiting: 'replacement' }, [instanceId]: { awaiting: 'turn' } } as const;
    expect(await turnAmong(both)).toEqual({ subject });
  });

  it('are looked at without a turn while it is missing', async () => {
    expect(await turnAmong({ [instanceId]: { awaiting: 'replacement' } })).toEqual({
      subject,
      turnIsDue: true,
    });
    expect(await turnAmong({}, true)).toEqual({ ...ended, turnIsDue: true });
  });
});

it.each([
  ['waits behind a marked one whose group is not listed, because that one still leaves', 'unlisted', true],
  ['does not wait behind one that its group retains for an operator', 'Terminating:Retained', false],
  ['does not wait behind a Node whose mark cannot be read', 'unreadable', false],
] as const)('an instance %s', async (_, other, waits) => {
  const context = createWorld(1);
  const mark = other === 'unreadable' ? '{' : formatLeavingMark(markedAt(startedAt, { instanceId: ahead }));
  const marked = { name: 'node-0', uid: 'uid-0', labels: {}, annotations: { [leavingAnnotation]: mark } };
  const serving = 'i-00000000000000009';
  const states = {
    [serving]: 'InService',
    [instanceId]: 'Terminating:Wait',
    ...(other === 'Terminating:Retained' && { [ahead]: other }),
  };
  const cluster = {
    ...context.cluster,
    getMarkedNode: async () => nodeOf({ uid: 'uid-0', instanceId: ahead }),
    listNodeMetadata: async () => [marked],
  };
  context.autoScaling.listGroups = async () => [{ ...groupOf(states), tags }];
  const outcome = await awaitTurn({ ...context, cluster }, { ...state, settings: context.settings.defaults });
  expect('status' in outcome && outcome.status).toBe(waits && 'again');
});

describe('a mark that a kubelet wrote on its own Node', () => {
  const kubelets = 'i-0000000000000000f';
  const waiting = { [ahead]: 'Terminating:Wait', [instanceId]: 'Terminating:Wait', [kubelets]: 'InService' };

  /** The Node of `kubelets` has a mark that names another instance; one instance may leave at once. */
  function forged(named: string) {
    const context = createWorld(1);
    context.autoScaling.listGroups = async () => [{ ...groupOf(waiting), tags }];
    const node = nodeOf({ uid: 'uid-f', instanceId: kubelets });
    const annotations = {
      [leavingAnnotation]: formatLeavingMark(markedAt(startedAt, { instanceId: named })),
    };
    const reads: string[] = [];
    const cluster = {
      ...context.cluster,
      getMarkedNode: async (id: string) => {
        reads.push(id);
        return id === named ? node : undefined;
      },
      listNodeMetadata: async () => [{ name: 'node-f', uid: 'uid-f', labels: {}, annotations }],
    };
    const settings = context.settings.defaults;
    const turnOf = (id: string) => {
      const instance = { ...state.instance, instanceId: id };
      return awaitTurn(
        { ...context, cluster },
        { ...state, instance, subject: { ...subject, instanceId: id }, settings },
      );
    };
    return { turnOf, reads };
  }

  it('does not start the leave of the instance that it names', async () => {
    expect(await forged(instanceId).turnOf(instanceId)).toMatchObject({ facts: { waitsFor: 'turn' } });
  });

  it.each([
    ['an instance that waits behind', instanceId],
    ['an instance that serves', 'i-0000000000000000e'],
    ['an instance that does not exist', 'i-0dddddddddddddddd'],
  ])('does not occupy the slot of the next in turn by naming %s', async (_, named) => {
    expect(await forged(named).turnOf(ahead)).toEqual({
      subject: { ...subject, instanceId: ahead, redelivered: false },
    });
  });

  it('is compared with the providerID of the Node, which is read once', async () => {
    const { turnOf, reads } = forged('i-0dddddddddddddddd');
    await turnOf(instanceId);
    await turnOf(instanceId);
    expect(reads).toEqual(['i-0dddddddddddddddd']);
  });
});

it('a marked Node whose label names another instance is read by its name', async () => {
  const context = createWorld(1);
  const node = nodeOf({ uid: 'uid-0', instanceId: ahead });
  const annotations = { [leavingAnnotation]: formatLeavingMark(markedAt(startedAt, { instanceId: ahead })) };
  const cluster = {
    ...context.cluster,
    getMarkedNode: async () => undefined,
    getNode: async (name: string) => (name === 'node-0' ? node : undefined),
    listNodeMetadata: async () => [{ name: 'node-0', uid: 'uid-0', labels: {}, annotations }],
  };
  const states = { 'i-00000000000000009': 'InService', [instanceId]: 'Terminating:Wait' };
  context.autoScaling.listGroups = async () => [{ ...groupOf(states), tags }];
  const settings = context.settings.defaults;
  expect(await awaitTurn({ ...context, cluster }, { ...state, settings })).toMatchObject({
    facts: { waitsFor: 'turn' },
  });
  const recreated = { ...cluster, getNode: async () => nodeOf({ uid: 'uid-1', instanceId: ahead }) };
  expect(
    await awaitTurn(
      { ...createWorld(1), autoScaling: context.autoScaling, cluster: recreated },
      { ...state, settings },
    ),
  ).toMatchObject({ subject: { instanceId } });
});

it('a group that counts units says that units of instances are missing', async () => {
  const { context } = createNodeContext(startedAt, node());
  const state = leaveState({ noticedAt: startedAt, settings: context.settings.defaults });
  const group = {
    ...state.group,
    tags: { ...state.group.tags, 'drover.dev/role': 'control-plane' },
    desiredCapacity: 4,
    countsUnits: true as const,
  };
  const autoScaling = { ...context.autoScaling, listGroups: async () => [group] };
  expect(
    await awaitReplacement({ ...context, autoScaling }, { ...state, group, node: node() }),
  ).toMatchObject({ status: 'again', reason: expect.stringContaining('of its 4 units of instances') });
});

describe('an instance that is not admitted', () => {
  const createQueue = () => {
    const context = createWorld(1);
    const asked: string[] = [];
    const cluster = {
      ...context.cluster,
      getMarkedNode: async () => undefined,
      getNode: async (name: string) => {
        asked.push(name);
        return undefined;
      },
      listNodes: async () => [],
    };
    const completed: string[] = [];
    const autoScaling = {
      ...context.autoScaling,
      complete: async ({ instanceId: id }: LifecycleAction) => {
        completed.push(id);
        return 'completed' as const;
      },
    };
    const action = { autoScalingGroupName: 'workers', lifecycleHookName: 'drover-node-leaving', instanceId };
    const wait = (receiveCount: number, nodeDeleted?: true) =>
      awaitTurn(
        { ...context, cluster, autoScaling },
        {
          ...state,
          plan: { ...state.plan, action },
          settings: context.settings.defaults,
          subject: {
            ...subject,
            ...(nodeDeleted && { notices: [{ ...terminatingNotice(instanceId), nodeDeleted }] }),
            redelivered: receiveCount > 1,
            receiveCount,
          },
        },
      );
    return { wait, asked, completed, memory: context.memory };
  };

  it('asks for no Node in four of five passes, so that a long queue costs few requests', async () => {
    const { wait, asked } = createQueue();
    for (const receiveCount of [1, 2, 3, 4, 6])
      expect(await wait(receiveCount)).toMatchObject({ status: 'again', facts: { waitsFor: 'turn' } });
    expect(asked).toEqual([]);
  });

  it('needs no turn if its message says that its Node is deleted', async () => {
    const { wait } = createQueue();
    expect(await wait(2, true)).not.toHaveProperty('status');
  });

  it('completes its hook in the fifth pass if another environment has drained it', async () => {
    const { wait, completed } = createQueue();
    expect(await wait(5)).toMatchObject({ status: 'done' });
    expect(completed).toEqual([instanceId]);
  });

  it('completes its hook in the next pass of the environment that has drained it, however long ago', async () => {
    const { wait, completed, memory } = createQueue();
    memory.remember(instanceId, { nodeDeleted: true });
    expect(await wait(2)).toMatchObject({ status: 'done' });
    expect(completed).toEqual([instanceId]);
  });
});

it('a control plane is counted by fresh and consistent answers, since older ones still show the instance that has just left', async () => {
  const { context } = createNodeContext(startedAt, node());
  const asked: unknown[] = [];
  const autoScaling = {
    ...context.autoScaling,
    listGroups: async (notBefore?: number) => {
      asked.push(notBefore);
      return [];
    },
  };
  const cluster = {
    ...context.cluster,
    listNodes: async (consistency?: unknown) => {
      asked.push(consistency);
      return [];
    },
  };
  const state = leaveState({ noticedAt: startedAt, settings: context.settings.defaults });
  const group = { ...state.group, tags: { ...state.group.tags, 'drover.dev/role': 'control-plane' } };
  await awaitReplacement({ ...context, autoScaling, cluster }, { ...state, group, node: node() });
  expect(asked).toEqual([startedAt, 'consistent']);
});

it('no member of a control plane is counted as one that serves by the Node of another instance, which claims its providerID', async () => {
  const { context } = createNodeContext(startedAt, node());
  const state = leaveState({ noticedAt: startedAt, settings: context.settings.defaults });
  const replacement = 'i-0cccccccccccccccc';
  const group = {
    ...state.group,
    ...groupOf({ [state.instance.instanceId]: 'Terminating:Wait', [replacement]: 'InService' }),
    tags: { ...state.group.tags, 'drover.dev/role': 'control-plane' },
    desiredCapacity: 2,
  };
  const outcomeWith = (name: string) =>
    awaitReplacement(
      {
        ...context,
        autoScaling: { ...context.autoScaling, listGroups: async () => [group] },
        cluster: { ...context.cluster, listNodes: async () => [node({ name, instanceId: replacement })] },
        ec2: {
          describeInstance: async (instanceId) => ({
            instanceId,
            state: 'running',
            tags: {},
            privateIpAddress: '10.0.1.17',
          }),
        },
      },
      { ...state, group, node: node() },
    );
  expect(await outcomeWith('ip-10-0-1-18')).toMatchObject({ status: 'again' });
  expect(await outcomeWith('ip-10-0-1-17')).toEqual({});
});
