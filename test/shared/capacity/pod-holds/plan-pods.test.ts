import { describe, expect, it } from 'vitest';
import { start } from '../holds/fixtures.ts';
import { groupOf, occupied } from '../plan/fixtures.ts';
import { headroom, web } from './fixtures.ts';
import { arrived, minute, node, nodesFor, plan, verdict } from './situation.ts';

describe('the nodes for the pods of a hold', () => {
  it('are those on which all of them fit', () => {
    expect(plan({})).toEqual({
      kind: 'read',
      readAt: start,
      nodes: 5,
      holds: { sale: { total: 40, open: 40, placed: 0, why: '5 nodes are needed, and 0 are Ready' } },
    });
  });

  it('stay the same while pods arrive: what runs and what is open are one number', () => {
    const numbers = [0, 8, 16, 24, 32, 40].map((count) => {
      const nodes = Array.from({ length: count / 8 }, (_, at) => node(`n-${at}`, { pods: arrived(8) }));
      return nodesFor({ nodes });
    });
    expect(numbers).toEqual([5, 5, 5, 5, 5, 5]);
  });

  it('stay the same while they launch and join, so that no launch adds another (CA 7841)', () => {
    const joining = node('new', { ready: false });
    const young = { ageMinutes: { new: 2 }, notReady: ['new'] };
    expect(nodesFor({ nodes: [node('n'), joining], ...young })).toBe(5);
  });

  it('are one more for a node that is not Ready for longer than a join takes: it is neither room nor outstanding', () => {
    expect(nodesFor({ nodes: [node('dead', { ready: false })], notReady: ['dead'] })).toBe(6);
  });

  it('are one more for a node that an operator has cordoned', () => {
    expect(nodesFor({ nodes: [node('off', { unschedulable: true })] })).toBe(6);
  });

  it('are one more for a young node that was cordoned, whose taint stays until it is uncordoned', () => {
    const taints = [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }];
    const nodes = [node('off', { unschedulable: true, taints })];
    expect(nodesFor({ nodes, ageMinutes: { off: 1 } })).toBe(6);
  });

  it('are no more for a node whose instance Auto Scaling terminates: a new one takes its place', () => {
    const nodes = [node('old', { unschedulable: true })];
    expect(nodesFor({ nodes, states: { old: 'Terminating:Wait' } })).toBe(5);
  });

  it('are also for the pods on a node that leaves, which will be evicted, however long its drain takes', () => {
    const full = { pods: arrived(8) };
    const leaving = node('old', { ...full, annotations: { 'drover.dev/leaving': '{}' } });
    const situation = {
      nodes: [node('n'), leaving],
      states: { old: 'Terminating:Wait' },
      holds: [{ pods: web({ total: 16 }) }],
    };
    expect(nodesFor(situation)).toBe(2);
    expect(verdict(situation)).toMatchObject({ open: 16, placed: 8 });
    const cordoned = { ...situation, nodes: [node('n'), node('old', { ...full, unschedulable: true })] };
    expect(verdict({ ...cordoned, states: {} })).toMatchObject({ open: 8, placed: 8 });
  });

  it('are as large on new nodes as the pods that run, also if all of these are about to be evicted', () => {
    const pods = arrived(8, 'web', '900m');
    const leaving = node('old', { pods, annotations: { 'drover.dev/leaving': '{}' } });
    expect(
      nodesFor({ nodes: [leaving], states: { old: 'Terminating' }, holds: [{ pods: web({ total: 8 }) }] }),
    ).toBe(2);
  });

  it('are no more for a second Node of one instance, as after its name was changed', () => {
    const dead = ['was-1', 'was-2'].map((name) => node(name, { ready: false }));
    const renamed = { notReady: ['was-1', 'was-2'], instanceOf: { 'was-1': 'i-n', 'was-2': 'i-n' } };
    expect(nodesFor({ nodes: [node('n'), ...dead], ...renamed })).toBe(5);
    expect(nodesFor({ nodes: dead, ...renamed })).toBe(6);
  });

  it('count what runs on a young node that is not Ready for a moment, or has a taint for a while', () => {
    const others = [0, 1, 2, 3].map((at) => node(`n-${at}`, { pods: arrived(8) }));
    const blip = [...others, node('young', { ready: false, pods: arrived(8) })];
    expect(nodesFor({ nodes: blip, ageMinutes: { young: 5 }, notReady: ['young'] })).toBe(5);
    const taints = [{ key: 'node.kubernetes.io/memory-pressure', effect: 'NoSchedule' }];
    const pressed = [...others, node('young', { taints, pods: arrived(8) })];
    expect(nodesFor({ nodes: pressed, ageMinutes: { young: 5 } })).toBe(5);
    const gone = { ageMinutes: { young: 5 }, notReady: ['young'], states: { young: 'Terminating:Wait' } };
    const leaving = [...others, node('young', { unschedulable: true, pods: arrived(8) })];
    expect(nodesFor({ nodes: leaving, ...gone })).toBe(4);
  });

  it('do not fall while nothing is known of the next node: what cannot be read leaves the higher number', () => {
    const groupsWithoutTemplate = [{ autoScalingGroupName: 'workers', reason: 'Launch is suspended' }];
    const input = { groups: [], groupsWithoutTemplate };
    const remembered = { nodes: 5, readAt: start - minute, holds: {} };
    const nodes = [node('n'), node('young', { ready: false })];
    const joining = { ageMinutes: { young: 2 }, notReady: ['young'] };
    expect(nodesFor({ nodes, ...joining, input, remembered })).toBe(5);
    expect(nodesFor({ nodes, ...joining, input })).toBe(1);
    // All pods have their places: the number is known without a next node.
    const all = [node('n'), node('m'), node('l'), node('k'), node('j'), node('i')];
    expect(nodesFor({ nodes: all, input, remembered: { ...remembered, nodes: 9 } })).toBe(5);
  });

  it('do not grow for a Ready node whose taint a component has not removed yet', () => {
    const taints = [{ key: 'node.cilium.io/agent-not-ready', effect: 'NoSchedule' }];
    const nodes = [node('new', { taints })];
    expect(nodesFor({ nodes, ageMinutes: { new: 1 } })).toBe(5);
  });

  it('do not grow for a Ready node whose device plugin has not registered yet (autoscaler#451)', () => {
    const gpu = 'nvidia.com/gpu';
    const { template } = web();
    const spec = { containers: [{ name: 'main', resources: { limits: { [gpu]: '1' } } }] };
    const holds = [{ pods: web({ total: 4, template: { ...template, spec } }) }];
    const input = { groups: [groupOf('workers', { allocatable: { [gpu]: 1 } })] };
    const nodes = [node('new', { allocatable: { [gpu]: 0 } })];
    expect(nodesFor({ nodes, holds, input, ageMinutes: { new: 1 } })).toBe(4);
  });

  it('fall once the pods are gone, and nothing is remembered (cluster-proportional-autoscaler#142)', () => {
    const nodes = Array.from({ length: 9 }, (_, at) => node(`n-${at}`));
    expect(nodesFor({ nodes })).toBe(5);
  });

  it('are for the pods that are not bound yet: those that run are not asked for twice (autoscaler#9805)', () => {
    const nodes = [0, 1, 2, 3, 4].map((at) => node(`n-${at}`, { pods: arrived(8) }));
    expect(plan({ nodes })).toMatchObject({ nodes: 5, holds: { sale: { open: 0, placed: 0 } } });
  });

  it('count a pod that runs in another group as arrived', () => {
    const other = occupied('other', { autoScalingGroupName: 'others', pods: arrived(8) });
    expect(plan({ nodes: [other] })).toMatchObject({ nodes: 4, holds: { sale: { open: 32 } } });
  });

  it('are so many at all times with headroom, whatever runs', () => {
    const nodes = [node('n', { pods: arrived(8) })];
    expect(plan({ nodes, holds: [{ pods: headroom() }] })).toMatchObject({
      nodes: 6,
      holds: { sale: { open: 40 } },
    });
  });

  it('are the sum for two holds of different pods, and the larger for the same pods', () => {
    const api = web({
      selector: { matchLabels: { app: 'api' } },
      template: { ...web().template, labels: { app: 'api' } },
    });
    expect(nodesFor({ holds: [{ name: 'one' }, { name: 'two', pods: api }] })).toBe(10);
    const same = { holds: [{ name: 'one' }, { name: 'two', pods: web({ total: 8 }) }], nodes: [node('n')] };
    expect(plan(same)).toMatchObject({
      nodes: 5,
      holds: { one: { open: 40, placed: 8 }, two: { open: 8, placed: 8 } },
    });
  });
});

describe('the verdict about a hold', () => {
  it('says how many of its pods have room now, not only whether all do (autoscaler#8890)', () => {
    expect(verdict({ nodes: [node('n', { pods: arrived(2, 'db') })] })).toMatchObject({
      open: 40,
      placed: 6,
      why: '6 nodes are needed, and 1 is Ready',
    });
  });

  it('names MaxSize, and asks for no more than it (karpenter-provider-aws#8873)', () => {
    expect(plan({ maxSize: 3 })).toMatchObject({
      nodes: 3,
      holds: {
        sale: { placed: 0, withoutPlace: 16, why: 'MaxSize is 3: raise it, or let the hold raise it' },
      },
    });
    expect(nodesFor({ maxSize: 3, maxSizeLimit: 4, holds: [{ raiseMaxSize: true }] })).toBe(4);
  });

  it('names MaxSize to each hold whose pods have no place in some order because of another hold', () => {
    const { template } = web();
    const spec = { containers: [{ name: 'api', resources: { requests: { cpu: '2', memory: '1Gi' } } }] };
    const api = web({
      total: 4,
      selector: { matchLabels: { app: 'api' } },
      template: { ...template, labels: { app: 'api' }, spec },
    });
    const reading = plan({
      maxSize: 2,
      holds: [
        { name: 'web', pods: web({ total: 12 }) },
        { name: 'api', pods: api },
      ],
    });
    const whys = Object.values(reading.kind === 'read' ? reading.holds : {}).map(({ why }) => why);
    expect(whys).toEqual([
      expect.stringMatching(/^MaxSize is 2: raise it/),
      expect.stringMatching(/^MaxSize is 2: raise it/),
    ]);
  });

  it('names the reasons of the scheduler if no node of the group would take the pods (autoscaler#6086)', () => {
    const tainted = groupOf('workers', { taints: [{ key: 'team', value: 'a', effect: 'NoSchedule' }] });
    expect(plan({ input: { groups: [tainted] } })).toMatchObject({
      nodes: 0,
      holds: {
        sale: {
          withoutPlace: 40,
          why: 'no new node of the group takes them: node(s) had untolerated taint(s)',
        },
      },
    });
  });

  it('lets one hold raise MaxSize for all of the group, and never lowers it', () => {
    const api = web({ selector: { matchLabels: { app: 'api' } } });
    const two = [
      { name: 'one', raiseMaxSize: true },
      { name: 'two', pods: api },
    ];
    expect(nodesFor({ maxSize: 3, maxSizeLimit: 9, holds: two })).toBe(9);
    expect(nodesFor({ maxSize: 20, maxSizeLimit: 3, holds: [{ raiseMaxSize: true }] })).toBe(5);
  });

  it('gives the places to the smaller of two holds for the same pods first', () => {
    const holds = [{ name: 'one' }, { name: 'two', pods: web({ total: 8 }) }];
    const reading = plan({ maxSize: 3, holds });
    expect(reading).toMatchObject({ holds: { one: { withoutPlace: 16 }, two: { open: 8, placed: 0 } } });
    expect(reading).not.toHaveProperty('holds.two.withoutPlace');
  });

  it('counts as Ready only nodes of the group that take pods', () => {
    const taints = [{ key: 'node.cilium.io/agent-not-ready', effect: 'NoSchedule' }];
    const other = occupied('other', { autoScalingGroupName: 'others' });
    const nodes = [node('new', { taints }), other];
    expect(verdict({ nodes, ageMinutes: { new: 1 } })?.why).toBe('5 nodes are needed, and 0 are Ready');
  });

  it('says that no zone is promised', () => {
    const { template } = web();
    const spec = { ...template.spec, nodeSelector: { 'topology.kubernetes.io/zone': 'b' } };
    const input = { groups: [groupOf('workers', { zones: ['a', 'b'] })] };
    const found = verdict({ input, holds: [{ pods: web({ template: { ...template, spec } }) }] });
    expect(found?.why).toContain('Auto Scaling chooses the zone of a new node');
  });

  it('says why nothing is known of the next node of the group', () => {
    const input = {
      groups: [],
      groupsWithoutTemplate: [{ autoScalingGroupName: 'workers', reason: 'its type is not known' }],
    };
    expect(verdict({ input })).toMatchObject({
      withoutPlace: 40,
      why: 'the next node of the group is not known, so none is asked for: its type is not known',
    });
  });

  it('says that no node is added for pods to a group of the control plane, and keeps the number', () => {
    const input = { groups: [] };
    expect(verdict({ input })?.why).toBe(
      'the next node of the group is not known, so none is asked for: nodes are added for pods only to groups of workers',
    );
    expect(nodesFor({ input, remembered: { nodes: 5, readAt: start - minute, holds: {} } })).toBe(5);
  });

  it('names what no plan is made for', () => {
    const { template } = web();
    const spec = { ...template.spec, schedulerName: 'volcano' };
    const reading = plan({ holds: [{ pods: web({ template: { ...template, spec } }) }] });
    expect(reading).toMatchObject({ nodes: 0, holds: { sale: { withoutPlace: 40 } } });
    expect(JSON.stringify(reading)).toContain('they cannot be planned: the scheduler volcano decides');
  });

  it('says that others took the room, what helps, and so until it is there again (autoscaler#6904)', () => {
    const met = { total: 40, open: 8, placed: 8 };
    const running = [0, 1, 2, 3].map((at) => node(`n-${at}`, { pods: arrived(8) }));
    const taken = { nodes: [...running, node('n-4', { pods: arrived(4, 'db', '1') })] };
    const remembered = { nodes: 5, readAt: start - minute, holds: { sale: met } };
    const found = verdict({ ...taken, remembered });
    expect(found?.why).toContain(
      'pods of other workloads or other holds took it, or a node has left. A taint',
    );
    const still = { ...remembered, holds: { sale: found ?? met } };
    expect(verdict({ ...taken, remembered: still })?.why).toContain('took it');
    expect(verdict(taken)?.why).not.toContain('took it');
  });

  it('does not say so if pods of the hold have gone meanwhile', () => {
    const remembered = {
      nodes: 5,
      readAt: start - minute,
      holds: { sale: { total: 40, open: 2, placed: 2 } },
    };
    expect(verdict({ remembered })?.why).not.toContain('took it');
  });

  it('stops no other hold of the group by a template that cannot be planned', () => {
    const { template } = web();
    const spec = { containers: [{ name: 'main', resources: { requests: { cpu: '1x' } } }] };
    const holds = [{ name: 'odd', pods: web({ template: { ...template, spec } }) }, { name: 'sale' }];
    expect(plan({ holds })).toMatchObject({ nodes: 5, holds: { odd: { withoutPlace: 40 } } });
  });

  it('is not made for more than 10,000 open pods, whose plan would take too long', () => {
    const holds = ['one', 'two'].map((name) => ({ name, pods: headroom({ total: 6000 }) }));
    expect(plan({ holds })).toMatchObject({ kind: 'failed', why: expect.stringContaining('12000 pods') });
  });
});
