import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { findNode } from '../../../../shared/draining/leaving/find-node.ts';
import type { LeaveTerms } from '../../../../shared/draining/leaving/terms.ts';
import type { AutoScalingGroup } from '../../../../shared/lifecycle/group.ts';
import { createNodeWorld } from '../../../support/leaving-world.ts';
import { groupOf } from '../../../support/waiting-group.ts';

const [first, second, third] = ['i-0a1b2c3d4e5f60718', 'i-0f9e8d7c6b5a41302', 'i-0123456789abcdef0'] as const;

const dnsNameOf = (instanceId: string): string => `${instanceId}.example.internal`;
const nodeOf = (instanceId: string, name = dnsNameOf(instanceId)): Node => ({
  metadata: { name, uid: `uid of ${instanceId}` },
  spec: { providerID: `aws:///eu-west-1a/${instanceId}` },
});

const termsOf = (instanceId: string, group: AutoScalingGroup, mustHurry = false): LeaveTerms => ({
  instance: {
    instanceId,
    autoScalingGroupName: 'workers',
    lifecycleState: 'Terminating:Wait',
    availabilityZone: 'eu-west-1a',
    healthy: true,
  },
  group,
  settings: createNodeWorld(0, {}).world.settings.defaults,
  cause: 'terminating',
  etcdHookStands: false,
  toWarmPool: false,
  since: 0,
  toldAt: 0,
  deadlines: { deadline: Infinity, limit: Infinity },
  mustHurry,
});

function createWorld(
  nodes: readonly Node[] = [first, second, third].map((id) => nodeOf(id)),
  marked: Readonly<Record<string, Node>> = {},
) {
  const { world, replaceNode } = createNodeWorld(0, {});
  for (const node of nodes) replaceNode(node);
  const asked: string[] = [];
  const ec2 = {
    describeInstance: (instanceId: string) => {
      asked.push(instanceId);
      const privateDnsName = dnsNameOf(instanceId);
      return Promise.resolve({
        instanceId,
        state: 'running' as const,
        spot: false,
        tags: {},
        privateDnsName,
      });
    },
  };
  const cluster = {
    ...world.cluster,
    getMarkedNode: (instanceId: string) => Promise.resolve(marked[instanceId]),
  };
  const find = (terms: LeaveTerms, redelivered = false) =>
    findNode(
      { ...world, cluster, ec2 },
      { instanceId: terms.instance.instanceId, notices: [], redelivered },
      terms,
    );
  return { find, asked, world };
}

describe('finding the Node of an instance', () => {
  it('asks EC2 for the names of the next ones too where one leaves alone, and not again when they do', async () => {
    const { find, asked } = createWorld();
    const alone = groupOf({ [first]: 'Terminating:Wait', [second]: 'InService', [third]: 'Pending' });
    expect(await find(termsOf(first, alone))).toEqual(nodeOf(first));
    expect(asked).toEqual([first, second]);
    const next = groupOf({ [second]: 'Terminating:Wait', [third]: 'InService' });
    expect(await find(termsOf(second, next))).toEqual(nodeOf(second));
    expect(asked).toEqual([first, second]);
  });

  it('asks for as many as one call of EC2 takes', async () => {
    const { find, asked } = createWorld();
    const many = Array.from({ length: 300 }, (_, index) => [`i-${index}`, 'InService'] as const);
    await find(termsOf(first, groupOf({ [first]: 'Terminating:Wait', ...Object.fromEntries(many) })));
    expect(asked).toHaveLength(100);
  });

  it.each([
    [
      'others leave too',
      { [first]: 'Terminating:Wait', [second]: 'Terminating:Wait', [third]: 'InService' },
      false,
    ],
    ['it has to hurry', { [first]: 'Terminating:Wait', [second]: 'InService' }, true],
  ])('asks for itself alone where %s', async (_, states, mustHurry) => {
    const { find, asked } = createWorld();
    await find(termsOf(first, groupOf(states), mustHurry));
    expect(asked).toEqual([first]);
  });

  it('that comes back is by its mark, whatever its name', async () => {
    const byHand = nodeOf(first, 'by-hand');
    const { find, asked } = createWorld([byHand], { [first]: byHand });
    expect(await find(termsOf(first, groupOf({ [first]: 'Terminating:Wait' })), true)).toEqual(byHand);
    expect(asked).toEqual([]);
  });

  it('that comes back unmarked, or whose mark another Node carries, is by its name', async () => {
    const group = groupOf({ [first]: 'Terminating:Wait' });
    const stranger: Readonly<Record<string, Node>> = { [first]: nodeOf(second) };
    for (const marks of [{}, stranger]) {
      const { find } = createWorld(undefined, marks);
      expect(await find(termsOf(first, group), true)).toEqual(nodeOf(first));
    }
  });

  it('trusts no name that it has kept: a Node under it may belong to another instance by now', async () => {
    const { find, asked, world } = createWorld([nodeOf(second, dnsNameOf(first)), nodeOf(first, 'by-hand')]);
    world.memory.rememberNames(first, [dnsNameOf(first)]);
    expect(await find(termsOf(first, groupOf({ [first]: 'Terminating:Wait' })))).toEqual(
      nodeOf(first, 'by-hand'),
    );
    expect(asked).toEqual([]);
  });
});
