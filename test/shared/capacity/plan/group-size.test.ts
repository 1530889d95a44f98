import { describe, expect, it } from 'vitest';
import {
  type GroupSize,
  type GroupSizeRequest,
  outsideGroup,
  sizeFor,
} from '../../../../shared/capacity/plan/group-size.ts';
import { reasonsMessage } from '../../../../shared/capacity/plan/reasons.ts';
import type { OccupiedNode, PlannedPod } from '../../../../shared/capacity/plan/types.ts';
import { groupOf, type NodeSettings, occupied, type PodSettings, planned, replicas } from './fixtures.ts';

const half: PodSettings = { requests: { cpu: '2', memory: '1Gi' } };

const node = (name: string, settings: NodeSettings = {}): OccupiedNode =>
  occupied(name, { autoScalingGroupName: 'workers', ...settings });

const running = (count: number, name: string, nodeName: string, settings: PodSettings = half) =>
  replicas(count, name, { ...settings, spec: { ...settings.spec, nodeName } });

const sizeOf = (
  settings: Partial<Omit<GroupSizeRequest, 'open'>> & { readonly open?: readonly PlannedPod[] },
): GroupSize =>
  sizeFor({
    nodes: [],
    autoScalingGroupName: 'workers',
    template: groupOf('workers').template,
    maxSize: 20,
    joining: new Set(),
    withoutRoom: 0,
    ...settings,
    open: new Map([['sale', settings.open ?? []]]),
  });

describe('the size of a group for pods', () => {
  it('is met if the open pods fit on its Ready nodes', () => {
    const size = sizeOf({ nodes: [node('a1')], open: replicas(2, 'web', half) });
    expect([size.isMet, size.size, size.placedNow]).toEqual([true, 1, new Map([['sale', 2]])]);
  });

  it('is today’s Ready nodes and what the rest of the pods needs', () => {
    const size = sizeOf({ nodes: [node('a1')], open: replicas(7, 'web', half) });
    expect([size.isMet, size.size, size.placedNow]).toEqual([false, 4, new Map([['sale', 2]])]);
  });

  it('is the same before, while and after its nodes join', () => {
    const open = replicas(7, 'web', half);
    const joining = node('a2', { ready: false });
    const ready = ['a2', 'a3', 'a4'].map((name) => node(name));
    expect([
      sizeOf({ nodes: [node('a1')], open }).size,
      sizeOf({ nodes: [node('a1'), joining], joining: new Set(['a2']), open }).size,
      sizeOf({ nodes: [node('a1'), ...ready], open }).size,
    ]).toEqual([4, 4, 4]);
  });

  it('counts no place on a node that is still joining', () => {
    const nodes = [node('a1', { ready: false })];
    const size = sizeOf({ nodes, joining: new Set(['a1']), open: replicas(2, 'web', half) });
    expect([size.isMet, size.size, size.placedNow.get('sale')]).toEqual([false, 1, 0]);
  });

  it('does not grow for pods that spread over hosts while a node joins', () => {
    const web: PodSettings = {
      ...half,
      labels: { app: 'web' },
      spec: {
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'kubernetes.io/hostname',
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: { matchLabels: { app: 'web' } },
          },
        ],
      },
    };
    const open = replicas(6, 'web', web);
    const nodes = [node('a1'), node('a2', { ready: false })];
    expect(sizeOf({ nodes, joining: new Set(['a2']), open }).size).toBe(3);
  });

  it('counts instances without room beside those that give room', () => {
    const nodes = [node('a1'), node('a2', { unschedulable: true }), node('a3', { ready: false })];
    expect(sizeOf({ nodes, withoutRoom: 2, open: replicas(4, 'web', half) }).size).toBe(4);
  });

  it('leaves out nodes whose pods have a place on the others', () => {
    const nodes = [
      node('a1', { pods: running(1, 'web', 'a1') }),
      node('a2', { pods: running(1, 'db', 'a2') }),
      node('a3'),
    ];
    expect(sizeOf({ nodes }).size).toBe(1);
    expect(sizeOf({ nodes, open: replicas(1, 'new', half) }).size).toBe(2);
  });

  it('keeps a node for a pod that fits nowhere else, and passes over it', () => {
    const tied = running(1, 'tied', 'a1', {
      requests: { cpu: '100m' },
      spec: { nodeSelector: { 'kubernetes.io/hostname': 'a1' } },
    });
    const nodes = [
      node('a1', { pods: tied }),
      node('a2', { pods: running(1, 'web', 'a2') }),
      node('a3', { pods: running(1, 'web', 'a3') }),
    ];
    expect(sizeOf({ nodes }).size).toBe(2);
  });

  it('keeps an empty node that is needed, although another could be emptied: an autoscaler terminates the empty one', () => {
    const agent = running(1, 'agent', 'a1', { requests: { cpu: '2' } }).map(
      (pod): PlannedPod => ({ ...pod, comesWithNode: 'static' }),
    );
    const db = running(1, 'db', 'a1', { requests: { cpu: '1' } });
    const nodes = [node('a1', { pods: [...agent, ...db] }), node('a2'), node('a3')];
    // The pod of a1 fits beside the open ones on the others. Without an empty node, two of these have no place.
    const open = replicas(4, 'web', { requests: { cpu: '1500m' } });
    expect(sizeOf({ nodes, open }).size).toBe(3);
    expect(sizeOf({ nodes: nodes.slice(0, 2), open }).size).toBe(3);
  });

  it('moves no pods of DaemonSets, no static and no terminating pods', () => {
    const [pod] = running(1, 'any', 'a1');
    if (pod === undefined) throw new Error('there is no pod');
    const pods: readonly PlannedPod[] = [
      { ...pod, comesWithNode: 'static' },
      { ...pod, comesWithNode: { daemonSet: 'shop/agent' } },
      { ...pod, isTerminating: true },
    ];
    expect(sizeOf({ nodes: [node('a1', { pods })] }).size).toBe(0);
  });

  it('takes no room on nodes of other groups, whose pods count for anti-affinity', () => {
    const apart: PodSettings = {
      labels: { app: 'web' },
      spec: {
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              {
                topologyKey: 'topology.kubernetes.io/zone',
                labelSelector: { matchLabels: { app: 'web' } },
              },
            ],
          },
        },
      },
    };
    const free = occupied('b1', {
      autoScalingGroupName: 'others',
      labels: { 'topology.kubernetes.io/zone': 'b' },
    });
    expect(sizeOf({ nodes: [free], open: replicas(1, 'web', apart) }).size).toBe(1);
    const taken = occupied('b2', { pods: running(1, 'web', 'b2', apart) });
    const size = sizeOf({ nodes: [free, taken, node('a1')], open: replicas(1, 'web', apart) });
    expect([size.isMet, size.size, size.withoutPlace]).toEqual([false, 0, new Map([['sale', 1]])]);
    const [refusals] = size.refusals.values();
    expect(refusals && reasonsMessage(refusals.nodes, refusals.reasons)).toBe(
      `0/3 nodes are available: 1 node(s) didn't match pod anti-affinity rules, 2 ${outsideGroup}.`,
    );
  });

  it('does not grow for a pod that its nodes never take, and says why', () => {
    const open = [...replicas(2, 'web', half), planned('huge', { requests: { cpu: '5' } })];
    const size = sizeOf({ nodes: [node('a1'), node('a2')], open });
    expect([size.size, size.isAtMaxSize, size.withoutPlace]).toEqual([1, false, new Map([['sale', 1]])]);
    expect([...size.refusals.values()].map(({ groups }) => groups.get('workers'))).toEqual([
      { kind: 'refuses', reasons: ['Insufficient cpu'] },
    ]);
  });

  it('stops at MaxSize, with instances that give no room, and says so', () => {
    const settings = { maxSize: 3, nodes: [node('a1')], open: replicas(9, 'web', half) };
    const size = sizeOf({ ...settings, withoutRoom: 1 });
    expect([size.size, size.isAtMaxSize, size.withoutPlace]).toEqual([3, true, new Map([['sale', 5]])]);
    expect(sizeOf({ ...settings, maxSize: 1, withoutRoom: 4 }).size).toBe(1);
    expect(sizeOf({ ...settings, maxSize: -1 }).size).toBe(0);
    // There are more nodes than MaxSize allows, and all of them are needed.
    const nodes = [node('a1'), node('a2')];
    const above = sizeOf({ nodes, open: replicas(4, 'web', half), maxSize: 1 });
    expect(above).toMatchObject({ isMet: true, size: 1, isAtMaxSize: true });
  });

  it('keeps all nodes while MaxSize is in the way', () => {
    const nodes = [
      node('a1', { pods: running(1, 'web', 'a1') }),
      node('a2', { pods: running(1, 'web', 'a2') }),
    ];
    const open = [planned('large', { requests: { cpu: '4' } })];
    expect(sizeOf({ nodes, open, maxSize: 2 })).toMatchObject({ size: 2, isAtMaxSize: true });
  });

  it('keeps all nodes if pods have no place and nothing is known about new nodes', () => {
    const nodes = [node('a1'), node('a2')];
    const open = replicas(5, 'web', half);
    expect(sizeOf({ nodes, open, template: undefined })).toMatchObject({
      isMet: false,
      size: 2,
      isAtMaxSize: false,
      withoutPlace: new Map([['sale', 1]]),
    });
    expect(sizeOf({ nodes, template: undefined }).size).toBe(0);
  });

  it('keeps all nodes while a pod has no place and nothing is known about new nodes', () => {
    const open = [planned('huge', { requests: { cpu: '8' } })];
    const nodes = [node('a1'), node('a2')];
    expect(sizeOf({ nodes, open, template: undefined }).size).toBe(2);
  });

  describe('for pods whose places depend on their order', () => {
    // In this order two nodes of 4 CPUs take three of them, and the largest first all four.
    const open = ['2', '1', '1', '4'].map((cpu, index) => planned(`pod-${index}`, { requests: { cpu } }));

    it('counts those that have room in the worst order', () => {
      const size = sizeOf({ nodes: [node('a1'), node('a2')], open, template: undefined });
      expect([size.isMet, size.placedNow.get('sale'), size.withoutPlace.get('sale')]).toEqual([false, 3, 1]);
    });

    it('is the same before and after the last node joins, which one order needs', () => {
      const nodes = ['a1', 'a2', 'a3', 'a4'].map((name) => node(name));
      expect(sizeOf({ nodes: nodes.slice(0, 3), open }).size).toBe(4);
      expect(sizeOf({ nodes, open }).size).toBe(4);
    });
  });

  it('empties no node onto one that still joins', () => {
    const taints = [{ key: 'node.cilium.io/agent-not-ready', effect: 'NoSchedule' }];
    const web = { ...half, spec: { tolerations: [{ operator: 'Exists' }] } };
    const nodes = [node('a1', { pods: running(1, 'web', 'a1', web) }), node('a2', { taints })];
    expect(sizeOf({ nodes, joining: new Set(['a2']) }).size).toBe(1);
  });

  it('empties the emptiest node first, by CPU and memory, also beside many full ones', () => {
    // Each is tied to its node, so that none of these nodes can be emptied.
    const full = (count: number, requests: NonNullable<PodSettings['requests']>) =>
      Array.from({ length: count }, (_, index) => `full-${index}`).map((name) => {
        const spec = { nodeSelector: { 'kubernetes.io/hostname': name } };
        return node(name, { pods: running(1, `on-${name}`, name, { requests, spec }) });
      });
    const small = node('small', { pods: running(1, 'small', 'small', { requests: { cpu: '200m' } }) });
    expect(sizeOf({ nodes: [...full(10, { cpu: '4' }), node('none')] }).size).toBe(10);
    expect(sizeOf({ nodes: [...full(10, { memory: '16Gi' }), small] }).size).toBe(10);
  });

  it('counts the pods of each list by itself, also if a list repeats one pod', () => {
    const pod = planned('web', half);
    const size = sizeFor({
      nodes: [node('a1'), node('a2')],
      autoScalingGroupName: 'workers',
      template: undefined,
      maxSize: 9,
      joining: new Set(),
      withoutRoom: 0,
      open: new Map([
        ['morning', [pod, pod, pod]],
        ['evening', [pod, pod, pod]],
        ['none', []],
      ]),
    });
    expect(size.placedNow).toEqual(
      new Map([
        ['morning', 3],
        ['evening', 1],
        ['none', 0],
      ]),
    );
  });

  it('is 0 for an empty group without open pods, and met', () => {
    expect(sizeOf({})).toEqual({
      isMet: true,
      placedNow: new Map([['sale', 0]]),
      size: 0,
      isAtMaxSize: false,
      withoutPlace: new Map([['sale', 0]]),
      refusals: new Map(),
    });
  });
});
