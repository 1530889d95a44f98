import { describe, expect, test } from 'vitest';
import { decideStep } from '../../../shared/roll/decide-step.ts';
import type { RollMember } from '../../../shared/roll/member.ts';
import { markPatch, taintPatch } from '../../../shared/roll/node-marks.ts';
import type { Roll, RollSeen } from '../../../shared/roll/roll.ts';
import type { Step, StepFacts } from '../../../shared/roll/step.ts';
import {
  groupOf,
  instance,
  launchOf,
  newMember,
  nodeOf,
  oldMember,
  rollOf,
  startedAt,
  version,
} from './fixture.ts';

const now = startedAt + 600_000;

/** Facts about one group of workers, which launches version 2. */
function factsOf(members: readonly RollMember[], more: Partial<StepFacts> = {}): StepFacts {
  const roll = more.roll ?? rollOf();
  return {
    roll,
    now,
    groups: [groupOf(members)],
    members,
    nodes: members.flatMap(({ node }) => node ?? []),
    others: [],
    targets: new Map(
      roll.groups.map(({ autoScalingGroupName }) => [autoScalingGroupName, { main: version(2) }]),
    ),
    refreshes: new Map(),
    failedLaunches: new Map(),
    raisedAlarms: [],
    unknownAlarms: [],
    canaries: new Map(),
    ...more,
  };
}

const tainted = (member: RollMember): RollMember => patched(member, taintPatch(nodeIn(member), 'june'));

const marked = (member: RollMember, { waits = true, roll = 'june' } = {}): RollMember =>
  patched(tainted(member), markPatch(nodeIn(tainted(member)), { roll, waits, now }));

const nodeIn = ({ node }: RollMember) => node ?? nodeOf('none');

function patched(member: RollMember, patch: ReturnType<typeof markPatch>): RollMember {
  const node = nodeIn(member);
  const annotations = { ...node.metadata?.annotations, ...patch.metadata.annotations };
  return {
    ...member,
    node: {
      ...node,
      metadata: { ...node.metadata, annotations } as never,
      spec: { ...node.spec, ...patch.spec } as never,
    },
  };
}

const leaving = (member: RollMember): RollMember => ({ ...member, lifecycleState: 'Terminating:Wait' });

const decide = (members: readonly RollMember[], more?: Partial<StepFacts>): Step =>
  decideStep(factsOf(members, more));

/** What a step does, to whom. */
function did(step: Step): string {
  switch (step.kind) {
    case 'taint':
    case 'release':
      return `${step.kind} ${step.nodes.map((node) => shortOf(node.metadata?.name)).join(' ')}`;
    case 'mark':
      return `mark ${step.candidates.map(({ member }) => shortOf(member.instanceId)).join(' ')}`;
    case 'set-healthy':
      return `set-healthy ${shortOf(step.member.instanceId)}`;
    case 'terminate':
      return `${step.way} ${shortOf(step.member.instanceId)}`;
    default:
      return step.state === 'running' ? 'wait' : step.state;
  }
}

const shortOf = (name = ''): string => String(Number(name.slice(-17)));

const seenAs = (state: RollSeen['state'], since = now): RollSeen => ({
  startedAt,
  state,
  reason: 'an alarm',
  since,
  told: [],
});

describe('a roll of workers', () => {
  test('taints all old nodes, then marks one, then terminates it', () => {
    const plain = [oldMember(1), oldMember(2), newMember(3)];
    expect(did(decide(plain))).toBe('taint 1 2');
    // Another program takes the taints off again and again.
    const seen = { ...seenAs('running'), reason: decide(plain).reason };
    expect(did(decide(plain, { seen }))).toBe('mark 1 2');
    expect(did(decide(plain, { seen: seenAs('running') }))).toBe('taint 1 2');
    const ready = [tainted(oldMember(1)), tainted(oldMember(2)), newMember(3)];
    const mark = decide(ready);
    expect(did(mark)).toBe('mark 1 2');
    expect(mark).toMatchObject({ waits: true });
    expect(did(decide([marked(oldMember(1)), ...ready.slice(1)]))).toBe('terminate 1');
  });

  test('cordons a marked node again that something else has uncordoned, until its instance terminates', () => {
    const uncordoned = (member: RollMember): RollMember => ({
      ...member,
      node: { ...nodeIn(member), spec: { ...nodeIn(member).spec, unschedulable: false } },
    });
    const unhealthy = { ...marked(oldMember(1)), healthy: false };
    const names = (members: readonly RollMember[], more?: Partial<StepFacts>) =>
      decide(members, more).uncordoned?.map(({ metadata }) => shortOf(metadata?.name));
    const others = [tainted(oldMember(2)), newMember(3)];
    expect(names([uncordoned(unhealthy), ...others])).toEqual(['1']);
    expect(names([unhealthy, ...others])).toBeUndefined();
    // Nothing of a roll: people have uncordoned it.
    expect(names([uncordoned({ ...tainted(oldMember(1)), healthy: false }), ...others])).toBeUndefined();
    // The leaving pass keeps the cordon.
    expect(names([uncordoned(leaving(marked(oldMember(1)))), ...others])).toBeUndefined();
  });

  test('waits while an instance leaves or its replacement is not Ready', () => {
    const first = leaving(marked(oldMember(1)));
    const others = [tainted(oldMember(2)), tainted(oldMember(3))];
    const pending = newMember(4, { lifecycleState: 'Pending:Wait' });
    expect(did(decide([first, ...others, pending]))).toBe('wait');
    expect(did(decide([first, ...others, newMember(4)]))).toBe('wait');
    const notReady = newMember(4, { node: nodeOf(instance(4), { status: { conditions: [] } }) });
    expect(did(decide([...others, notReady]))).toBe('wait');
    expect(did(decide([...others, newMember(4)]))).toBe('mark 2 3');
  });

  test('has at most surge and maxUnavailable leaving, whatever else leaves', () => {
    const roll = rollOf(['workers'], { surge: 2, maxUnavailable: 1 });
    const old = [4, 5, 6].map((number) => tainted(oldMember(number)));
    const replaced = (number: number) => [leaving(marked(oldMember(number))), newMember(number + 10)];
    const two = [...replaced(1), ...replaced(2), ...old];
    expect(decide(two, { roll })).toMatchObject({ kind: 'mark', waits: false });
    expect(decide([...replaced(1), ...old], { roll })).toMatchObject({ kind: 'mark', waits: true });
    const scaledIn = leaving(oldMember(3));
    expect(did(decide([...two, scaledIn], { roll }))).toBe('wait');
    const unhealthy = oldMember(3, { healthy: false });
    expect(did(decide([...two, tainted(unhealthy)], { roll }))).toBe('wait');
  });

  test('has time after a termination only if no other one may begin beside it', () => {
    const old = [marked(oldMember(1)), tainted(oldMember(2)), tainted(oldMember(3))];
    const isLast = (roll: Partial<Roll>, more: Partial<StepFacts> = {}): unknown => {
      const step = decide(old, { roll: rollOf(['workers'], roll), ...more });
      return step.kind === 'terminate' ? step.isLast : step;
    };
    expect(isLast({})).toBe(true);
    expect(isLast({ surge: 2 })).toBe(false);
    expect(isLast({ maxUnavailable: 1 })).toBe(false);
    const canaries = new Map([['workers', { kind: 'waits', reason: 'it bakes' } as const]]);
    expect(isLast({ surge: 2, canary: 1 }, { canaries })).toBe(true);
  });

  test('waits while the group lacks an instance that it should have', () => {
    const members = [tainted(oldMember(1)), tainted(oldMember(2))];
    expect(did(decide(members, { groups: [groupOf(members, { desiredCapacity: 3 })] }))).toBe('wait');
  });

  test('counts instances, where sizes of the group are units', () => {
    const heavy = { weight: 4 };
    const members = [marked(oldMember(1, heavy)), tainted(oldMember(2, heavy))];
    const groups = [groupOf(members, { desiredCapacity: 8, countsUnits: true })];
    expect(did(decide(members, { groups }))).toBe('terminate 1');
    const left = [leaving(members[0] as RollMember), ...members.slice(1)];
    expect(did(decide(left, { groups }))).toBe('wait');
    expect(did(decide([...members.slice(1), newMember(3, heavy)], { groups }))).toBe('mark 2');
  });

  test('takes nodes that are not Ready first, then of the largest zone, then the oldest', () => {
    const zone = (number: number, availabilityZone: string, hours = 1) =>
      tainted(
        oldMember(number, {
          availabilityZone,
          launch: { launchedAt: startedAt - hours * 3_600_000, ...launchOf(1) },
        }),
      );
    const broken = tainted(oldMember(9, { node: nodeOf(instance(9), { status: { conditions: [] } }) }));
    const members = [zone(1, 'a', 9), zone(2, 'b', 2), zone(3, 'b', 3), { ...broken, availabilityZone: 'a' }];
    expect(did(decide(members))).toBe('mark 9 1 3 2');
    expect(did(decide(members.slice(0, 3)))).toBe('mark 3 2 1');
  });

  test('releases a marked node that is not to leave any more, and keeps its taint', () => {
    const members = [marked(oldMember(1, { protectedFromScaleIn: true })), tainted(oldMember(2))];
    const step = decide(members);
    expect(did(step)).toBe('release 1');
    expect(step).toMatchObject({ keepsTaints: true });
  });

  test('sets the instance Unhealthy if its group launches before it terminates', () => {
    const members = [marked(oldMember(1)), tainted(oldMember(2))];
    const group = groupOf(members, { launchesBeforeTerminating: true });
    expect(did(decide(members, { groups: [group] }))).toBe('set-unhealthy 1');
    const frozen = { ...group, suspendedProcesses: ['ReplaceUnhealthy'] };
    expect(did(decide(members, { groups: [frozen] }))).toBe('terminate 1');
    const unhealthy = { ...marked(oldMember(1)), healthy: false };
    expect(did(decide([unhealthy, tainted(oldMember(2))], { groups: [group] }))).toBe('wait');
  });

  test('ends once no old instance is left and nothing of it is on a node, and names what is left out', () => {
    const spared = tainted(oldMember(2, { protectedFromScaleIn: true }));
    expect(did(decide([newMember(1), spared]))).toBe('release 2');
    const step = decide([newMember(1), oldMember(2, { protectedFromScaleIn: true })]);
    expect(step).toMatchObject({ kind: 'wait', state: 'done' });
    expect(step.reason).toContain(`${instance(2)} of workers is left: it is protected from scale-in`);
    expect(did(decide([newMember(1)], { seen: seenAs('done') }))).toBe('done');
  });

  test('rolls one group after the other', () => {
    const other = { autoScalingGroupName: 'more' };
    const members = [leaving(marked(oldMember(1))), newMember(3), tainted(oldMember(2, other))];
    const roll = rollOf(['workers', 'more']);
    const groups = [groupOf(members), groupOf(members, other)];
    expect(did(decide(members, { roll, groups }))).toBe('wait');
    expect(
      did(decide(members.slice(1), { roll, groups: [groupOf(members.slice(1)), groups[1] as never] })),
    ).toBe('mark 2');
  });

  test('begins nothing while its window is closed, and releases what it has not begun', () => {
    const closed = 'the window opens at 09:00';
    expect(decide([tainted(oldMember(1))], { closed })).toMatchObject({ kind: 'wait', reason: closed });
    expect(did(decide([marked(oldMember(1))], { closed }))).toBe('release 1');
  });

  test('begins no more than the canary until that has passed', () => {
    const roll = rollOf(['workers'], { canary: 1, surge: 3 });
    const waits = { roll, canaries: new Map([['workers', { kind: 'waits', reason: 'bakes' } as const]]) };
    const old = [1, 2, 3].map((number) => tainted(oldMember(number)));
    expect(did(decide(old, waits))).toBe('mark 1 2 3');
    const begun = [leaving(old[0] as RollMember), ...old.slice(1), newMember(4)];
    expect(decide(begun, waits)).toMatchObject({ kind: 'wait', reason: 'the canary of workers: bakes' });
    const passed = { roll, canaries: new Map([['workers', { kind: 'passed', reason: '' } as const]]) };
    expect(did(decide(begun, passed))).toBe('mark 2 3');
    const failed = { roll, canaries: new Map([['workers', { kind: 'failed', reason: 'crashes' } as const]]) };
    expect(decide(begun, failed)).toMatchObject({ state: 'stopped', reason: 'workers: crashes' });
  });
});

describe('a canary that waits', () => {
  const canaries = new Map([['masters', { kind: 'waits', reason: 'bakes' } as const]]);
  const masters = { autoScalingGroupName: 'masters' };

  test('holds control planes too', () => {
    const members = [tainted(oldMember(1, masters)), newMember(2, masters)];
    const groups = [groupOf(members, { ...masters, role: 'control-plane' })];
    const roll = rollOf(['masters'], { canary: 1 });
    expect(decide(members, { roll, groups, canaries })).toMatchObject({
      kind: 'wait',
      reason: 'the canary of masters: bakes',
    });
    expect(did(decide(members, { roll, groups }))).toBe('mark 1');
  });

  // A control plane as kops makes it: the bake inside of a group of one holds nothing.
  test.each(['control-plane', 'etcd', 'worker'])(
    'holds the next group of its role (%s), although its own has no old instance',
    (role) => {
      const next = { autoScalingGroupName: 'next' };
      const members = [newMember(1, masters), tainted(oldMember(2, next))];
      const groups = [groupOf(members, { ...masters, role }), groupOf(members, { ...next, role })];
      const roll = rollOf(['masters', 'next'], { canary: 1 });
      expect(decide(members, { roll, groups, canaries })).toMatchObject({
        kind: 'wait',
        reason: 'the canary of masters: bakes',
      });
      expect(did(decide(members, { roll, groups }))).toBe('mark 2');
    },
  );

  test('does not hold a group of another role', () => {
    const members = [newMember(1, masters), tainted(oldMember(2))];
    const groups = [groupOf(members, { ...masters, role: 'control-plane' }), groupOf(members)];
    expect(
      did(decide(members, { roll: rollOf(['masters', 'workers'], { canary: 1 }), groups, canaries })),
    ).toBe('mark 2');
  });
});

describe('a roll is paused', () => {
  const members = [tainted(oldMember(1))];
  const pausedBy = (more: Partial<StepFacts>): string => {
    const step = decide(members, more);
    expect(step).toMatchObject({ kind: 'wait', state: 'paused' });
    return step.reason;
  };

  test('by people, and releases what it has marked', () => {
    const roll = rollOf(['workers'], { wanted: 'paused' });
    expect(pausedBy({ roll })).toBe('people have paused it');
    expect(did(decide([marked(oldMember(1))], { roll }))).toBe('release 1');
  });

  test('by drover pause, which not even an abort overrules', () => {
    const groups = [groupOf(members, { tags: { 'drover.dev/paused': 'scope=group by=ana' } })];
    expect(pausedBy({ groups })).toBe('workers is paused for the group by ana');
    expect(pausedBy({ groups, roll: rollOf(['workers'], { wanted: 'aborted' }) })).toContain('paused');
  });

  test('if the group launches something else by now', () => {
    expect(pausedBy({ targets: new Map([['workers', { main: version(3) }]]) })).toContain('v2 -> v3');
    const overrides = { main: version(2), policyDigest: 'other' };
    expect(pausedBy({ targets: new Map([['workers', overrides]]) })).toContain('overrides');
    expect(pausedBy({ targets: new Map([['workers', { unknown: 'it is gone' }]]) })).toContain('it is gone');
  });

  test('by an instance refresh, an earlier roll, a suspended process, a lost hook, and for a group of EKS', () => {
    expect(pausedBy({ refreshes: new Map([['workers', 'r-1']]) })).toContain('r-1');
    const may = { name: 'may', groups: rollOf().groups, startedAt: startedAt - 1 };
    expect(pausedBy({ others: [may] })).toContain('the roll may');
    expect(pausedBy({ groups: [groupOf(members, { suspendedProcesses: ['Launch'] })] })).toContain('Launch');
    expect(pausedBy({ withoutHook: new Set(['workers']) })).toContain('workers has no hook');
    const tags = { 'eks:nodegroup-name': 'ng', 'eks:cluster-name': 'demo' };
    expect(pausedBy({ groups: [groupOf(members, { tags })] })).toContain('EKS');
  });

  test('if Auto Scaling does not replace what is Unhealthy any more', () => {
    const unhealthy = { ...marked(oldMember(2)), healthy: false };
    const groups = [groupOf([...members, unhealthy], { suspendedProcesses: ['ReplaceUnhealthy'] })];
    const step = decide([...members, unhealthy], { groups });
    expect(step).toMatchObject({ kind: 'wait', state: 'paused' });
    expect(step.reason).toContain(`suspends ReplaceUnhealthy, and ${unhealthy.instanceId} is Unhealthy`);
  });

  test('by an earlier roll of etcd or control planes, if it would replace some too', () => {
    const inMasters = { autoScalingGroupName: 'masters' };
    const masters = [tainted(oldMember(2, inMasters))];
    const groups = [
      groupOf(masters, { ...inMasters, role: 'control-plane' }),
      groupOf([], { autoScalingGroupName: 'etcd', role: 'etcd' }),
    ];
    const may = { name: 'may', groups: rollOf(['etcd']).groups, startedAt: startedAt - 1 };
    const roll = rollOf(['masters']);
    expect(decide(masters, { roll, groups, others: [may] })).toMatchObject({ state: 'paused' });
    expect(did(decide(masters, { roll, groups }))).toBe('mark 2');
  });

  test('by an alarm that does not exist, so that it is not taken for one that is OK', () => {
    const step = decide(members, { unknownAlarms: ['erors'] });
    expect(step.state).toBe('paused');
    expect(step.reason).toContain('CloudWatch has no alarm erors');
  });

  test('not by a later roll of the group', () => {
    const july = { name: 'july', groups: rollOf().groups, startedAt: startedAt + 1 };
    expect(did(decide(members, { others: [july] }))).toBe('mark 1');
  });
});

describe('a roll is stopped', () => {
  test('by an alarm and by the third failed launch of a group', () => {
    const members = [tainted(oldMember(1))];
    expect(did(decide(members, { raisedAlarms: ['errors'] }))).toBe('stopped');
    const failed = (count: number) => ({
      failedLaunches: new Map([['workers', { count, newest: 'no capacity' }]]),
    });
    expect(did(decide(members, failed(2)))).toBe('mark 1');
    expect(decide(members, failed(3)).reason).toContain('no capacity');
  });

  // https://github.com/kubernetes/autoscaler/issues/6795
  test('if all that it has launched is gone, and its desired capacity is lower', () => {
    const old = tainted(oldMember(1));
    const failedLaunches = new Map([['workers', { count: 0, ended: 1 }]]);
    expect(decide([old], { failedLaunches }).reason).toContain(
      'nothing is left of what workers has launched',
    );
    expect(did(decide([old, newMember(2)], { failedLaunches }))).toBe('mark 1');
    expect(did(decide([old, leaving(oldMember(3))], { failedLaunches }))).toBe('wait');
    const missing = [groupOf([old], { desiredCapacity: 2 })];
    expect(did(decide([old], { failedLaunches, groups: missing }))).toBe('wait');
    const warm = [groupOf([old], { hasWarmPool: true })];
    expect(did(decide([old], { failedLaunches, groups: warm }))).toBe('mark 1');
    expect(did(decide([newMember(2)], { failedLaunches }))).toBe('done');
  });

  test('and releases every node whose instance stays, also once the cause is over', () => {
    const members = [marked(oldMember(1)), tainted(oldMember(2)), leaving(marked(oldMember(3)))];
    const step = decide(members, { seen: seenAs('stopped') });
    expect(did(step)).toBe('release 1 2');
    expect(step).toMatchObject({ keepsTaints: false });
    expect(did(decide([oldMember(1)], { seen: seenAs('stopped') }))).toBe('stopped');
  });

  test('until people resume it', () => {
    const roll = rollOf(['workers'], { resumedAt: now + 1 });
    expect(did(decide([oldMember(1)], { now: now + 1, roll, seen: seenAs('stopped') }))).toBe('taint 1');
  });
});

describe('an aborted roll', () => {
  const roll = rollOf(['workers'], { wanted: 'aborted' });

  test('releases all, waits for what leaves, and ends when nothing of it is left', () => {
    const goes = leaving(marked(oldMember(3)));
    expect(did(decide([marked(oldMember(1)), tainted(oldMember(2)), goes], { roll }))).toBe('release 1 2');
    expect(did(decide([oldMember(1), goes], { roll }))).toBe('wait');
    expect(did(decide([oldMember(1)], { roll }))).toBe('aborted');
  });

  test('makes an instance Healthy again that Auto Scaling does not replace, and then releases it', () => {
    const unhealthy = { ...marked(oldMember(1)), healthy: false };
    const groups = [groupOf([unhealthy], { suspendedProcesses: ['ReplaceUnhealthy'] })];
    expect(did(decide([unhealthy], { roll, groups }))).toBe('set-healthy 1');
    expect(did(decide([{ ...unhealthy, healthy: true }], { roll, groups }))).toBe('release 1');
    expect(did(decide([unhealthy], { roll }))).toBe('wait');
    const ofOthers = { ...oldMember(1), healthy: false };
    expect(did(decide([ofOthers], { roll, groups }))).toBe('aborted');
  });

  test('does not touch the marks and taints of other rolls', () => {
    const other = marked(oldMember(1), { roll: 'may' });
    const untaint = {
      ...other,
      node: { ...nodeIn(other), spec: { ...other.node?.spec, taints: [] } } as never,
    };
    expect(did(decide([untaint], { roll }))).toBe('aborted');
  });
});

describe('a roll of etcd, control planes and workers', () => {
  const inGroup = (member: RollMember, autoScalingGroupName: string): RollMember => ({
    ...member,
    autoScalingGroupName,
  });
  const groupsOf = (members: readonly RollMember[]) => [
    groupOf(members),
    groupOf(members, { autoScalingGroupName: 'masters-a', role: 'control-plane' }),
    groupOf(members, { autoScalingGroupName: 'masters-b', role: 'control-plane' }),
    groupOf(members, { autoScalingGroupName: 'etcd', role: 'etcd' }),
  ];
  const roll: Roll = rollOf(['workers', 'masters-a', 'masters-b', 'etcd']);
  const step = (members: readonly RollMember[], more: Partial<StepFacts> = {}): Step =>
    decide(members, { roll, groups: groupsOf(members), ...more });
  const without = ({ node: _node, ...member }: RollMember): RollMember => member;
  const worker = tainted(oldMember(1));
  const masters = [inGroup(tainted(oldMember(2)), 'masters-a'), inGroup(tainted(oldMember(3)), 'masters-b')];

  test('begins with etcd, whose instances may have no Node to mark', () => {
    const etcd = [4, 5, 6].map((number) => without(inGroup(oldMember(number), 'etcd')));
    expect(did(step([worker, ...masters, ...etcd]))).toBe('terminate 4');
    const [first, ...others] = etcd as [RollMember];
    expect(did(step([worker, ...masters, leaving(first), ...others]))).toBe('wait');
    const arriving = without(inGroup(newMember(7, { lifecycleState: 'Pending:Wait' }), 'etcd'));
    expect(did(step([worker, ...masters, ...others, arriving]))).toBe('wait');
  });

  test('replaces one control plane at a time across its groups, then workers', () => {
    expect(did(step([worker, ...masters]))).toBe('mark 2');
    const [one, other] = masters as [RollMember, RollMember];
    expect(did(step([worker, inGroup(marked(oldMember(2)), 'masters-a'), other]))).toBe('terminate 2');
    const replaced = inGroup(newMember(12), 'masters-a');
    expect(did(step([worker, leaving(one), replaced, other]))).toBe('wait');
    expect(did(step([worker, replaced, other]))).toBe('mark 3');
    const both = [replaced, inGroup(newMember(13), 'masters-b')];
    expect(did(step([worker, ...both]))).toBe('mark 1');
  });

  test('waits while a control plane is Unhealthy or not Ready, or the tag of an etcd group shows trouble', () => {
    const [one, other] = masters as [RollMember, RollMember];
    expect(did(step([worker, one, { ...other, healthy: false }]))).toBe('wait');
    const silent = tainted({ ...other, node: nodeOf(instance(3), { status: { conditions: [] } }) });
    expect(step([worker, one, silent]).reason).toContain('has no Ready Node');
    const groups = groupsOf([worker, ...masters]).map((group) => ({
      ...group,
      tags: { ...group.tags, 'drover.dev/etcd-status': 'a member does not answer' },
    }));
    expect(step([worker, ...masters], { groups }).reason).toContain('a member does not answer');
  });

  // A list of Auto Scaling may be a minute old: the Node of an instance that leaves is gone before.
  test('is not done, and begins no workers, while an instance of a control plane has no Node', () => {
    const replaced = inGroup(newMember(12), 'masters-a');
    const unseen = without(inGroup(oldMember(3), 'masters-b'));
    const why = '1 instance of masters-b to come or to leave';
    expect(step([worker, replaced, unseen])).toMatchObject({ kind: 'wait', state: 'running', reason: why });
    const ofMasters = rollOf(['masters-a', 'masters-b']);
    expect(step([replaced, unseen], { roll: ofMasters })).toMatchObject({ state: 'running', reason: why });
  });

  test('waits until the API server of a new control plane is Ready, also at its end', () => {
    const replaced = inGroup(newMember(12), 'masters-a');
    const beside = inGroup(tainted(oldMember(2)), 'masters-a');
    const nameIn = (member: RollMember): string => nodeIn(member).metadata?.name ?? '';
    const why = `the API server of ${nameIn(replaced)} is not Ready`;
    const waits = { kind: 'wait', state: 'running' };
    const apiServers = new Map([2, 3, 12, 13].map((number) => [`node-${instance(number)}`, true]));
    const unready = { apiServers: new Map([...apiServers, [nameIn(replaced), false]]) };
    const ofOneGroup = [worker, replaced, beside];
    expect(step(ofOneGroup, unready)).toMatchObject({ ...waits, reason: `one at a time: ${why}` });
    expect(did(step(ofOneGroup, { apiServers }))).toBe('mark 2');
    const marking = inGroup(marked(oldMember(2)), 'masters-a');
    expect(did(step([worker, replaced, marking], unready))).toBe('release 2');
    expect(did(step([worker, replaced, marking], { apiServers }))).toBe('terminate 2');
    // Over the groups of a control plane, before the workers, and before the end.
    const ofMasters = { roll: rollOf(['masters-a', 'masters-b']) };
    const last = [replaced, inGroup(newMember(13), 'masters-b')];
    expect(step([worker, replaced, ...masters.slice(1)], unready)).toMatchObject({ ...waits, reason: why });
    expect(step([worker, ...last], unready)).toMatchObject({ ...waits, reason: why });
    expect(step(last, { ...unready, ...ofMasters })).toMatchObject({ ...waits, reason: why });
    expect(did(step(last, { apiServers, ...ofMasters }))).toBe('done');
  });

  test('stops if a group has lost its tags while control planes are to go: one of its instances may leave', () => {
    const [one, other] = masters as [RollMember, RollMember];
    const groups = groupsOf([one]).filter(({ autoScalingGroupName }) => autoScalingGroupName !== 'masters-b');
    const stopped = step([worker, one], { groups });
    expect(stopped.state).toBe('stopped');
    expect(stopped.reason).toContain('masters-b is not a managed group of the cluster any more');
    expect(did(step([worker, inGroup(newMember(12), 'masters-a')], { groups }))).toBe('mark 1');
    expect(did(step([worker, one, other]))).toBe('mark 2');
  });
});
