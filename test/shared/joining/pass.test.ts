import { describe, expect, it } from 'vitest';
import type { JoiningContext } from '../../../shared/joining/context.ts';
import type { JoiningNotice } from '../../../shared/joining/message.ts';
import { joiningPass } from '../../../shared/joining/pass.ts';
import {
  createJoiningWorld,
  joinedNode,
  joiningHook,
  joiningId,
  launchingNotice,
  privateDnsName,
  sweptNotice,
} from '../../support/joining-context.ts';

const pass = (context: JoiningContext, ...notices: readonly JoiningNotice[]) =>
  joiningPass(context, { instanceId: joiningId, notices: notices.length > 0 ? notices : [launchingNotice] });

describe('a pass over a launching instance', () => {
  it('completes the hook once its Node is Ready', async () => {
    const { context, calls, addNode } = createJoiningWorld();
    addNode(joinedNode());
    expect(await pass(context)).toMatchObject({ status: 'done', facts: { joinSeconds: 0 } });
    expect(calls).toEqual(['CONTINUE token']);
  });

  it('reports if something else completed the hook first, and does not count the join', async () => {
    const { context, addNode } = createJoiningWorld();
    addNode(joinedNode());
    const autoScaling = { ...context.autoScaling, complete: async () => 'not-active' as const };
    const outcome = await pass({ ...context, autoScaling });
    expect(outcome).toMatchObject({
      status: 'done',
      reason: expect.stringContaining('its hook waits no longer'),
      facts: { node: privateDnsName },
    });
    expect(outcome).not.toHaveProperty('facts.joinSeconds');
  });

  it.each([
    ['there is none', undefined, /no node yet/],
    ['it is not Ready', joinedNode({ ready: 'False' }), /not Ready: container runtime network not ready/],
    [
      'the Node of its name is of another instance',
      joinedNode({ instanceId: 'i-0f9e8d7c6b5a41302' }),
      /no node yet/,
    ],
  ])('waits for its Node while %s', async (_, node, reason) => {
    const { context, calls, addNode } = createJoiningWorld();
    if (node) addNode(node);
    expect(await pass(context)).toMatchObject({
      status: 'again',
      afterSeconds: 5,
      reason: expect.stringMatching(reason),
    });
    expect(calls).toEqual([]);
  });

  it('finds a Node of any name by its providerID', async () => {
    const { context, calls, addNode } = createJoiningWorld();
    addNode(joinedNode({ name: 'worker-17' }));
    expect(await pass(context)).toMatchObject({ status: 'done' });
    expect(calls).toContain('CONTINUE token');
  });

  it('ignores a Node whose providerID only ends with the id of the instance', async () => {
    const { context, calls, addNode } = createJoiningWorld();
    const node = joinedNode();
    addNode({ ...node, spec: { providerID: `aws:///eu-west-1a/fargate-${joiningId}` } });
    expect(await pass(context)).toMatchObject({ status: 'again', facts: { waitsFor: 'node' } });
    expect(calls).toEqual([]);
  });

  it.each(['ip-10-0-1-18.eu-west-1.compute.internal', 'i-0f9e8d7c6b5a41302'])(
    'is not in service by the Node %s of another instance, which claims its providerID',
    async (name) => {
      const { context, calls, addNode } = createJoiningWorld();
      addNode(joinedNode({ name }));
      expect(await pass(context)).toMatchObject({ status: 'again', facts: { waitsFor: 'node' } });
      expect(calls).toEqual([]);
    },
  );

  it('counts its deadline from the latest of its launch actions', async () => {
    const { context, elapse } = createJoiningWorld();
    elapse(1000);
    const later = { ...launchingNotice, noticedAt: new Date(context.clock.now()).toISOString() };
    expect(await pass(context, launchingNotice, later)).toMatchObject({ facts: { joinOverdueSeconds: 0 } });
  });

  it('writes no decision after it has ended, even if its Node cannot be read', async () => {
    const { context } = createJoiningWorld();
    const written: string[] = [];
    const decideRequestsOf = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      written.push('approved');
      return { decided: [], settled: [], others: [] };
    };
    const cluster = { ...context.cluster, getNode: () => Promise.reject(new Error('no answer')) };
    await expect(pass({ ...context, cluster, requests: { decideRequestsOf } })).rejects.toThrow('no answer');
    expect(written).toEqual(['approved']);
  });

  it('decides the certificate requests of its instance, and reports the verdicts', async () => {
    const { context } = createJoiningWorld();
    const asked: unknown[] = [];
    const requests: JoiningContext['requests'] = {
      decideRequestsOf: (instance) => {
        asked.push(instance);
        return Promise.reject(new Error('no answer'));
      },
    };
    expect(await pass({ ...context, requests })).toMatchObject({
      status: 'again',
      reason: 'it has no node yet; its certificate requests could not be decided: no answer',
    });
    expect(asked).toEqual([
      { instanceId: joiningId, privateDnsName: 'ip-10-0-1-17.eu-west-1.compute.internal' },
    ]);
  });

  it('completes the hook of a Ready Node even if its requests cannot be decided', async () => {
    const { context, addNode } = createJoiningWorld();
    addNode(joinedNode());
    const requests = { decideRequestsOf: () => Promise.reject(new Error('no answer')) };
    expect(await pass({ ...context, requests })).toMatchObject({ status: 'done' });
  });

  it('does not treat a failing API server as a missing Node', async () => {
    const { context, addNode } = createJoiningWorld();
    addNode(joinedNode());
    const cluster = { ...context.cluster, getNode: () => Promise.reject(new Error('no answer')) };
    await expect(pass({ ...context, cluster })).rejects.toThrow('no answer');
  });

  it.each(['InService', 'Pending:Proceed', 'Terminating:Wait', 'Standby'])(
    'has nothing to do for one that is %s',
    async (state) => {
      const { context, calls, addNode } = createJoiningWorld(state);
      addNode(joinedNode());
      expect(await pass(context)).toMatchObject({ status: 'done', reason: `it waits no longer (${state})` });
      expect(calls).toEqual([]);
    },
  );

  it('runs again soon while Auto Scaling has not begun the wait', async () => {
    const { context } = createJoiningWorld('Pending');
    expect(await pass(context)).toMatchObject({ status: 'again', afterSeconds: 5 });
  });

  it('leaves instances of other clusters alone', async () => {
    const { context, calls } = createJoiningWorld();
    const autoScaling = { ...context.autoScaling, describeGroup: async () => undefined };
    expect(await pass({ ...context, autoScaling })).toMatchObject({ status: 'done' });
    expect(calls).toEqual([]);
  });

  it('is done if the group does not have our hook', async () => {
    const { context } = createJoiningWorld();
    const hooks = [{ ...joiningHook, transition: 'terminating' as const }];
    const autoScaling = { ...context.autoScaling, describeHooks: async () => hooks };
    expect(await pass({ ...context, autoScaling })).toMatchObject({
      status: 'done',
      reason: expect.stringContaining('has no hook drover-node-joining'),
    });
  });

  it('does nothing while its group is paused, and reports how long that can last', async () => {
    const { context, calls, group, addNode } = createJoiningWorld();
    addNode(joinedNode());
    const describeGroup = async () => group({ 'drover.dev/paused': 'scope=group by=ana' });
    const autoScaling = { ...context.autoScaling, describeGroup };
    const requests = {
      decideRequestsOf: async () => {
        calls.push('decide');
        return { decided: [], settled: [], others: [] };
      },
    };
    expect(await pass({ ...context, autoScaling, requests })).toMatchObject({
      status: 'again',
      reason:
        'paused for the group by ana; the wait can be held until 2026-11-21T15:19:30.000Z, then CONTINUE ends it, the default result of drover-node-joining',
    });
    expect(calls).toEqual([]);
  });

  it('is done if its group is not tagged as this cluster’s, and changes nothing', async () => {
    const { context, calls, group, addNode } = createJoiningWorld();
    addNode(joinedNode());
    const describeGroup = async () => ({ ...group(), tags: { 'drover.dev/role': 'worker' } });
    const autoScaling = { ...context.autoScaling, describeGroup };
    expect(await pass({ ...context, autoScaling })).toMatchObject({
      status: 'done',
      reason: "its group workers is not tagged as this cluster's",
    });
    expect(calls).toEqual([]);
  });

  it('takes the Ready one of two Nodes of the instance: a kubelet may have joined again under another name', async () => {
    const { context, addNode } = createJoiningWorld();
    addNode(joinedNode({ ready: 'False' }));
    addNode(joinedNode({ name: joiningId }));
    expect(await pass(context)).toMatchObject({
      status: 'done',
      reason: expect.stringContaining(`node ${joiningId} is Ready`),
    });
  });

  it('is held past the deadline that the tag of its group sets, and reported as overdue', async () => {
    const { context, calls, group, elapse } = createJoiningWorld();
    const describeGroup = async () => group({ 'drover.dev/join-timeout': '5m' });
    const autoScaling = { ...context.autoScaling, describeGroup };
    elapse(310);
    expect(await pass({ ...context, autoScaling })).toMatchObject({
      status: 'again',
      reason: expect.stringContaining('it should have joined 10 s ago'),
      facts: { joinOverdueSeconds: 10 },
    });
    expect(calls).toEqual([expect.stringContaining('why: ')]);
  });

  it('names a tag that it cannot read, and uses the default', async () => {
    const { context, group } = createJoiningWorld();
    const describeGroup = async () => group({ 'drover.dev/join-timeout': 'soon' });
    const autoScaling = { ...context.autoScaling, describeGroup };
    expect(await pass({ ...context, autoScaling })).toMatchObject({
      reason: expect.stringContaining('tag drover.dev/join-timeout is not a duration'),
    });
  });

  it('counts from the launch action, or from when the sweep found it if that was lost', async () => {
    const { context, elapse } = createJoiningWorld();
    const found = { ...sweptNotice, noticedAt: '2026-11-21T07:10:00.000Z' };
    elapse(730);
    expect(await pass(context, launchingNotice, found)).toMatchObject({ facts: { joinOverdueSeconds: 10 } });
    expect(await pass(context, found)).toMatchObject({ facts: { joinOverdueSeconds: 0 } });
  });
});

describe('a Ready Node', () => {
  const withTags = (tags: Readonly<Record<string, string>>) => {
    const world = createJoiningWorld();
    const describeGroup = async () => world.group(tags);
    const { context } = world;
    return { ...world, context: { ...context, autoScaling: { ...context.autoScaling, describeGroup } } };
  };
  const template = {
    'drover.dev/apply-node-template': 'true',
    'k8s.io/cluster-autoscaler/node-template/label/tier': 'spot',
  };

  it('serves once its startup taints are gone', async () => {
    const { context, addNode } = createJoiningWorld();
    const node = joinedNode();
    const taints = [{ key: 'node.cilium.io/agent-not-ready', effect: 'NoSchedule' }];
    addNode({ ...node, spec: { ...node.spec, taints } });
    expect(await pass(context)).toMatchObject({
      status: 'again',
      reason: expect.stringContaining('still has the taint node.cilium.io/agent-not-ready'),
      facts: { waitsFor: 'taints' },
    });
    addNode(node);
    expect(await pass(context)).toMatchObject({ status: 'done' });
  });

  // aws/karpenter-provider-aws#7426, #8106, rancher/rke2#7822, hetznercloud/hcloud-cloud-controller-manager#611: a Ready node took no pod.
  it.each([
    ['node.cloudprovider.kubernetes.io/uninitialized', 'cloud-controller-manager'],
    ['node.cluster.x-k8s.io/uninitialized', 'Cluster API'],
  ])(
    'does not serve while it is Ready and still has the taint %s, which %s removes',
    async (key, remover) => {
      const { context, addNode } = createJoiningWorld();
      const node = joinedNode();
      addNode({ ...node, spec: { ...node.spec, taints: [{ key, value: 'true', effect: 'NoSchedule' }] } });
      expect(await pass(context)).toMatchObject({
        status: 'again',
        reason: expect.stringContaining(`still has the taint ${key}, which ${remover} removes`),
        facts: { waitsFor: 'taints' },
      });
      addNode(node);
      expect(await pass(context)).toMatchObject({ status: 'done' });
    },
  );

  it('serves once the DaemonSets that its group names have their pods', async () => {
    const { context, addNode, pods } = withTags({ 'drover.dev/wait-for-daemonsets': 'kube-system/aws-node' });
    addNode(joinedNode());
    expect(await pass(context)).toMatchObject({
      status: 'again',
      reason: expect.stringContaining('has no Ready pod of kube-system/aws-node'),
    });
    pods.push({
      metadata: {
        namespace: 'kube-system',
        ownerReferences: [
          { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'aws-node', uid: 'u', controller: true },
        ],
      },
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    });
    expect(await pass(context)).toMatchObject({ status: 'done' });
  });

  it('reads its pods from a consistent list: the watch cache may show those of an older Node of its name', async () => {
    const { context, addNode } = withTags({ 'drover.dev/wait-for-daemonsets': 'kube-system/aws-node' });
    addNode(joinedNode());
    const lists: unknown[] = [];
    const cluster: JoiningContext['cluster'] = {
      ...context.cluster,
      listPodsOnNode: async (...list) => {
        lists.push(list);
        return [];
      },
    };
    await pass({ ...context, cluster });
    expect(lists).toEqual([[privateDnsName, 'consistent']]);
  });

  it('gets the labels of its group, before it is Ready', async () => {
    const { context, addNode, calls } = withTags(template);
    addNode(joinedNode({ ready: 'False' }));
    expect(await pass(context)).toMatchObject({ status: 'again' });
    expect(calls.at(-1)).toContain('"labels":{"tier":"spot"}');
  });

  it.each(['NoSchedule', 'NoSchedule:gpu', 'gpu:noschedule'])(
    'does not serve while a tag of its group declares the taint %s, which cannot be read',
    async (value) => {
      const tag = 'k8s.io/cluster-autoscaler/node-template/taint/nvidia.com/gpu';
      const { context, addNode, calls } = withTags({ ...template, [tag]: value });
      addNode(joinedNode());
      const waiting = {
        status: 'again',
        reason: expect.stringContaining(`lacks labels or taints of its group: tag ${tag} is "${value}"`),
        facts: { waitsFor: 'labels' },
      };
      expect(await pass(context)).toMatchObject(waiting);
      // What can be read is set once.
      expect(calls.filter((call) => call.includes('"labels":{"tier":"spot"}'))).toHaveLength(1);
      expect(calls).not.toContain('CONTINUE token');
    },
  );

  it('gets no labels if its group is not configured for it', async () => {
    const { context, addNode, calls } = withTags({ ...template, 'drover.dev/apply-node-template': 'false' });
    addNode(joinedNode());
    await pass(context);
    expect(calls.filter((call) => call.startsWith('PATCH'))).toEqual([]);
  });

  it('is read again if another Node has its name by then', async () => {
    const { context, addNode, calls } = withTags(template);
    addNode(joinedNode());
    const patchNode = () => Promise.reject(Object.assign(new Error('another uid'), { kind: 'conflict' }));
    const cluster = { ...context.cluster, patchNode };
    await expect(pass({ ...context, cluster })).rejects.toThrow('another uid');
    expect(calls).not.toContain('CONTINUE token');
  });

  it('does not serve without them, and the reason shows why it could not get them', async () => {
    const { context, addNode, calls } = withTags(template);
    addNode(joinedNode());
    const cluster = { ...context.cluster, patchNode: () => Promise.reject(new Error('denied')) };
    expect(await pass({ ...context, cluster })).toMatchObject({
      status: 'again',
      reason: expect.stringContaining('lacks labels or taints of its group: denied'),
    });
    expect(calls).not.toContain('CONTINUE token');
  });
});

describe('an instance that is launched into its warm pool', () => {
  it('is held until it completes its hook itself', async () => {
    const { context, calls, addNode } = createJoiningWorld('Warmed:Pending:Wait');
    addNode(joinedNode());
    expect(await pass(context, { ...launchingNotice, destination: 'WarmPool' })).toMatchObject({
      status: 'again',
      reason: 'it is launched into the warm pool, and completes its hook itself',
    });
    expect(calls).toEqual([]);
  });

  it('is not given up past the deadline of a join, however its group is configured', async () => {
    const { context, calls, group, elapse } = createJoiningWorld('Warmed:Pending:Wait');
    const describeGroup = async () => group({ 'drover.dev/on-join-failure': 'ABANDON' });
    elapse(721);
    const abandoning = { ...context, autoScaling: { ...context.autoScaling, describeGroup } };
    expect(await pass(abandoning)).toMatchObject({ status: 'again' });
    expect(calls).toEqual([]);
  });

  it('has the time for its user data that the tag of its group sets', async () => {
    const { context, calls, group, elapse } = createJoiningWorld('Warmed:Pending:Wait');
    const describeGroup = async () => group({ 'drover.dev/warm-pool-wait': '2m' });
    const withTag = { ...context, autoScaling: { ...context.autoScaling, describeGroup } };
    elapse(110);
    expect(await pass(withTag)).toMatchObject({
      reason: 'it is launched into the warm pool, and its user data has 10 s left',
    });
    elapse(10);
    expect(await pass(withTag)).toMatchObject({ status: 'done', facts: { toWarmPool: true } });
    expect(calls.at(-1)).toBe('CONTINUE token');
  });
});
