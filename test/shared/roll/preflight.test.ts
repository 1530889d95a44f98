import { describe, expect, it } from 'vitest';
import type { GroupFacts, StopAlarms } from '../../../shared/roll/group-findings.ts';
import type { RollMember } from '../../../shared/roll/member.ts';
import { type PreflightCluster, planPreflight, whyRefused } from '../../../shared/roll/preflight.ts';
import type { Roll } from '../../../shared/roll/roll.ts';
import { budget, pod } from '../../support/pods.ts';
import { apiServerOn, groupOf, instance, newMember, oldMember, rollOf, version } from './fixture.ts';

const history = { launches: [{ startedAt: 0, endedAt: 120_000 }], terminations: [] };
const members = [oldMember(1), oldMember(2), newMember(3)];

interface Settings {
  readonly members?: readonly RollMember[];
  readonly facts?: Partial<GroupFacts>;
  readonly cluster?: Partial<PreflightCluster>;
  readonly roll?: Partial<Roll>;
  readonly alarms?: StopAlarms;
}

const silent: StopAlarms = { inAlarm: [], unknown: [] };

function preflight({ facts, cluster, roll, alarms = silent, ...settings }: Settings = {}) {
  const all = settings.members ?? members;
  return planPreflight({
    roll: rollOf(['workers'], roll),
    groups: [
      {
        group: groupOf(all),
        hookProblems: [],
        target: { main: version(2) },
        failedLaunches: { count: 0 },
        history,
        ...facts,
      },
    ],
    members: all,
    cluster: { pods: [], budgets: [], strandedOn: () => [], ...cluster },
    alarms,
  });
}

const podOn = (number: number, name: string) => pod({ name, spec: { nodeName: `node-${instance(number)}` } });

describe('the nodes', () => {
  it('are listed with why they are old, and the group with its counts and its time', () => {
    const { groups, old } = preflight();
    expect(old.map(({ instanceId, why }) => [instanceId, why])).toEqual([
      [instance(1), 'v1 -> v2'],
      [instance(2), 'v1 -> v2'],
    ]);
    expect(groups).toEqual([
      {
        autoScalingGroupName: 'workers',
        instances: 3,
        old: 2,
        blocked: 0,
        leftOut: 0,
        expected: { seconds: 360, launchSeconds: 120 },
      },
    ]);
  });

  it('have the pods that cannot move, each with its reason', () => {
    const found = preflight({
      cluster: {
        pods: [podOn(1, 'web-1'), podOn(2, 'web-2'), podOn(3, 'web-3')],
        budgets: [budget({ status: { expectedPods: 3, desiredHealthy: 3, currentHealthy: 3 } })],
        strandedOn: (name) =>
          name === `node-${instance(2)}` ? [{ pod: 'shop/db', why: 'it would stay Pending' }] : [],
      },
    });
    expect(found.old.map(({ blocked }) => blocked.map((one) => one.pod))).toEqual([
      ['shop/web-1'],
      ['shop/web-2', 'shop/db'],
    ]);
    expect(whyRefused(found, { skipBlocked: false })).toMatch(/^2 old nodes have pods that cannot move/);
    expect(whyRefused(found, { skipBlocked: true })).toBeUndefined();
  });

  it('that the roll does not touch are left out with what becomes of them', () => {
    const { leftOut, old } = preflight({ members: [oldMember(1, { lifecycleState: 'Standby' })] });
    expect(old).toEqual([]);
    expect(leftOut).toEqual([
      {
        autoScalingGroupName: 'workers',
        instanceId: instance(1),
        why: expect.stringContaining('Standby'),
      },
    ]);
  });

  it('of a control plane take their time one after the other, whatever is asked', () => {
    const all = Array.from({ length: 3 }, (_, index) => oldMember(index));
    const facts = { group: groupOf(all, { role: 'control-plane' }) };
    const [summary] = preflight({ members: all, facts, roll: { surge: 3 } }).groups;
    expect(summary?.expected?.seconds).toBe(3 * 180);
  });

  it('of groups of one have a bake between them, and none after the last of a role', () => {
    const places = [
      ['a', 'control-plane'],
      ['b', 'control-plane'],
      ['workers', 'worker'],
    ] as const;
    const all = places.map(([autoScalingGroupName], index) => oldMember(index, { autoScalingGroupName }));
    const { groups } = planPreflight({
      roll: rollOf(['a', 'b', 'workers'], { canary: 1, bakeSeconds: 300 }),
      groups: places.map(([autoScalingGroupName, role]) => ({
        group: groupOf(all, { autoScalingGroupName, role }),
        hookProblems: [],
        target: { main: version(2) },
        failedLaunches: { count: 0 },
        history,
      })),
      members: all,
      cluster: { pods: [], budgets: [], strandedOn: () => [] },
      alarms: silent,
    });
    expect(groups.map(({ expected }) => expected?.seconds)).toEqual([180 + 300, 180, 180]);
  });
});

it('names a budget that lets one pod go at a time while its pods are on several old nodes', () => {
  const status = { expectedPods: 3, desiredHealthy: 2, currentHealthy: 3, disruptionsAllowed: 1 };
  const pods = [podOn(1, 'web-1'), podOn(2, 'web-2'), podOn(3, 'web-3')];
  expect(preflight({ cluster: { pods, budgets: [budget({ status })] } }).slowBudgets).toEqual([
    { budget: 'shop/web', oldNodes: 2 },
  ]);
  const roomy = budget({ status: { ...status, desiredHealthy: 1, disruptionsAllowed: 2 } });
  expect(preflight({ cluster: { pods, budgets: [roomy] } }).slowBudgets).toEqual([]);
});

describe('a roll cannot begin with a group', () => {
  const eks = { 'eks:cluster-name': 'prod', 'eks:nodegroup-name': 'blue' };
  it.each<[string, Partial<GroupFacts>, RegExp, string | undefined]>([
    [
      'that EKS manages',
      { group: groupOf(members, { tags: eks }), hookProblems: [{ message: 'it has no hook' }] },
      /^EKS manages its instances/,
      'drover roll workers',
    ],
    [
      'without the tags of the cluster',
      { whyUnmanaged: 'it has no tag drover.dev/role' },
      /drover\.dev\/role/,
      undefined,
    ],
    [
      'whose hook is missing',
      { hookProblems: [{ message: 'it has no hook drover-node-leaving', command: 'drover hooks install' }] },
      /no hook/,
      'drover hooks install',
    ],
    [
      'that launches nothing',
      { group: groupOf(members, { suspendedProcesses: ['Launch'] }) },
      /no replacement would come/,
      'aws autoscaling resume-processes --auto-scaling-group-name workers --scaling-processes Launch',
    ],
    [
      'that terminates nothing',
      { group: groupOf(members, { suspendedProcesses: ['Terminate'] }) },
      /no old instance would go/,
      'aws autoscaling resume-processes --auto-scaling-group-name workers --scaling-processes Terminate',
    ],
    [
      'in an instance refresh',
      { activeRefresh: 'refresh-1' },
      /instance refresh refresh-1 replaces its instances already/,
      'aws autoscaling cancel-instance-refresh --auto-scaling-group-name workers',
    ],
    [
      'whose template cannot be read',
      { target: { unknown: 'there is no version 9' } },
      /no version 9/,
      undefined,
    ],
    [
      'of another roll',
      { otherRoll: 'may' },
      /^roll may replaces its nodes already/,
      'drover roll abort may',
    ],
    ['that is deleted', { group: groupOf(members, { isBeingDeleted: true }) }, /deletes it/, undefined],
  ])('%s', (_, facts, message, command) => {
    const found = preflight({ facts });
    expect(found.findings).toEqual([
      {
        severity: 'refuses',
        subject: 'workers',
        message: expect.stringMatching(message),
        ...(command !== undefined && { command }),
      },
    ]);
    expect(whyRefused(found, { skipBlocked: true })).toBe('the roll cannot begin because of workers');
  });

  it('but an unreadable template is only a warning if the criterion does not need it', () => {
    const facts = { target: { unknown: 'there is no version 9' } };
    const found = preflight({ facts, roll: { criterion: { kind: 'all' } } });
    expect(found.findings.map(({ severity }) => severity)).toEqual(['warns']);
    expect(whyRefused(found, { skipBlocked: false })).toBeUndefined();
  });
});

describe('a group that is not whole before the roll (kops#7258)', () => {
  const warnings = (settings: Settings) =>
    preflight(settings).findings.map(({ severity, message }) => [severity, message]);

  it('is named, with what the roll waits for', () => {
    const leaving = oldMember(4, { lifecycleState: 'Terminating:Wait' });
    expect(warnings({ members: [...members, leaving] })).toEqual([
      ['warns', 'it is not whole, and the roll waits until it is: 1 instance of workers to come or to leave'],
    ]);
  });

  it('is named for a control plane whose etcd has trouble', () => {
    const tags = { 'drover.dev/etcd-status': 'member of master-2 does not answer' };
    const facts = { group: groupOf(members, { role: 'control-plane', tags }) };
    expect(warnings({ facts })).toEqual([
      ['warns', expect.stringContaining('etcd of workers: member of master-2 does not answer')],
      ['warns', expect.stringContaining('no pod kube-apiserver-NODE')],
    ]);
  });

  it('is named for a control plane whose API servers do not answer, or have no mirror pods', () => {
    const facts = { group: groupOf(members, { role: 'control-plane' }) };
    const pods = [1, 2, 3].map((number) => apiServerOn(`node-${instance(number)}`, { ready: number < 3 }));
    expect(warnings({ facts, cluster: { pods } })).toEqual([
      ['warns', expect.stringContaining(`the API server of node-${instance(3)} is not Ready`)],
    ]);
    expect(warnings({ facts })).toEqual([
      ['warns', expect.stringContaining('it does not ask whether its API server answers')],
    ]);
    expect(warnings({})).toEqual([]);
  });

  it('is not named if none of its nodes is old', () => {
    const fresh = [newMember(1), newMember(2, { lifecycleState: 'Pending:Wait' })];
    expect(warnings({ members: fresh })).toEqual([]);
  });
});

it('a roll does not begin with an alarm that is raised, or does not exist', () => {
  const found = preflight({ alarms: { inAlarm: ['slow'], unknown: ['eror'] } });
  expect(whyRefused(found, { skipBlocked: true })).toBe(
    'the roll cannot begin because of alarm eror, alarm slow',
  );
});

describe('a roll may begin, with a warning, with a group', () => {
  it.each<[string, Partial<GroupFacts>, RegExp]>([
    [
      'whose launches failed lately',
      { failedLaunches: { count: 2, newest: 'Insufficient capacity' } },
      /^2 launches of the last day failed, the newest with: Insufficient capacity; .*three/,
    ],
    [
      'that is paused',
      { group: groupOf(members, { tags: { 'drover.dev/paused': 'by=ana scope=group' } }) },
      /paused for the group by ana: the roll waits/,
    ],
    [
      'with target groups (kubedrainer#5)',
      { group: groupOf(members, { targetGroupArns: ['arn:tg'] }) },
      /out of its target groups before its pods leave it/,
    ],
    [
      'with a warm pool',
      { group: groupOf(members, { hasWarmPool: true }) },
      /^replacements come from its warm pool/,
    ],
  ])('%s', (_, facts, message) => {
    const found = preflight({ facts });
    expect(found.findings).toEqual([
      expect.objectContaining({ severity: 'warns', message: expect.stringMatching(message) }),
    ]);
    expect(whyRefused(found, { skipBlocked: false })).toBeUndefined();
  });
});
