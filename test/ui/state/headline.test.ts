import { describe, expect, it } from 'vitest';
import { headlineOf } from '../../../ui/state/headline.ts';
import type { DashboardState } from '../../../ui/state/types.ts';
import { capacity, group, instance, leavingInstance, node, state } from '../states.ts';

const enough = capacity({ floor: 1, ready: 1 });
const calm = (parts: Partial<DashboardState> = {}): DashboardState =>
  state({
    waitingPods: [],
    queues: [],
    groups: [group({ capacity: enough, instances: [instance(), instance({ instanceId: 'i-2' })] })],
    ...parts,
  });
const withInstances = (...instances: ReturnType<typeof instance>[]): DashboardState =>
  calm({ groups: [group({ capacity: enough, instances, desiredCapacity: instances.length })] });
const moreOf = (shown: DashboardState): readonly string[] => headlineOf(shown).more.map(({ text }) => text);
const textOf = (shown: DashboardState): string => headlineOf(shown).text.replaceAll('\u00a0', ' ');

describe('the sentence at the top', () => {
  it('says that all nodes serve', () => {
    expect(headlineOf(calm())).toEqual({ tone: 'good', text: 'All 2 nodes serve', more: [] });
  });

  it('says what a drain waits for, how long, and when it is forced', () => {
    const shown = withInstances(instance(), leavingInstance());
    expect(textOf(shown)).toBe('1 node draining for 30 s, held by budget web; forced at 08:10 at the latest');
    expect(headlineOf(shown).tone).toBe('warn');
  });

  it('says how long a drain lasts that no budget holds', () => {
    const { leaving } = leavingInstance().node ?? node();
    const free = node({ ...(leaving && { leaving: { ...leaving, waitingFor: [], andMore: 0 } }) });
    expect(textOf(withInstances(leavingInstance({ node: free })))).toBe(
      '1 node draining for 30 s; forced at 08:10 at the latest',
    );
  });

  it('counts instances that leave without a drain', () => {
    expect(textOf(withInstances(instance(), leavingInstance({ node: undefined })))).toBe(
      '1 instance leaving',
    );
  });

  it('says that a group lacks nodes of its floor', () => {
    expect(textOf(calm({ groups: [group({ capacity: capacity(), instances: [] })] }))).toBe(
      'workers has 1 of the 4 nodes of its floor',
    );
  });

  it('says that a group lacks instances, although each that it has serves', () => {
    const groups = [group({ capacity: enough, instances: [instance()], desiredCapacity: 3 })];
    expect(headlineOf(calm({ groups })).tone).toBe('warn');
    expect(textOf(calm({ groups }))).toBe(
      'workers lacks 2 of its 3 desired instances: its scaling activities say why',
    );
  });

  describe('of a group that counts units', () => {
    const twoOfThree = [instance({ weight: 3 }), instance({ instanceId: 'i-2', weight: 3 })];
    const withUnits = (desiredCapacity: number, instances = twoOfThree) =>
      calm({ groups: [group({ capacity: enough, countsUnits: true, instances, desiredCapacity })] });

    it('is calm where the weights of its instances add up', () => {
      expect(headlineOf(withUnits(6))).toEqual({ tone: 'good', text: 'All 2 nodes serve', more: [] });
    });

    it('says how many units it lacks', () => {
      expect(textOf(withUnits(9))).toBe('workers lacks 3 of its 9 units: its scaling activities say why');
      expect(textOf(withUnits(9, []))).toContain('workers lacks 9 of its 9 units');
    });

    it('says nothing of what it lacks where the weights are unknown', () => {
      expect(headlineOf(withUnits(9, [instance(), instance({ instanceId: 'i-2' })])).tone).toBe('good');
    });

    it('counts its floor in units', () => {
      const groups = [
        group({
          capacity: capacity({ floor: 6, ready: 3 }),
          countsUnits: true,
          instances: twoOfThree,
          desiredCapacity: 6,
        }),
      ];
      expect(textOf(calm({ groups }))).toBe('workers has 3 of the 6 units of its floor');
    });
  });

  it('counts an instance that leaves in its place, and none of a warm pool', () => {
    const warm = instance({ instanceId: 'i-9', lifecycleState: 'Warmed:Stopped', node: undefined });
    const instances = [instance(), leavingInstance(), warm];
    const textsOf = (desiredCapacity: number) =>
      moreOf(calm({ groups: [group({ capacity: enough, instances, desiredCapacity })] })).join();
    expect(textsOf(2)).not.toContain('lacks');
    expect(textsOf(3)).toContain('workers lacks 1 of its 3 desired instances');
  });

  it('counts nothing of a group whose instances are unknown', () => {
    const groups = [group({ capacity: enough, instances: [], instancesUnknown: true, desiredCapacity: 3 })];
    const unknown = [{ what: 'the instances', reason: 'unknown: denied' }];
    expect(headlineOf(calm({ groups, unknown }))).toEqual({
      tone: 'warn',
      text: 'Not everything could be read: the instances',
      more: [],
    });
  });

  it('says that passes are paused', () => {
    const groups = [
      group({ capacity: enough, instances: [instance()], desiredCapacity: 1, paused: 'paused' }),
    ];
    expect(textOf(calm({ groups }))).toBe('Paused: workers. Drover drains and joins nothing there');
  });

  it('does not count cordoned nodes with those that serve', () => {
    const cordoned = instance({ instanceId: 'i-2', node: node({ cordoned: true }) });
    expect(textOf(withInstances(instance(), cordoned))).toBe('1 node cordoned: no new pods come');
  });

  it('does not call members of etcd nodes', () => {
    const member = instance({ instanceId: 'i-3', node: undefined });
    const etcd = group({ role: 'etcd', capacity: undefined, instances: [member], desiredCapacity: 1 });
    const workers = group({ capacity: enough, instances: [instance()], desiredCapacity: 1 });
    expect(textOf(calm({ groups: [etcd, workers] }))).toBe(
      'The only node serves, and 1 member of etcd is in service',
    );
    expect(textOf(calm({ groups: [etcd] }))).toBe('1 member of etcd is in service');
  });

  it('does not call an account without a group of the cluster well', () => {
    const empty = { source: 'account', groups: [], clusterName: 'prdo' } as const;
    expect(headlineOf(calm(empty))).toMatchObject({
      tone: 'warn',
      text: 'Drover manages no Auto Scaling group of the cluster prdo here: check its name, the region and the tags',
    });
    const unknown = [{ what: 'the groups', reason: 'unknown: denied' }];
    expect(headlineOf(calm({ ...empty, unknown })).more).toEqual([]);
    expect(textOf(calm({ groups: [] }))).toBe('No nodes yet');
  });

  it('begins with what is worst, and has the rest in the order of its weight', () => {
    const problem = {
      kind: 'certificate-conflict',
      subject: 'ip-10-0-0-5.eu-west-1.compute.internal',
      message: 'two keys ask for it',
      severity: 'critical',
    } as const;
    const { text, more } = headlineOf(state({ problems: [problem] }));
    expect(text).toBe('Someone may hold a stolen token for ip-10-0-0-5');
    expect(more.map(({ tone }) => tone)).toEqual(['warn', 'warn', 'warn']);
  });

  it('says that etcd has no quorum', () => {
    const members = state().etcd?.members ?? [];
    expect(textOf(calm({ etcd: { members, voters: 3, servingVoters: 1, quorum: 2 } }))).toBe(
      'etcd has no quorum: 1 of 3 voters serve',
    );
  });

  it('says that no member of etcd runs', () => {
    expect(textOf(calm({ etcd: { members: [], voters: 0, servingVoters: 0, quorum: 1 } }))).toBe(
      'No member of etcd runs',
    );
  });

  it('says which node in service is not well, why, and how many more are not', () => {
    const failing = (instanceId: string) => instance({ instanceId, node: node({ ready: false }) });
    expect(textOf(withInstances(instance(), failing('i-5')))).toBe(
      'i-5 is in service and not well: its node is not Ready',
    );
    expect(textOf(withInstances(failing('i-5'), failing('i-6')))).toBe(
      'i-5 is in service and not well: its node is not Ready; and 1 more',
    );
  });

  it.each([
    [{ ec2State: 'stopped' }, 'its machine is stopped'],
    [{ healthy: false }, 'Unhealthy in Auto Scaling'],
    [{ node: undefined }, 'it has no node'],
  ])('says why a node is not well: %o', (parts, reason) => {
    expect(textOf(withInstances(instance(parts)))).toContain(`not well: ${reason}`);
  });
});
