import { array, assert, constantFrom, integer, nat, property, record } from 'fast-check';
import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import type { AutoScalingGroup } from '../../../shared/groups/group.ts';
import {
  aheadOf,
  capacityOf,
  type ReplacedCapacity,
  replacementAwaitedBy,
  unitsMissingFor,
  whyNotAwaited,
} from '../../../shared/leaving/replaced-capacity.ts';
import type { AwaitingInstance } from '../../../shared/leaving/started-leaves.ts';
import { formatLeavingMark, type LeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import { leavingAnnotation, rollingAnnotation } from '../../../shared/nodes/node-keys.ts';
import { formatRollingMark } from '../../../shared/nodes/rolling-mark.ts';
import { leaveState, markedAt } from '../../support/leave-state.ts';
import { createNodeContext } from '../../support/leaving-context.ts';
import { node, instanceId as own } from '../../support/pods.ts';
import { groupOf } from '../../support/waiting-group.ts';

const now = Date.parse('2026-11-21T07:00:00Z');
const leaving = 'Terminating:Wait';
const idOf = (index: number): string => `i-0aaaaaaaaaaaaaa${index.toString().padStart(2, '0')}`;

const nodeOf = (instanceId: string, annotations: Readonly<Record<string, string>> = {}): Node => {
  const one = node({ name: instanceId, instanceId });
  return { ...one, metadata: { ...one.metadata, annotations } };
};
const marked = (instanceId: string, parts: Partial<LeavingMark> = {}): Node =>
  nodeOf(instanceId, { [leavingAnnotation]: formatLeavingMark(markedAt(now, { instanceId, ...parts })) });
const rolled = (instanceId: string): Node =>
  nodeOf(instanceId, {
    [rollingAnnotation]: formatRollingMark({
      roll: 'image',
      at: new Date(now).toISOString(),
      waits: true,
      wasCordoned: false,
    }),
  });
const notReady = (instanceId: string): Node => {
  const one = nodeOf(instanceId);
  return { ...one, status: { conditions: [{ type: 'Ready', status: 'False' }] } };
};

const awaitingOf = (instanceId: string, since = now): AwaitingInstance => ({
  instanceId,
  autoScalingGroupName: 'workers',
  awaiting: 'replacement',
  since,
});

interface Facts {
  readonly states: Readonly<Record<string, string>>;
  readonly desired: number;
  readonly awaiting?: readonly AwaitingInstance[];
  readonly started?: readonly string[];
  readonly nodes?: readonly Node[];
  readonly group?: Partial<AutoScalingGroup>;
}

const member = (instanceId: string) => ({
  instanceId,
  lifecycleState: leaving,
  availabilityZone: 'eu-west-1a',
  healthy: true,
});

const missing = (
  instanceId: string,
  { states, desired, awaiting = [], started = [], nodes, group = {} }: Facts,
): number => {
  const whole = { ...groupOf(states), desiredCapacity: desired, ...group };
  const found = whole.instances.find((one) => one.instanceId === instanceId) ?? member(instanceId);
  const instance = { ...found, autoScalingGroupName: 'workers' };
  return unitsMissingFor(
    instanceId,
    capacityOf(whole, {
      instance,
      awaiting,
      started: started.map((one) => ({ instanceId: one, autoScalingGroupName: 'workers' })),
      ...(nodes && { nodes }),
    }),
  );
};

const [a, b, c, d, e] = [idOf(1), idOf(2), idOf(3), idOf(4), idOf(5)];

describe('the replacement of an instance', () => {
  const states = { [a]: leaving, [b]: 'InService', [c]: 'InService' };
  const others = [nodeOf(a), nodeOf(b), nodeOf(c)];

  it('is missing until as many instances serve as the group should have', () => {
    expect(missing(a, { states, desired: 3 })).toBe(1);
    expect(missing(a, { states: { ...states, [d]: 'Pending:Wait' }, desired: 3 })).toBe(1);
    expect(missing(a, { states: { ...states, [d]: 'InService' }, desired: 3 })).toBe(0);
  });

  it('serves once its Node is Ready', () => {
    const replaced = { ...states, [d]: 'InService' };
    expect(missing(a, { states: replaced, desired: 3, nodes: others })).toBe(1);
    expect(missing(a, { states: replaced, desired: 3, nodes: [...others, notReady(d)] })).toBe(1);
    expect(missing(a, { states: replaced, desired: 3, nodes: [...others, nodeOf(d)] })).toBe(0);
  });

  it('is not one that leaves itself', () => {
    const replaced = { ...states, [d]: 'InService' };
    expect(missing(a, { states: replaced, desired: 3, nodes: [...others, marked(d)] })).toBe(1);
  });

  it('is not an old node that the roll is about to terminate', () => {
    // Three old nodes and one new one; the roll has marked the old node c for its next step.
    const replaced = { ...states, [d]: 'InService' };
    const nodes = [nodeOf(a), nodeOf(b), rolled(c), nodeOf(d)];
    // c still has its pods, and it waits for a replacement of its own behind a.
    expect(missing(a, { states: replaced, desired: 3, nodes })).toBe(0);
    expect(missing(a, { states, desired: 3, nodes: [nodeOf(a), nodeOf(b), rolled(c)] })).toBe(1);
    // It is the last of those that leave, whatever the ids are.
    const whole = { ...groupOf({ [b]: 'InService', [c]: leaving, [d]: 'InService' }), desiredCapacity: 3 };
    const instance = { ...member(c), autoScalingGroupName: 'workers' };
    const listed = [rolled(b), nodeOf(c), nodeOf(d)];
    expect(capacityOf(whole, { instance, awaiting: [], started: [], nodes: listed })).toEqual({
      desired: 3,
      serving: 1,
      undrained: [expect.objectContaining({ instanceId: c }), expect.objectContaining({ instanceId: b })],
    });
  });

  it('is not one that health checks call Unhealthy', () => {
    const replaced = groupOf({ ...states, [d]: 'InService' });
    const instances = replaced.instances.map((one) => ({ ...one, healthy: one.instanceId !== d }));
    expect(missing(a, { states, desired: 3, group: { instances } })).toBe(1);
  });

  // kubernetes/autoscaler#5912 and the like: a scale-in lowers the desired capacity first.
  it('is not waited for if the desired capacity was lowered, at once or meanwhile', () => {
    expect(missing(a, { states, desired: 2 })).toBe(0);
    expect(missing(a, { states: { [a]: leaving }, desired: 0 })).toBe(0);
  });

  it('counts in units if the sizes of the group do', () => {
    const weighing = (lifecycleStates: Readonly<Record<string, string>>) => ({
      instances: groupOf(lifecycleStates).instances.map((one) => ({ ...one, weight: 4 })),
      countsUnits: true as const,
    });
    expect(missing(a, { states, desired: 12, group: weighing(states) })).toBe(4);
    const replaced = { ...states, [d]: 'InService' };
    expect(missing(a, { states, desired: 12, group: weighing(replaced) })).toBe(0);
  });

  it('is decided for an instance that an older list does not show as leaving, or not at all', () => {
    expect(missing(a, { states: { ...states, [a]: 'InService' }, desired: 3 })).toBe(1);
    expect(missing(a, { states: { [b]: 'InService', [c]: 'InService' }, desired: 3 })).toBe(1);
  });
});

describe('of several that leave at once', () => {
  const states = { [a]: leaving, [b]: leaving, [c]: leaving, [d]: 'InService', [e]: 'InService' };
  const awaiting = [awaitingOf(c, now - 2000), awaitingOf(a, now - 1000), awaitingOf(b, now)];

  it('the one that was marked first is drained when the first replacement serves', () => {
    expect([a, b, c].map((one) => missing(one, { states, desired: 5, awaiting }))).toEqual([2, 3, 1]);
    const one = { ...states, [idOf(6)]: 'InService' };
    expect([a, b, c].map((id) => missing(id, { states: one, desired: 5, awaiting }))).toEqual([1, 2, 0]);
  });

  it('one that no pass has marked yet waits behind the others, by its id', () => {
    const one = { ...states, [idOf(6)]: 'InService' };
    const known = [awaitingOf(c)];
    expect([a, b, c].map((id) => missing(id, { states: one, desired: 5, awaiting: known }))).toEqual([
      1, 2, 0,
    ]);
  });

  it('one whose drain has begun counts neither as serving nor as waiting', () => {
    const rest = [awaitingOf(a), awaitingOf(b)];
    const facts = { states, desired: 5, awaiting: rest, started: [c] };
    expect(missing(a, facts)).toBe(2);
    expect(missing(a, { ...facts, states: { ...states, [idOf(6)]: 'InService' } })).toBe(1);
  });

  it('a drained one that another hook holds counts as gone: its Node is deleted', () => {
    const nodes = [nodeOf(a), nodeOf(c), nodeOf(d), nodeOf(e)];
    expect(missing(c, { states, desired: 5, awaiting, nodes })).toBe(2);
    expect(missing(c, { states, desired: 5, awaiting, nodes: [...nodes, nodeOf(b)] })).toBe(1);
  });

  it('exactly the last m wait if m are missing, whatever the numbers are', () => {
    assert(
      property(
        integer({ min: 1, max: 12 }),
        integer({ min: 0, max: 12 }),
        integer({ min: 0, max: 24 }),
        (waiting, serving, desired) => {
          const capacity: ReplacedCapacity = {
            desired,
            serving,
            undrained: Array.from({ length: waiting }, (_, index) => ({ instanceId: idOf(index), units: 1 })),
          };
          const waits = capacity.undrained.map(({ instanceId }) => unitsMissingFor(instanceId, capacity) > 0);
          const short = Math.min(waiting, Math.max(0, desired - serving));
          expect(waits).toEqual(capacity.undrained.map((_, index) => index >= waiting - short));
        },
      ),
    );
  });

  it('no order of passes takes the pods of the group below its desired capacity', () => {
    const step = record({
      kind: constantFrom('terminate', 'serve', 'pass', 'gone'),
      index: nat(20),
    });
    assert(
      property(integer({ min: 1, max: 6 }), array(step, { maxLength: 60 }), (desired, steps) => {
        let next = desired;
        const lifecycle = new Map(Array.from({ length: desired }, (_, index) => [idOf(index), 'InService']));
        const awaiting = new Map<string, number>();
        const started = new Set<string>();
        const carrying = () => [...lifecycle.keys()].filter((id) => !started.has(id)).length;
        for (const [time, { kind, index }] of steps.entries()) {
          const ids = [...lifecycle.keys()];
          const id = ids[index % ids.length] ?? '';
          const isServing = lifecycle.get(id) === 'InService';
          const inService = [...lifecycle.values()].filter((state) => state === 'InService').length;
          if (kind === 'terminate' && isServing) lifecycle.set(id, leaving);
          if (kind === 'serve' && inService < desired) {
            lifecycle.set(idOf(next), 'InService');
            next += 1;
          }
          if (kind === 'gone' && started.has(id)) lifecycle.delete(id);
          if (kind === 'pass' && !isServing && !started.has(id)) {
            const lacks = missing(id, {
              states: Object.fromEntries(lifecycle),
              desired,
              awaiting: [...awaiting].map(([one, since]) => awaitingOf(one, since)),
              started: [...started],
            });
            if (lacks === 0) started.add(id);
            else if (!awaiting.has(id)) awaiting.set(id, time);
          }
          expect(carrying()).toBeGreaterThanOrEqual(desired);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('the turn of one whose replacement serves', () => {
  it('comes after those of its group that get a replacement first, although their passes have not begun yet', () => {
    const all = [
      awaitingOf(a, now),
      awaitingOf(b, now - 1000),
      { ...awaitingOf(c), awaiting: 'turn' as const },
    ];
    const other = { ...awaitingOf(d, now - 5000), autoScalingGroupName: 'others' };
    const at = (instanceId: string) =>
      aheadOf([...all, other], { instanceId, autoScalingGroupName: 'workers' }).map((one) => one.instanceId);
    expect(at(a)).toEqual([b]);
    expect(at(b)).toEqual([]);
    expect(at(c)).toEqual([]);
  });
});

describe('whether a drain waits for the replacement', () => {
  const { context } = createNodeContext(now, node());
  const state = {
    ...leaveState({ noticedAt: now, settings: context.settings.defaults }),
    node: nodeOf(own),
  };
  const tagged = { ...state, settings: { ...state.settings, awaitReplacement: true } };

  it('is asked for by the tag of the group, or by a roll, also after the roll has released the node', () => {
    expect(replacementAwaitedBy(state)).toBeUndefined();
    expect(replacementAwaitedBy(tagged)).toBe('tag');
    expect(replacementAwaitedBy({ ...state, node: rolled(own) })).toBe('roll');
    const mark = markedAt(now, { awaiting: 'replacement', ofRoll: true });
    expect(replacementAwaitedBy({ ...state, mark })).toBe('roll');
  });

  it('is not asked for by a roll that makes nodes unavailable, or by a mark that is unreadable', () => {
    const mark = { roll: 'image', at: new Date(now).toISOString(), waits: false, wasCordoned: false };
    const unavailable = nodeOf(own, { [rollingAnnotation]: formatRollingMark(mark) });
    expect(replacementAwaitedBy({ ...state, node: unavailable })).toBeUndefined();
    const odd = nodeOf(own, { [rollingAnnotation]: '{"waits":true}' });
    expect(replacementAwaitedBy({ ...state, node: odd })).toBeUndefined();
  });

  it('ends if nothing is launched, nothing serves, or there is no time', () => {
    const plan = { ...tagged.plan, mustHurry: true };
    const isDeleted = { ...tagged.group, isBeingDeleted: true as const };
    expect(whyNotAwaited(tagged)).toBeUndefined();
    expect(whyNotAwaited({ ...tagged, plan })).toContain('the wait on its hook ends soon');
    expect(whyNotAwaited({ ...tagged, plan: { ...plan, cause: 'spot-interruption' } })).toBe(
      'EC2 takes the instance',
    );
    expect(whyNotAwaited({ ...tagged, waits: false })).toContain('handed back');
    const { hook: _, ...withoutHook } = tagged.plan;
    expect(whyNotAwaited({ ...tagged, plan: withoutHook })).toContain('no hook of Drover');
    expect(whyNotAwaited({ ...tagged, keepsNode: true })).toBe('the instance returns');
    expect(whyNotAwaited({ ...tagged, group: isDeleted })).toBe('its group is being deleted');
    const suspended = { ...tagged.group, suspendedProcesses: ['Launch'] };
    expect(whyNotAwaited({ ...tagged, group: suspended })).toContain('Launch');
    expect(whyNotAwaited({ ...tagged, node: notReady(own) })).toBe('its node is not Ready');
  });
});
