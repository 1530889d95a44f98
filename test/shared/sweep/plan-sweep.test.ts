import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Ec2Instance } from '../../../shared/groups/ec2.ts';
import type { AutoScalingGroup, LifecycleHook } from '../../../shared/groups/group.ts';
import { planSweep, type SweepInput, type SweptNode } from '../../../shared/sweep/plan-sweep.ts';

const now = Date.UTC(2026, 0, 1, 12);
const minutes = 60_000;
const id = (number: number): string => `i-${number.toString(16).padStart(17, '0')}`;

const hook: LifecycleHook = {
  lifecycleHookName: 'drover-node-leaving',
  transition: 'terminating',
  heartbeatTimeoutSeconds: 600,
  globalTimeoutSeconds: 60_000,
  defaultResult: 'CONTINUE',
};

const group = (states: Readonly<Record<string, string>>): AutoScalingGroup => ({
  autoScalingGroupName: 'workers',
  tags: {},
  minSize: 0,
  maxSize: 10,
  desiredCapacity: 3,
  targetGroupArns: [],
  retainsAbandoned: false,
  instances: Object.entries(states).map(([instanceId, lifecycleState]) => ({
    instanceId,
    lifecycleState,
    availabilityZone: 'eu-west-1a',
    healthy: true,
  })),
});

const node = (number: number, mark?: SweptNode['mark']): SweptNode => ({
  name: `node-${number}`,
  instanceId: id(number),
  ...(mark && { mark }),
});

const terminated = (number: number, groupName = 'workers'): Ec2Instance => ({
  instanceId: id(number),
  state: 'terminated',
  tags: { 'aws:autoscaling:groupName': groupName },
});

const sweep = (input: Partial<SweepInput>) =>
  planSweep({
    now,
    groups: [group({})],
    hooks: new Map([['workers', [hook]]]),
    nodes: [],
    outsideInstances: new Map(),
    leavingHookName: 'drover-node-leaving',
    ...input,
  });

describe('the sweep', () => {
  it('requests the heartbeats of waits whose hooks could not be read, and leaves the timeout open', () => {
    const { heartbeats, send } = sweep({
      groups: [group({ [id(1)]: 'Terminating:Wait', [id(2)]: 'InService' })],
      hooks: new Map(),
    });
    const [wait, ...others] = heartbeats;
    expect(others).toEqual([]);
    expect(wait).toMatchObject({
      action: { instanceId: id(1), lifecycleHookName: 'drover-node-leaving' },
      transition: 'terminating',
    });
    expect(wait?.heartbeatTimeoutSeconds).toBeUndefined();
    // Due at once, whatever the timeout is.
    expect(wait?.noticedAt).toBeLessThanOrEqual(now - 7200 * 1000);
    expect(send).toEqual([]);
  });

  it('finds nothing if everything is in order', () => {
    const groups = [group({ [id(1)]: 'InService' })];
    expect(sweep({ groups, nodes: [node(1)] })).toEqual({ heartbeats: [], send: [], findings: [] });
  });

  it('wakes a pass for an instance that waits with no mark on its node: its event was lost', () => {
    const plan = sweep({ groups: [group({ [id(1)]: 'Terminating:Wait' })], nodes: [node(1)] });
    expect(plan.send).toEqual([
      {
        cause: 'swept',
        instanceId: id(1),
        noticedAt: '2026-01-01T12:00:00.000Z',
        hook: { autoScalingGroupName: 'workers', lifecycleHookName: 'drover-node-leaving' },
        hasHeartbeats: true,
      },
    ]);
    expect(plan.heartbeats).toMatchObject([{ action: { instanceId: id(1) }, transition: 'terminating' }]);
    expect(plan.findings).toMatchObject([{ kind: 'unmarked-wait', subject: id(1) }]);
  });

  it.each([
    ['Terminating:Wait', { cause: 'swept' }],
    ['Warmed:Terminating:Wait', { cause: 'swept' }],
    ['Warmed:Pending:Wait', { cause: 'terminating', destination: 'WarmPool' }],
  ])('wakes a pass for what waits in %s, in which only our hook can hold it', (state, notice) => {
    expect(sweep({ groups: [group({ [id(1)]: state })] }).send).toMatchObject([
      { ...notice, instanceId: id(1), hook: { lifecycleHookName: 'drover-node-leaving' } },
    ]);
  });

  it('wakes a pass for a wait on the way into a warm pool with a launching hook: the pass distinguishes a return from a launch', () => {
    const groups = [group({ [id(1)]: 'Warmed:Pending:Wait' })];
    const launchHook: LifecycleHook = { ...hook, lifecycleHookName: 'warm-up', transition: 'launching' };
    const hooks = new Map([['workers', [hook, launchHook]]]);
    const plan = sweep({ groups, hooks, nodes: [node(1)] });
    expect(plan.send).toMatchObject([{ instanceId: id(1), destination: 'WarmPool' }]);
    expect(plan.findings).toMatchObject([{ message: expect.stringContaining('launched into the pool') }]);
  });

  it('wakes a pass for an instance that waits and never had a node', () => {
    expect(sweep({ groups: [group({ [id(1)]: 'Terminating:Wait' })] }).send).toHaveLength(1);
  });

  it('ignores a node whose mark was renewed within half a heartbeat timeout, and wakes a pass for any other', () => {
    const groups = [group({ [id(1)]: 'Terminating:Wait' })];
    const touched = (ago: number) => [node(1, { since: now - 60 * minutes, renewedAt: now - ago })];
    expect(sweep({ groups, nodes: touched(4 * minutes) }).send).toEqual([]);
    const taken = sweep({ groups, nodes: touched(6 * minutes) });
    expect(taken.send).toHaveLength(1);
    expect(taken.findings).toEqual([
      {
        kind: 'lost-wait',
        subject: id(1),
        message: 'it waits on drover-node-leaving, and no pass has renewed its mark for 360 s',
      },
    ]);
  });

  it('names a group that has our tags but not our hook', () => {
    const launchHook: LifecycleHook = { ...hook, transition: 'launching' };
    expect(sweep({ hooks: new Map([['workers', []]]) }).findings).toMatchObject([
      { kind: 'hook-missing', subject: 'workers' },
    ]);
    // If its hooks could not be read, nothing is known.
    expect(sweep({ hooks: new Map() }).findings).toEqual([]);
    expect(sweep({ hooks: new Map([['workers', [launchHook]]]) }).findings).toHaveLength(1);
  });

  it('requires no hook on a group of etcd members that are not nodes', () => {
    const members = { ...group({ [id(1)]: 'InService' }), tags: { 'drover.dev/role': 'etcd' } };
    const bare = { groups: [members], hooks: new Map([['workers', []]]) };
    expect(sweep(bare).findings).toEqual([]);
    expect(sweep({ ...bare, nodes: [node(1)] }).findings).toMatchObject([{ kind: 'hook-missing' }]);
  });

  it('wakes a pass for the node of a terminated instance', () => {
    const plan = sweep({ nodes: [node(1)], outsideInstances: new Map([[id(1), terminated(1)]]) });
    expect(plan.send).toMatchObject([{ cause: 'instance-gone', instanceId: id(1) }]);
  });

  it.each(['shutting-down', 'stopping', 'stopped', 'pending'] as const)(
    'ignores the node of an instance that is %s: its containers may still run',
    (state) => {
      const outsideInstances = new Map([[id(1), { ...terminated(1), state }]]);
      expect(sweep({ nodes: [node(1)], outsideInstances }).send).toEqual([]);
    },
  );

  it('ignores the node of a running instance, in a group or not (Standby, detached, by hand)', () => {
    const running: Ec2Instance = { ...terminated(2), state: 'running' };
    const plan = sweep({
      groups: [group({ [id(1)]: 'Standby' })],
      nodes: [node(1), node(2)],
      outsideInstances: new Map([[id(2), running]]),
    });
    expect(plan).toEqual({ heartbeats: [], send: [], findings: [] });
  });

  it('wakes a pass for an instance that EC2 does not know only if its Node has our mark', () => {
    const mark = { since: now - minutes, renewedAt: now - minutes };
    const outsideInstances = new Map([
      [id(1), undefined],
      [id(2), undefined],
      [id(3), terminated(3, 'another-cluster')],
    ]);
    const plan = sweep({ nodes: [node(1, mark), node(2), node(3)], outsideInstances });
    expect(plan.send).toMatchObject([{ instanceId: id(1) }]);
    expect(plan.findings.filter((finding) => finding.kind === 'unproven-orphan')).toHaveLength(2);
  });

  it('wakes a pass for the mark of a node that has returned with a new root volume, long before its deadline', () => {
    const groups = [group({ [id(1)]: 'InService' })];
    const marked = (renewedAt: number) => [
      node(1, { since: now - 90 * minutes, until: now + 90 * minutes, returns: true, renewedAt }),
    ];
    expect(sweep({ groups, nodes: marked(now - 4 * minutes) }).send).toEqual([]);
    expect(sweep({ groups, nodes: marked(now - 6 * minutes) }).send).toMatchObject([{ cause: 'swept' }]);
  });

  it('sends a wait for a new root volume like one for a termination', () => {
    const groups = [group({ [id(1)]: 'ReplacingRootVolume:Wait' })];
    expect(sweep({ groups, nodes: [node(1)] })).toMatchObject({
      send: [{ cause: 'swept', instanceId: id(1) }],
      findings: [{ kind: 'unmarked-wait' }],
    });
  });

  it.each(['InService', 'Standby'])(
    'wakes a pass for the mark of a node that no longer leaves once it is well past its deadline (%s)',
    (state) => {
      const groups = [group({ [id(1)]: state })];
      const marked = (until: number) => [node(1, { since: now - 90 * minutes, until, renewedAt: until })];
      expect(sweep({ groups, nodes: marked(now - 4 * minutes) }).send).toEqual([]);
      expect(sweep({ groups, nodes: marked(now - 6 * minutes) })).toMatchObject({
        send: [{ cause: 'swept' }],
        findings: [{ kind: 'leftover-mark', subject: 'node-1' }],
      });
    },
  );

  it('wakes a pass for such a mark also if it names another instance, which does not show that it leaves', () => {
    const times = (until: number) => ({ since: now - 90 * minutes, until, renewedAt: until });
    const marked = (until: number) => [{ ...node(1), strangeMark: times(until) }];
    const groups = [group({ [id(1)]: 'InService' })];
    expect(sweep({ groups, nodes: marked(now - 4 * minutes) }).send).toEqual([]);
    expect(sweep({ groups, nodes: marked(now - 6 * minutes) }).send).toMatchObject([{ cause: 'swept' }]);
    const gone = new Map([[id(1), undefined]]);
    expect(sweep({ groups: [], nodes: marked(now), outsideInstances: gone }).send).toEqual([]);
  });

  it('withholds all deletions when they exceed three nodes or a tenth of all nodes', () => {
    const nodes = Array.from({ length: 60 }, (_, index) => node(index));
    const gone = (count: number) =>
      new Map(nodes.slice(0, count).map((one, index) => [one.instanceId, terminated(index)]));
    expect(sweep({ nodes, outsideInstances: gone(6) }).send).toHaveLength(6);
    const plan = sweep({ nodes, outsideInstances: gone(7) });
    expect(plan.send).toEqual([]);
    expect(plan.withheld).toEqual({ count: 7, bound: 6 });
    expect(plan.findings).toHaveLength(7);
  });

  it('never sends twice for one instance, whatever it finds', () => {
    const state = fc.constantFrom(
      'InService',
      'Terminating:Wait',
      'Warmed:Pending:Wait',
      'Standby',
      undefined,
    );
    const mark = fc.option(
      fc.record({ since: fc.integer({ min: 0, max: now }), renewedAt: fc.integer({ min: 0, max: now }) }),
      { nil: undefined },
    );
    fc.assert(
      fc.property(fc.array(fc.record({ state, mark, gone: fc.boolean() }), { maxLength: 30 }), (rows) => {
        const states = rows.flatMap((row, index) => (row.state ? [[id(index), row.state] as const] : []));
        const plan = sweep({
          groups: [group(Object.fromEntries(states))],
          nodes: rows.map((row, index) => node(index, row.mark)),
          outsideInstances: new Map(
            rows.flatMap((row, index) =>
              row.state ? [] : [[id(index), row.gone ? terminated(index) : undefined] as const],
            ),
          ),
        });
        const ids = plan.send.map((sent) => sent.instanceId);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });
});
