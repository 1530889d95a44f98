import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EtcdNotice } from '../../../shared/etcd/message.ts';
import type { EtcdInstance, EtcdObservation } from '../../../shared/etcd/observe.ts';
import { withWarnings } from '../../../shared/etcd/warned-members.ts';
import { zoneOf } from '../../support/etcd/arbitraries.ts';
import { clusterId, id, instance, member, settings } from '../../support/etcd/observations.ts';

const now = 10_000_000;

const warning = (number: number, seconds: number): EtcdNotice => ({
  cause: 'taken',
  domain: settings.naming.domain,
  noticedAt: new Date(now).toISOString(),
  instanceId: id(number),
  deadline: new Date(now + seconds * 1000).toISOString(),
  warning: 'capacity-reservation',
});

interface Scene {
  readonly instances: readonly EtcdInstance[];
  readonly voters: readonly number[];
  readonly learners?: readonly number[];
  readonly desired?: number;
}

const sceneOf = ({ instances, voters, learners = [], desired = 3 }: Scene): EtcdObservation => ({
  now,
  desiredMembers: desired,
  instances,
  others: new Map(),
  zone: zoneOf([]),
  cluster: {
    kind: 'asked',
    statuses: new Map(),
    list: {
      clusterId,
      members: [
        ...voters.map((number) => member(number)),
        ...learners.map((number) => member(number, { isLearner: true })),
      ],
    },
  },
});

const three = sceneOf({ instances: [1, 2, 3].map((number) => instance(number)), voters: [1, 2, 3] });

const warned = (observation: EtcdObservation, notices: readonly EtcdNotice[]) => {
  const result = withWarnings({ notices, observation, settings });
  const unheld = result.instances.filter(({ unheld }) => unheld).map(({ instanceId }) => instanceId);
  return { ...result, unheld };
};

describe('warnings about members of etcd', () => {
  it('let the one leave whose time comes first, and name it to the others', () => {
    const { unheld, held, waits } = warned(three, [warning(1, 100), warning(2, 50), warning(3, 60)]);
    expect(unheld).toEqual([id(2)]);
    expect(held).toEqual([
      expect.stringMatching(`^${id(3)}: only a warning says .* it waits for ${id(2)}, or for Auto Scaling$`),
      expect.stringMatching(`^${id(1)}: `),
    ]);
    expect(waits).toContain(`EC2 reclaims ${id(1)}`);
  });

  it('wait while the one that has left on a warning is not replaced by a voter, also after its time', () => {
    const replaced = { instances: [2, 3, 4].map((number) => instance(number)) };
    const learning = sceneOf({ ...replaced, voters: [2, 3], learners: [4] });
    const { unheld, held } = warned(learning, [warning(1, -500), warning(2, 600)]);
    expect(unheld).toEqual([]);
    expect(held).toEqual([expect.stringContaining(`waits for ${id(1)}`)]);
    const whole = sceneOf({ ...replaced, voters: [2, 3, 4] });
    expect(warned(whole, [warning(1, -500), warning(2, 600)])).toMatchObject({ unheld: [id(2)], held: [] });
  });

  it('keep the message of a member that has left until as many vote as the groups should have', () => {
    const two = sceneOf({ instances: [instance(2), instance(3)], voters: [2, 3] });
    expect(warned(two, [warning(1, -500)]).waits).toMatch(/has left on a warning/);
    expect(warned(three, [warning(1, -500)]).waits).toBeUndefined();
  });

  it('let one leave at once if another is missing for another reason', () => {
    const two = sceneOf({ instances: [instance(2), instance(3)], voters: [2, 3] });
    expect(warned(two, [warning(3, 110)])).toMatchObject({ unheld: [id(3)], held: [] });
  });

  it('prefer the one that Auto Scaling lets leave, and hold no other one on its hook', () => {
    const leaving = sceneOf({
      ...three,
      instances: [instance(1), instance(2), instance(3, { phase: 'leaving' })],
      voters: [1, 2, 3],
    });
    expect(warned(leaving, [warning(1, 10), warning(3, 100)]).unheld).toEqual([id(3)]);
  });

  it('are not absorbed by one about the same member whose time has passed', () => {
    expect(warned(three, [warning(2, -1), warning(2, 50)]).unheld).toEqual([id(2)]);
  });

  it('never let two voters leave in one pass, nor one while another that left on a warning is missing', () => {
    const phases = fc.constantFrom<EtcdInstance['phase'][]>('serving', 'leaving', 'arriving');
    const scene = fc
      .record({
        phases: fc.array(fc.option(phases, { nil: undefined }), { minLength: 1, maxLength: 5 }),
        votes: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
        desired: fc.integer({ min: 0, max: 6 }),
        listed: fc.boolean(),
      })
      .map(({ phases: drawn, votes, desired, listed }) => {
        const instances = drawn.flatMap((phase, index) => (phase ? [instance(index + 1, { phase })] : []));
        const voters = votes.flatMap((isVoter, index) => (isVoter ? [index + 1] : []));
        const observation = sceneOf({ instances, voters, desired });
        return listed ? observation : { ...observation, cluster: { kind: 'not-asked' as const } };
      });
    const notices = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 6 }), fc.constantFrom(-100_000, -1, 0, 1, 120, 1e9)),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(scene, notices, (observation, drawn) => {
        const all = drawn.map(([number, seconds]) => warning(number, seconds));
        const { unheld, held, instances } = warned(observation, all);
        const { cluster } = observation;
        const list = cluster.kind === 'asked' ? cluster.list?.members : undefined;
        const voters = list
          ? list.map(({ name }) => name)
          : observation.instances
              .filter(({ phase }) => phase === 'serving')
              .map(({ instanceId }) => instanceId);
        const gone = unheld.filter((one) => voters.includes(one));
        expect(gone.length).toBeLessThanOrEqual(1);
        const isArriving = (one = '') =>
          instances.some(({ instanceId, phase }) => instanceId === one && phase === 'arriving');
        const missing = all.some(
          ({ instanceId = '' }) => !voters.includes(instanceId) && !isArriving(instanceId),
        );
        if (missing && voters.length < observation.desiredMembers) expect(gone).toEqual([]);
        for (const one of observation.instances)
          if (!unheld.includes(one.instanceId)) expect(instances).toContainEqual(one);
        expect(held.length + unheld.length).toBeLessThanOrEqual(
          new Set(drawn.map(([number]) => number)).size,
        );
      }),
      { numRuns: 1000 },
    );
  });
});
