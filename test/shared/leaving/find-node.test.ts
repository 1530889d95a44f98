import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import type { Ec2Instance } from '../../../shared/groups/ec2.ts';
import {
  findNode,
  searchMarkedNode,
  searchNode,
  whyInstanceIsGone,
} from '../../../shared/leaving/find-node.ts';
import type { Consistency } from '../../../shared/nodes/cluster.ts';
import { formatLeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import { leavingAnnotation } from '../../../shared/nodes/node-keys.ts';
import type { LeavingNotice } from '../../../shared/passes/leaving-notice.ts';
import { leaveState, markedAt } from '../../support/leave-state.ts';
import { createNodeContext } from '../../support/leaving-context.ts';
import { node } from '../../support/pods.ts';

const [first, second] = ['i-0a1b2c3d4e5f60718', 'i-0f9e8d7c6b5a41302'] as const;

const dnsNameOf = (instanceId: string): string => `${instanceId}.example.internal`;
const nodeOf = (instanceId: string, name = dnsNameOf(instanceId)): Node => ({
  metadata: { name, uid: `uid of ${instanceId}` },
  spec: { providerID: `aws:///eu-west-1a/${instanceId}` },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
});

function createSearch(
  nodes: readonly Node[],
  marked: Readonly<Record<string, Node>> = {},
  beforeAnswer: () => Promise<void> = async () => {},
) {
  const { context, replaceNode } = createNodeContext(0, {});
  for (const node of nodes) replaceNode(node);
  const asked: string[] = [];
  const lists: (Consistency | undefined)[] = [];
  const ec2 = {
    describeInstance: async (instanceId: string) => {
      asked.push(instanceId);
      await beforeAnswer();
      const privateDnsName = dnsNameOf(instanceId);
      return {
        instanceId,
        state: 'running' as const,
        tags: {},
        privateDnsName,
        privateIpAddress: '10.0.1.17',
        availabilityZone: 'eu-west-1a',
      };
    },
  };
  let rounds = 0;
  let waiting = 0;
  const cluster = {
    ...context.cluster,
    getNode: async (name: string) => {
      if (waiting === 0) rounds += 1;
      waiting += 1;
      await Promise.resolve();
      waiting -= 1;
      return await context.cluster.getNode(name);
    },
    listNodes: (consistency?: Consistency) => {
      lists.push(consistency);
      return context.cluster.listNodes(consistency);
    },
    getMarkedNode: (instanceId: string) => Promise.resolve(marked[instanceId]),
  };
  const searchTwins = (redelivered = false, notices: readonly LeavingNotice[] = []) =>
    searchNode({ ...context, cluster, ec2 }, { instanceId: first, notices, redelivered });
  const searchMarked = () =>
    searchMarkedNode({ ...context, cluster, ec2 }, { instanceId: first, notices: [], redelivered: true });
  const search = async (...input: Parameters<typeof searchTwins>) => (await searchTwins(...input))?.node;
  return { search, searchMarked, searchTwins, asked, lists, rounds: () => rounds };
}

describe('the search for the Node of an instance', () => {
  it('tries the names that EC2 suggests, and remembers the Node', async () => {
    const { search, asked } = createSearch([nodeOf(first), nodeOf(second)]);
    expect(await search()).toEqual(nodeOf(first));
    expect(await search()).toEqual(nodeOf(first));
    expect(asked).toEqual([first]);
  });

  it.each([
    [false, 2],
    [true, 1],
  ])(
    'asks for the likely names in few rounds where the message was redelivered: %s',
    async (redelivered, rounds) => {
      const { search, rounds: asked } = createSearch([]);
      await search(redelivered);
      expect(asked()).toBe(rounds);
    },
  );

  it('reads no list of all Nodes if a message says that the Node is deleted', async () => {
    const notice = { cause: 'terminating', instanceId: first, noticedAt: '2026-11-21T07:00:00Z' } as const;
    const { search, lists } = createSearch([nodeOf(first, 'another-name')]);
    expect(await search(true, [{ ...notice, nodeDeleted: true }])).toBeUndefined();
    expect(lists).toEqual([]);
  });

  it('reads the list of all Nodes if the message that the Node is deleted is about an earlier wait', async () => {
    const hook = { autoScalingGroupName: 'workers', lifecycleHookName: 'drover-node-leaving' };
    const waiting = (lifecycleActionToken: string) => ({
      cause: 'terminating' as const,
      instanceId: first,
      noticedAt: '2026-11-21T07:00:00Z',
      hook: { ...hook, lifecycleActionToken },
    });
    const deleted = { ...waiting('1'), nodeDeleted: true as const };
    const { search, lists } = createSearch([nodeOf(first, 'another-name')]);
    expect(await search(true, [deleted, waiting('1')])).toBeUndefined();
    expect(lists).toEqual([]);
    expect(await search(true, [deleted, waiting('2')])).toEqual(nodeOf(first, 'another-name'));
  });

  it('finds a Node that was created again after a message said that it is deleted', async () => {
    const notice = { cause: 'terminating', instanceId: first, noticedAt: '2026-11-21T07:00:00Z' } as const;
    const { search } = createSearch([nodeOf(first)]);
    expect(await search(true, [{ ...notice, nodeDeleted: true }])).toEqual(nodeOf(first));
  });

  it('tries the name that a notice gives, without reading EC2', async () => {
    const { search, asked } = createSearch([nodeOf(first, 'by-hand')]);
    const notice = { cause: 'swept', instanceId: first, noticedAt: '2026-11-21T07:00:00Z' } as const;
    expect(await search(false, [{ ...notice, nodeName: 'by-hand' }])).toEqual(nodeOf(first, 'by-hand'));
    expect(asked).toEqual([]);
  });

  it('finds a marked Node by its label when the message was redelivered, whatever its name', async () => {
    const byHand = nodeOf(first, 'by-hand');
    const { search, asked } = createSearch([byHand], { [first]: byHand });
    expect(await search(true)).toEqual(byHand);
    expect(asked).toEqual([]);
  });

  it('tries the names if no Node is marked, or if the marked Node belongs to another instance', async () => {
    const ofAnother: Readonly<Record<string, Node>> = { [first]: nodeOf(second) };
    for (const marked of [{}, ofAnother]) {
      const { search } = createSearch([nodeOf(first)], marked);
      expect(await search(true)).toEqual(nodeOf(first));
    }
  });

  it('reads the list of all nodes if a Node with a likely name belongs to another instance', async () => {
    const { search } = createSearch([nodeOf(second, dnsNameOf(first)), nodeOf(first, 'by-hand')]);
    expect(await search()).toEqual(nodeOf(first, 'by-hand'));
  });

  const compromised = nodeOf(first, 'ip-10-0-1-18.eu-west-1.compute.internal');

  it.each([
    ['in the list', {}, []],
    ['by the label of its mark', { [first]: compromised }, []],
    ['by the name that a notice gives', {}, [compromised.metadata?.name ?? '']],
  ])('never finds the Node of another instance that claims the providerID: %s', async (_, marked, told) => {
    const notices = told.map((nodeName) => ({
      cause: 'swept' as const,
      instanceId: first,
      noticedAt: '2026-11-21T07:00:00Z',
      nodeName,
    }));
    const { search } = createSearch([compromised], marked);
    expect(await search(true, notices)).toBeUndefined();
  });

  it('finds its own Node, and no twin, beside one of another instance that claims the providerID', async () => {
    const own = silent(nodeOf(first), '2026-11-21T07:00:00Z');
    const { searchTwins } = createSearch([own, compromised]);
    expect(await searchTwins()).toEqual({ node: own, hasTwins: false });
  });

  it('finds a Node under the name of its own address, without the domain', async () => {
    const short = nodeOf(first, 'ip-10-0-1-17');
    expect(await createSearch([short]).search()).toEqual(short);
  });

  it('finds a marked Node while EC2 does not respond: a drain does not wait for EC2', async () => {
    const marked = nodeOf(first, 'ip-10-0-1-17');
    const { search } = createSearch([marked], { [first]: marked }, () => Promise.reject(new Error('away')));
    expect(await search(true)).toEqual(marked);
  });

  it('finds none if no listed node has the providerID', async () => {
    const { search } = createSearch([nodeOf(second)]);
    expect(await search()).toBeUndefined();
  });

  it('accepts only a consistent list as proof that there is none, because the watch cache may be older than the Node', async () => {
    const { search, lists } = createSearch([nodeOf(second)]);
    await search();
    expect(lists).toEqual(['consistent']);
  });

  it('searches for other Nodes of the instance even if the marked one is remembered', async () => {
    const stale = silent(nodeOf(first), '2026-11-21T07:00:00Z');
    const living = nodeOf(first, 'by-hand');
    const { searchMarked, searchTwins } = createSearch([stale, living], { [first]: stale });
    expect(await searchMarked()).toEqual(stale);
    expect(await searchTwins(true)).toEqual({ node: living, hasTwins: true });
  });

  it.each<[string, Partial<Node>]>([
    ['that is Ready', { status: { conditions: [{ type: 'Ready', status: 'True' }] } }],
    ['that is newer, if none is Ready', { metadata: { creationTimestamp: '2026-11-21T08:00:00Z' } }],
  ])('of two Nodes of the instance finds the one %s, whatever their names', async (_, parts) => {
    const stale = silent(nodeOf(first), '2026-11-21T07:00:00Z');
    const named = silent(nodeOf(first, 'by-hand'), '2026-11-20T07:00:00Z');
    const living = { ...named, ...parts, metadata: { ...named.metadata, ...parts.metadata } };
    for (const nodes of [
      [stale, living],
      [living, stale],
    ]) {
      const { searchTwins } = createSearch(nodes, { [first]: stale });
      expect(await searchTwins(true)).toEqual({ node: living, hasTwins: true });
      expect(await searchTwins(true)).toEqual({ node: living, hasTwins: true });
    }
  });
});

const silent = (node: Node, creationTimestamp: string): Node => ({
  ...node,
  metadata: { ...node.metadata, creationTimestamp },
  status: { conditions: [{ type: 'Ready', status: 'Unknown' }] },
});

const markedTime = Date.parse('2026-11-21T07:00:00Z');
const noticedAt = markedTime + 600_000;

it('a pass counts the drain timeout from the time in the mark of the Node, although the notice at hand is newer', async () => {
  const annotations = { [leavingAnnotation]: formatLeavingMark(markedAt(markedTime)) };
  const { context } = createNodeContext(noticedAt, node({ name: 'named-by-notice', annotations }));
  const settings = context.settings.defaults;
  const state = leaveState({ noticedAt, settings });
  const notices = state.subject.notices.map((notice) => ({ ...notice, nodeName: 'named-by-notice' }));
  const found = await findNode(context, { ...state, subject: { ...state.subject, notices } });
  expect(found).toMatchObject({
    mark: { since: new Date(markedTime).toISOString() },
    plan: { since: markedTime, deadlines: { deadline: markedTime + settings.drainTimeoutSeconds * 1000 } },
  });
});

const instanceId = 'i-0a1b2c3d4e5f60718';

const nodeThat = (ready: 'True' | 'False' | 'Unknown'): Node => ({
  metadata: { name: 'node-1', uid: 'uid-1' },
  status: { conditions: [{ type: 'Ready', status: ready }] },
});

const inState = (state: Ec2Instance['state']): Ec2Instance => ({ instanceId, state, tags: {} });

/** Whether the instance counts as gone, and how often EC2 was asked for it. */
async function look(
  ready: 'True' | 'False' | 'Unknown',
  { now, seen }: { readonly now?: Ec2Instance['state']; readonly seen?: Ec2Instance['state'] },
) {
  const node = nodeThat(ready);
  const { context } = createNodeContext(0, node);
  let asked = 0;
  const ec2 = {
    describeInstance: () => {
      asked += 1;
      return Promise.resolve(now && inState(now));
    },
  };
  const gone = await whyInstanceIsGone({ ...context, ec2 }, { instanceId, node, ec2: seen && inState(seen) });
  return { gone: gone !== undefined, asked };
}

describe('an instance that still waits on a hook', () => {
  it('is not looked up in EC2 while its kubelet reports, ready or not', async () => {
    expect(await look('True', { now: 'terminated' })).toEqual({ gone: false, asked: 0 });
    expect(await look('False', { now: 'terminated' })).toEqual({ gone: false, asked: 0 });
  });

  it.each([
    ['terminated', true],
    ['shutting-down', true],
    ['running', false],
    ['stopping', false],
    ['stopped', false],
  ] as const)('is asked about once its kubelet is silent; %s: gone is %s', async (now, gone) => {
    expect(await look('Unknown', { now })).toEqual({ gone, asked: 1 });
  });

  it('is not gone because EC2 does not know it: EC2 may know it a minute later', async () => {
    expect(await look('Unknown', {})).toEqual({ gone: false, asked: 1 });
  });

  it('is gone once EC2 reports it terminated, whatever its Node says, but not while it shuts down', async () => {
    expect(await look('True', { seen: 'terminated' })).toEqual({ gone: true, asked: 0 });
    expect(await look('True', { seen: 'shutting-down' })).toEqual({ gone: false, asked: 0 });
    expect(await look('Unknown', { seen: 'shutting-down' })).toEqual({ gone: true, asked: 0 });
  });
});
