import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import type { AutoScalingGroup } from '../../../../shared/groups/group.ts';
import { formatLeavingMark } from '../../../../shared/nodes/leaving-mark.ts';
import { leavingAnnotation } from '../../../../shared/nodes/node-keys.ts';
import { judgeRepairs, type Replacements } from '../../../../shared/sweep/repair/judge-repairs.ts';
import {
  ago,
  condition,
  id,
  member,
  minutes,
  nodeOf,
  nodesWith,
  now,
  numbers,
  silentNode,
  workers,
} from './support.ts';

interface Scene {
  readonly group?: AutoScalingGroup;
  readonly nodes: readonly Node[];
  readonly replaced?: Replacements;
}

const findingsIn = ({ group = workers(), nodes, replaced = { count: 0 } }: Scene) =>
  judgeRepairs({
    now,
    groups: [group],
    nodes,
    replacements: new Map([[group.autoScalingGroupName, replaced]]),
  });

const verdictsIn = (scene: Scene) =>
  findingsIn(scene).map(({ node, verdict, reason }) => [node, verdict, reason] as const);

/** Each node with only its verdict. */
const judgedIn = (scene: Scene) => findingsIn(scene).map(({ node, verdict }) => [node, verdict] as const);

/** The group of ten with its tenth instance in another state, or with other instances after the ninth. */
const withTenth = (...tenth: readonly AutoScalingGroup['instances'][number][]) =>
  workers({ instances: [...numbers(9).map((number) => member(number)), ...tenth] });

describe('a node that fails for as long as its group allows', () => {
  it('is repaired', () => {
    expect(findingsIn({ nodes: nodesWith([silentNode(1, 10)]) })).toEqual([
      {
        node: 'node-1',
        instanceId: id(1),
        autoScalingGroupName: 'workers',
        condition: 'NotReady',
        since: now - 10 * minutes,
        verdict: 'repair',
        reason: 'it has failed for as long as its group allows',
      },
    ]);
  });

  it('is repaired for any condition that the tag names', () => {
    const group = workers({ tags: { 'drover.dev/repair': 'KernelReadonlyFilesystem=5m' } });
    const nodes = nodesWith([nodeOf(1, [condition('KernelReadonlyFilesystem', 'True')])]);
    expect(judgedIn({ group, nodes })).toEqual([['node-1', 'repair']]);
  });

  it('waits until then', () => {
    expect(verdictsIn({ nodes: nodesWith([silentNode(1, 9)]) })).toEqual([
      ['node-1', 'wait', 'it is replaced if it still fails at 2026-01-01T12:01:00.000Z'],
    ]);
  });

  it('cannot be judged if the Node does not report since when it fails', () => {
    const nodes = nodesWith([nodeOf(1, [{ type: 'Ready', status: 'False' }])]);
    expect(verdictsIn({ nodes })).toEqual([
      ['node-1', 'cannot-judge', 'the Node does not report since when it fails'],
    ]);
  });

  it('is ignored without the tag, and in a group of another role', () => {
    const nodes = nodesWith([silentNode(1)]);
    const { 'drover.dev/repair': _, ...tags } = workers().tags;
    expect(findingsIn({ group: { ...workers(), tags }, nodes })).toEqual([]);
    const group = workers({ tags: { 'drover.dev/role': 'control-plane' } });
    expect(findingsIn({ group, nodes })).toEqual([]);
  });

  it('is ignored unless its instance is in service in the group', () => {
    const states = [
      'Pending:Wait',
      'Standby',
      'Terminating:Wait',
      'ReplacingRootVolume:Wait',
      'Warmed:Stopped',
    ];
    for (const lifecycleState of states)
      expect(
        findingsIn({ group: withTenth(member(10, { lifecycleState })), nodes: nodesWith([silentNode(10)]) }),
      ).toEqual([]);
    expect(findingsIn({ nodes: nodesWith([silentNode(11)], 11) })).toEqual([]);
  });

  it('is left alone while its group is paused', () => {
    const group = workers({ tags: { 'drover.dev/paused': 'scope=group by=ana' } });
    expect(verdictsIn({ group, nodes: nodesWith([silentNode(1)]) })).toEqual([
      ['node-1', 'left-alone', 'its group is paused for the group by ana'],
    ]);
  });

  it.each(['control-plane', 'master', 'etcd'])('is left alone if it has the label of %s', (role) => {
    const labels = { [`node-role.kubernetes.io/${role}`]: '' };
    expect(verdictsIn({ nodes: nodesWith([silentNode(1, 30, { name: 'node-1', labels })]) })).toEqual([
      ['node-1', 'left-alone', 'by its labels it is a node of the control plane or of etcd'],
    ]);
  });

  it('is left alone if its instance is protected from scale-in, and the next one is repaired', () => {
    const group = withTenth(member(10, { protectedFromScaleIn: true }));
    expect(judgedIn({ group, nodes: nodesWith([silentNode(10, 30), silentNode(1)]) })).toEqual([
      ['node-10', 'left-alone'],
      ['node-1', 'repair'],
    ]);
  });
});

describe('if several Nodes have one providerID', () => {
  it('the Ready one counts, in any order', () => {
    const leftOver = silentNode(1, 30, { name: 'old', creationTimestamp: ago(minutes) });
    const living = nodesWith([nodeOf(1)]);
    expect(findingsIn({ nodes: [leftOver, ...living] })).toEqual([]);
    expect(findingsIn({ nodes: [...living, leftOver] })).toEqual([]);
  });

  it.each([60, 1])(
    'no failure of one counts while another does not fail, whichever is younger (%i)',
    (age) => {
      const group = workers({ tags: { 'drover.dev/repair': 'KernelReadonlyFilesystem=5m' } });
      const own = nodeOf(1);
      const failing = condition('KernelReadonlyFilesystem', 'True');
      const claim = nodeOf(1, [failing], { name: 'claims-it', creationTimestamp: ago(age * 600_000) });
      for (const both of [
        [own, claim],
        [claim, own],
      ])
        expect(verdictsIn({ group, nodes: nodesWith(both) }).map(([, verdict]) => verdict)).not.toContain(
          'repair',
        );
      const leftOver = silentNode(1, 60);
      expect(judgedIn({ group, nodes: nodesWith([claim, leftOver]) })).toEqual([['claims-it', 'repair']]);
    },
  );

  it('the youngest counts if none is Ready', () => {
    const old = silentNode(1, 30, { name: 'old', creationTimestamp: ago(900 * minutes) });
    const nodes = nodesWith([silentNode(1, 2)]);
    expect(judgedIn({ nodes: [old, ...nodes] })).toEqual([['node-1', 'wait']]);
    expect(judgedIn({ nodes: [...nodes, old] })).toEqual([['node-1', 'wait']]);
  });
});

describe('one at a time', () => {
  it('the node that was due first goes first, and after it the lower id', () => {
    const two = nodesWith([silentNode(3, 12), silentNode(2, 12), silentNode(1, 11)]);
    expect(verdictsIn({ nodes: two })).toEqual([
      ['node-2', 'repair', 'it has failed for as long as its group allows'],
      ['node-3', 'bounded', 'node-2 is replaced first'],
      ['node-1', 'bounded', 'node-2 is replaced first'],
    ]);
  });

  it.each([
    'Pending',
    'Pending:Wait',
    'Terminating:Wait',
    'Terminating:Proceed',
    'EnteringStandby',
    'RootVolumeReplaced',
  ])('none while another instance is %s', (lifecycleState) => {
    const group = withTenth(member(10, { lifecycleState }));
    expect(verdictsIn({ group, nodes: nodesWith([silentNode(1)]) })).toEqual([
      ['node-1', 'bounded', `one at a time: ${id(10)} is ${lifecycleState}`],
    ]);
  });

  it('none while another instance is Unhealthy, and none twice', () => {
    const group = withTenth(member(10, { healthy: false }));
    for (const number of [1, 10])
      expect(verdictsIn({ group, nodes: nodesWith([silentNode(number)]) })).toEqual([
        [`node-${number}`, 'bounded', `one at a time: ${id(10)} is Unhealthy, and has yet to leave`],
      ]);
  });

  it('of another zone than an Unhealthy instance that a zonal shift may keep, and none of its zone', () => {
    const kept = { ...withTenth(member(10, { healthy: false, availabilityZone: 'eu-west-1b' })) };
    const group = { ...kept, ignoresUnhealthyInShift: true } as const;
    const nodes = nodesWith([silentNode(1)]);
    expect(verdictsIn({ group: kept, nodes })).toMatchObject([['node-1', 'bounded', expect.anything()]]);
    expect(verdictsIn({ group, nodes })).toMatchObject([['node-1', 'repair', expect.anything()]]);
    expect(verdictsIn({ group, nodes: nodesWith([silentNode(10)]) })).toMatchObject([
      ['node-10', 'bounded', expect.stringContaining('a zonal shift may keep it')],
    ]);
  });

  it('none while instances of two other zones are Unhealthy, because a zonal shift keeps those of one', () => {
    const { instances, ...rest } = withTenth(member(10, { healthy: false, availabilityZone: 'eu-west-1b' }));
    const group = {
      ...rest,
      instances: instances.map((one) =>
        one.instanceId === id(9) ? { ...one, healthy: false, availabilityZone: 'eu-west-1c' } : one,
      ),
      ignoresUnhealthyInShift: true,
    } as const;
    expect(verdictsIn({ group, nodes: nodesWith([silentNode(1)]) })).toEqual([
      ['node-1', 'bounded', expect.stringContaining(`one at a time: ${id(9)} is Unhealthy`)],
    ]);
  });

  it('none while Drover drains another node of the group', () => {
    const mark = formatLeavingMark({
      cause: 'rebalance',
      instanceId: id(2),
      since: ago(minutes),
      renewedAt: ago(minutes),
      before: { unschedulable: false, excludedFromLoadBalancers: false },
      waitingFor: [],
    });
    const leaving = nodeOf(2, [], { name: 'node-2', annotations: { [leavingAnnotation]: mark } });
    expect(verdictsIn({ nodes: nodesWith([leaving, silentNode(1)]) })).toEqual([
      ['node-1', 'bounded', `one at a time: the node of ${id(2)} is leaving`],
    ]);
  });

  it('none while an instance in service has no Node: it may have just left, or just been launched', () => {
    const nodes = nodesWith([silentNode(1)], 9);
    expect(verdictsIn({ nodes })).toEqual([['node-1', 'bounded', `one at a time: ${id(10)} has no Node`]]);
  });

  it('none before the replacement is in service', () => {
    expect(verdictsIn({ group: withTenth(), nodes: nodesWith([silentNode(1)]) })).toEqual([
      ['node-1', 'bounded', 'its group waits for replacements: 9 of 10 serve'],
    ]);
  });

  it('one if the weights of those that serve are the desired capacity', () => {
    const whole = withTenth();
    const instances = whole.instances.map((member) => ({ ...member, weight: 2 }));
    const group = { ...whole, instances, desiredCapacity: instances.length * 2 };
    const nodes = nodesWith([silentNode(1)], instances.length);
    expect(verdictsIn({ group, nodes })[0]?.[1]).toBe('repair');
    const short = { ...group, desiredCapacity: 21, countsUnits: true as const };
    expect(verdictsIn({ group: short, nodes })).toEqual([
      ['node-1', 'bounded', 'its group waits for replacements: 18 of 21 units serve'],
    ]);
  });

  it.each(['Standby', 'Terminating:Retained', 'Warmed:Pending:Wait'])(
    'an instance in %s does not prevent a repair',
    (lifecycleState) => {
      const group = { ...withTenth(member(10, { lifecycleState })), desiredCapacity: 9 };
      expect(judgedIn({ group, nodes: nodesWith([silentNode(1)]) })).toEqual([['node-1', 'repair']]);
    },
  );

  it('in each group by itself', () => {
    const others = workers({
      autoScalingGroupName: 'others',
      instances: [member(11), member(12)],
      desiredCapacity: 2,
    });
    const nodes = nodesWith([silentNode(1), silentNode(2), silentNode(11), silentNode(12)], 12);
    const replacements = new Map(['workers', 'others'].map((name) => [name, { count: 0 }]));
    const findings = judgeRepairs({ now, groups: [workers(), others], nodes, replacements });
    expect(findings.filter(({ verdict }) => verdict === 'repair').map(({ node }) => node)).toEqual([
      'node-1',
      'node-11',
    ]);
  });
});

describe('a fifth of the group in an hour', () => {
  it.each([
    [1, 0, 'repair'],
    [1, 1, 'bounded'],
    [5, 0, 'repair'],
    [5, 1, 'bounded'],
    [6, 1, 'repair'],
    [6, 2, 'bounded'],
    [10, 1, 'repair'],
    [10, 2, 'bounded'],
    [11, 2, 'repair'],
    [11, 3, 'bounded'],
  ])('of %i, after %i: %s', (size, count, verdict) => {
    const instances = numbers(size).map((number) => member(number));
    const group = workers({ instances, desiredCapacity: size });
    const nodes = [...nodesWith([silentNode(1)], size), nodeOf(100)];
    expect(judgedIn({ group, nodes, replaced: { count } })).toEqual([['node-1', verdict]]);
  });

  it('is a fifth of those in service', () => {
    const instances = [
      ...numbers(5).map((number) => member(number)),
      member(6, { lifecycleState: 'Standby' }),
    ];
    const group = workers({ instances, desiredCapacity: 5 });
    expect(judgedIn({ group, nodes: nodesWith([silentNode(1)]), replaced: { count: 1 } })).toEqual([
      ['node-1', 'bounded'],
    ]);
  });

  it('is named in the reason', () => {
    expect(verdictsIn({ nodes: nodesWith([silentNode(1)]), replaced: { count: 2 } })).toEqual([
      [
        'node-1',
        'bounded',
        'health checks have replaced 2 of its group within the last hour: at most a fifth, which is 2 of 10',
      ],
    ]);
  });

  it('cannot be judged if the activities of the group are unknown', () => {
    const nodes = nodesWith([silentNode(1)]);
    expect(verdictsIn({ nodes, replaced: { unknown: 'it is denied' } })).toEqual([
      ['node-1', 'cannot-judge', 'it is denied'],
    ]);
    expect(judgeRepairs({ now, groups: [workers()], nodes, replacements: new Map() })).toMatchObject([
      { verdict: 'cannot-judge', reason: 'the activities of its group were not read' },
    ]);
  });
});

describe('many failures at once', () => {
  const silent = (count: number) => numbers(count).map((number) => silentNode(number));

  it('of 55 in 100 Nodes prevent all repairs, and of 54 do not', () => {
    const nodes = (count: number) => nodesWith(silent(count), 100);
    expect(
      new Set(verdictsIn({ nodes: nodes(55) }).map(([, verdict, reason]) => `${verdict}: ${reason}`)),
    ).toEqual(
      new Set([
        'withheld: 55 of the 100 Nodes of the cluster fail: the cause is probably not a single node, so none is replaced',
      ]),
    );
    expect(judgedIn({ nodes: nodes(54) })[0]).toEqual(['node-1', 'repair']);
  });

  it('need three Nodes', () => {
    const group = workers({ instances: numbers(3).map((number) => member(number)), desiredCapacity: 3 });
    expect(judgedIn({ group, nodes: nodesWith(silent(2), 3) })[0]).toEqual(['node-1', 'repair']);
    expect(judgedIn({ group, nodes: nodesWith(silent(3), 5) })[0]).toEqual(['node-1', 'withheld']);
  });

  it('of every Node prevent all repairs, however few they are', () => {
    const group = workers({ instances: [member(1)], desiredCapacity: 1 });
    expect(verdictsIn({ group, nodes: silent(1) })).toEqual([
      [
        'node-1',
        'withheld',
        'no Node of the cluster is Ready: the cause is probably not a single node, so none is replaced',
      ],
    ]);
  });

  it('include Nodes outside of the groups, and Ready Nodes with a condition of the tag', () => {
    const stranger = (number: number): Node => ({ ...silentNode(number), spec: {} });
    expect(
      judgedIn({
        nodes: nodesWith([silentNode(1), ...[20, 21, 22, 23, 24, 25, 26, 27, 28, 29].map(stranger)]),
      }),
    ).toEqual([['node-1', 'withheld']]);
    const group = workers({ tags: { 'drover.dev/repair': 'DiskBroken=5m' } });
    const broken = numbers(6).map((number) => nodeOf(number, [condition('DiskBroken', 'True')]));
    expect(judgedIn({ group, nodes: nodesWith(broken) })[0]).toEqual(['node-1', 'withheld']);
  });

  it('in one zone prevent repairs in that zone, and in no other', () => {
    const at = (zone: string) => ({ 'topology.kubernetes.io/zone': zone });
    const nodes = numbers(10).map((number) =>
      number <= 3
        ? silentNode(number, 30, { name: `node-${number}`, labels: at('a') })
        : number === 4
          ? silentNode(number, 11, { name: `node-${number}`, labels: at('b') })
          : nodeOf(number, [], { name: `node-${number}`, labels: at(number === 5 ? 'a' : 'b') }),
    );
    expect(verdictsIn({ nodes })[0]?.[2]).toContain('3 of the 4 Nodes in a fail');
    expect(judgedIn({ nodes })).toEqual([
      ['node-1', 'withheld'],
      ['node-2', 'withheld'],
      ['node-3', 'withheld'],
      ['node-4', 'repair'],
    ]);
  });

  it('without a zone prevent repairs of nodes without one', () => {
    const labels = { 'topology.kubernetes.io/zone': 'b' };
    const nodes = numbers(10).map((number) =>
      number <= 3 ? silentNode(number) : nodeOf(number, [], { name: `node-${number}`, labels }),
    );
    expect(verdictsIn({ nodes })[0]?.[2]).toContain('3 of the 3 Nodes without a zone fail');
  });

  it('are not named for a node that is not due', () => {
    const nodes = nodesWith(numbers(10).map((number) => silentNode(number, 2)));
    expect(new Set(verdictsIn({ nodes }).map(([, verdict]) => verdict))).toEqual(new Set(['wait']));
  });
});
