import * as fc from 'fast-check';
import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { type DrainPlanInput, planDrain } from '../../../shared/draining/plan-drain.ts';
import { automatedDefaults, kubectlDefaults } from '../../../shared/draining/pod-filters.ts';
import { controller, emptyDir, pod } from '../../support/pods.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const inSeconds = (seconds: number): number => now + seconds * 1000;
const critical = { priorityClassName: 'system-cluster-critical' };

const plan = (pods: readonly Pod[], input: Partial<DrainPlanInput> = {}) =>
  planDrain({
    now,
    pods,
    options: automatedDefaults,
    daemonSets: new Map([['shop/agent', 'found']]),
    ...input,
  });

const acted = (made: ReturnType<typeof plan>) =>
  made.actions.map((action) => `${action.kind} ${action.pod.name}`);

describe('the plan of a drain', () => {
  it('of an empty node is complete', () => {
    expect(plan([])).toEqual({
      pods: [],
      refused: [],
      actions: [],
      waitingFor: [],
      nextCheckAfterSeconds: 0,
      complete: true,
    });
  });

  it('evicts by UID, and looks again when the longest grace is over', () => {
    const made = plan([pod({ name: 'b', graceSeconds: 40 }), pod({ name: 'a' })]);
    expect(made.actions).toMatchObject([
      { kind: 'evict', pod: { namespace: 'shop', name: 'a', uid: 'uid-of-a' } },
      { kind: 'evict', pod: { namespace: 'shop', name: 'b', uid: 'uid-of-b' } },
    ]);
    expect(made).toMatchObject({ currentTier: 'non-critical', nextCheckAfterSeconds: 42, complete: false });
  });

  it('waits a minute at most, because most pods end long before a long grace is over', () => {
    expect(plan([pod({ graceSeconds: 3600 })]).nextCheckAfterSeconds).toBe(60);
  });

  it('is over when only DaemonSet pods are left', () => {
    const made = plan([pod({ owner: controller('DaemonSet', 'agent') })]);
    expect(made).toMatchObject({ complete: true, actions: [], waitingFor: [] });
  });

  describe('of a pod that was created after the cordon', () => {
    const at = (seconds: number) => new Date(inSeconds(seconds)).toISOString();
    const returned = (createdSecondsAgo: number, tolerations: object[] = [{ operator: 'Exists' }]): Pod => {
      const made = pod({ name: 'returned' });
      const metadata = { ...made.metadata, creationTimestamp: at(-createdSecondsAgo) };
      return { ...made, metadata, spec: { ...made.spec, tolerations } } as Pod;
    };
    const since = inSeconds(-600);

    it.each([
      ['every taint', [{ operator: 'Exists' }]],
      ['every taint without an effect', [{ operator: 'Exists', effect: 'NoSchedule' }]],
      ['the cordon', [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists' }]],
      [
        'the cordon by its value',
        [{ key: 'node.kubernetes.io/unschedulable', operator: 'Equal', value: '' }],
      ],
    ])('which tolerates %s is left, and not waited for', (_, tolerations) => {
      expect(plan([returned(30, tolerations)], { since })).toMatchObject({ complete: true, actions: [] });
    });

    it.each([
      ['another taint', [{ key: 'dedicated', operator: 'Exists' }]],
      ['every taint that evicts', [{ operator: 'Exists', effect: 'NoExecute' }]],
      ['nothing', []],
    ])('which tolerates %s is evicted: something has uncordoned the node', (_, tolerations) => {
      expect(acted(plan([returned(30, tolerations)], { since }))).toEqual(['evict returned']);
    });

    it('is evicted again once it has run for as long as the drain had lasted, and not at its deadline', () => {
      const others = pod({ name: 'held', graceSeconds: 1 });
      const made = plan([returned(299), others], { since });
      expect(acted(made)).toEqual(['evict held']);
      const due = plan([returned(301), others], { since });
      expect(acted(due)).toEqual(['evict held', 'evict returned']);
      expect(due.waitingFor.map(({ name }) => name)).toEqual(['held', 'returned']);
      expect(plan([returned(301)], { since, deadline: now })).toMatchObject({ complete: true, actions: [] });
    });

    it('is evicted at once if it was created before, or nearly then', () => {
      expect(acted(plan([returned(600)], { since }))).toEqual(['evict returned']);
      expect(acted(plan([returned(598)], { since }))).toEqual(['evict returned']);
    });

    it('is waited for while it terminates, so that it has its grace', () => {
      const made = returned(30);
      const metadata = { ...made.metadata, deletionTimestamp: at(20), deletionGracePeriodSeconds: 30 };
      expect(plan([{ ...made, metadata }], { since })).toMatchObject({ complete: false, actions: [] });
    });

    it('refuses as any other pod does', () => {
      const bare = returned(30);
      const metadata = { ...bare.metadata, ownerReferences: [] };
      const made = plan([{ ...bare, metadata }], { since, options: kubectlDefaults });
      expect(made.refused).toHaveLength(1);
      expect(made.complete).toBe(false);
    });

    it('is left past the deadline also if the filters refuse it: a StatefulSet brings it back after each deletion', () => {
      const made = returned(30);
      const stateful = { ...made, spec: { ...made.spec, ...emptyDir() } } as Pod;
      const input = { since, options: kubectlDefaults, deleteRefusedAtDeadline: true };
      expect(plan([stateful], { ...input, deadline: inSeconds(300) }).refused).toHaveLength(1);
      expect(acted(plan([stateful], { ...input, deadline: inSeconds(10) }))).toEqual(['delete returned']);
      expect(plan([stateful], { ...input, deadline: now })).toMatchObject({ complete: true, actions: [] });
    });
  });

  it('evicts no pod while one refuses', () => {
    const made = plan([pod({ name: 'a' }), pod({ name: 'b', owner: null })], { options: kubectlDefaults });
    expect(made.refused.map(({ name }) => name)).toEqual(['b']);
    expect(made).toMatchObject({ actions: [], complete: false, nextCheckAfterSeconds: 32 });
  });

  it('does not evict a terminating pod again, and looks when it should be gone', () => {
    const made = plan([pod({ terminatesAt: inSeconds(12) })]);
    expect(made).toMatchObject({ actions: [], complete: false, nextCheckAfterSeconds: 14 });
    expect(made.pods[0]).toMatchObject({ verdict: 'evict', reason: 'is terminating' });
  });

  it('looks every few seconds at a pod that outlives its grace', () => {
    expect(plan([pod({ terminatesAt: inSeconds(-20) })]).nextCheckAfterSeconds).toBe(5);
  });

  it('uses the operator’s grace for evictions and waits', () => {
    const made = plan([pod()], { options: { ...automatedDefaults, gracePeriodSeconds: 3 } });
    expect(made.actions[0]).toMatchObject({ kind: 'evict', gracePeriodSeconds: 3 });
    expect(made.nextCheckAfterSeconds).toBe(5);
  });

  it('deletes from the start when eviction is turned off', () => {
    const options = { ...automatedDefaults, disableEviction: true };
    expect(plan([pod()], { options }).actions[0]).toMatchObject({
      kind: 'delete',
      pod: { namespace: 'shop', name: 'web-1', uid: 'uid-of-web-1' },
    });
  });
});

describe('tiers', () => {
  const orphan = pod({ name: 'orphan', owner: controller('DaemonSet', 'lost') });
  const daemonSets = new Map([['shop/lost', 'gone' as const]]);
  const all = [
    pod({ name: 'dns', spec: critical }),
    pod({ name: 'proxy', spec: critical, owner: controller('DaemonSet', 'lost') }),
    orphan,
    pod({ name: 'web' }),
  ];

  it('leave one after the other, with the pods that others depend on last', () => {
    const order: string[] = [];
    let left = all;
    while (left.length > 0) {
      const made = plan(left, { daemonSets });
      order.push(acted(made).join());
      left = left.filter((each) => !made.actions.some(({ pod: gone }) => gone.uid === each.metadata?.uid));
    }
    expect(order).toEqual(['evict web', 'evict orphan', 'evict dns', 'evict proxy']);
  });

  it('wait for a pod of an earlier tier that is still terminating', () => {
    const made = plan([
      pod({ name: 'dns', spec: critical }),
      pod({ name: 'web', terminatesAt: inSeconds(5) }),
    ]);
    expect(made).toMatchObject({ currentTier: 'non-critical', actions: [], nextCheckAfterSeconds: 7 });
  });

  it('do not wait for a pod that only its finalizers keep', () => {
    const stuck = pod({
      name: 'web',
      terminatesAt: inSeconds(-1),
      metadata: { finalizers: ['example.com/hold'], deletionGracePeriodSeconds: 0 },
    });
    const made = plan([pod({ name: 'dns', spec: critical }), stuck]);
    expect(acted(made)).toEqual(['evict dns']);
    expect(made.pods[1]).toMatchObject({
      verdict: 'skip',
      reason: expect.stringContaining('example.com/hold'),
    });
  });
});

describe('the deadline', () => {
  it('deletes pods of every tier whose time has come, and evicts the others', () => {
    const made = plan(
      [
        pod({ name: 'dns', spec: critical, graceSeconds: 60 }),
        pod({ name: 'slow', graceSeconds: 90 }),
        pod({ name: 'web', graceSeconds: 10 }),
      ],
      { deadline: inSeconds(45) },
    );
    expect(acted(made)).toEqual(['delete dns', 'delete slow', 'evict web']);
    expect(made.actions.map((action) => action.gracePeriodSeconds)).toEqual([45, 45, undefined]);
  });

  it('makes the next check no later than the time of the next pod', () => {
    const made = plan([pod({ graceSeconds: 30 })], {
      deadline: inSeconds(47),
      heldBy: new Map([['uid-of-web-1', ['web']]]),
      since: inSeconds(-600),
    });
    expect(made.nextCheckAfterSeconds).toBe(17);
    expect(made.pods[0]?.heldBy).toEqual(['web']);
  });

  it('does not delete refusing pods, unless the instance terminates anyway', () => {
    const input = { deadline: inSeconds(5), options: kubectlDefaults };
    const pods = [pod({ spec: emptyDir() })];
    expect(plan(pods, input)).toMatchObject({ actions: [], refused: [{ name: 'web-1' }] });
    const made = plan(pods, { ...input, deleteRefusedAtDeadline: true });
    expect(made.actions).toMatchObject([{ kind: 'delete', gracePeriodSeconds: 5 }]);
    const early = plan(pods, { ...input, deadline: inSeconds(500), deleteRefusedAtDeadline: true });
    expect(early).toMatchObject({ actions: [], refused: [{ name: 'web-1' }] });
  });

  it('deletes the others although one refuses: waiting would not give them more grace', () => {
    const pods = [pod({ name: 'a' }), pod({ name: 'b', owner: null })];
    const made = plan(pods, { deadline: inSeconds(20), options: kubectlDefaults });
    expect(acted(made)).toEqual(['delete a']);
  });
});

describe('a node with a silent kubelet', () => {
  it('has its pods evicted, and the drain does not wait beyond their grace', () => {
    const pods = [
      pod({ name: 'late', terminatesAt: inSeconds(-1) }),
      pod({ name: 'new' }),
      pod({ name: 'soon', terminatesAt: inSeconds(1) }),
    ];
    const made = plan(pods, { kubelet: 'silent' });
    expect(acted(made)).toEqual(['evict new']);
    expect(made.waitingFor.map(({ name }) => name)).toEqual(['new', 'soon']);
  });
});

const anyPod = fc
  .record({
    id: fc.nat(200),
    graceSeconds: fc.nat(300),
    terminatesIn: fc.option(fc.integer({ min: -100, max: 400 })),
    owner: fc.constantFrom(
      undefined,
      null,
      controller('DaemonSet', 'agent'),
      controller('DaemonSet', 'lost'),
    ),
    spec: fc.constantFrom({}, critical, emptyDir()),
    phase: fc.constantFrom('Running', 'Pending', 'Failed'),
  })
  .map(({ id, terminatesIn, owner, ...parts }) =>
    pod({
      ...parts,
      name: `pod-${id}`,
      ...(owner !== undefined && { owner }),
      ...(terminatesIn !== null && { terminatesAt: inSeconds(terminatesIn) }),
    }),
  );

const anyInput = fc.record({
  pods: fc.uniqueArray(anyPod, { selector: (each) => each.metadata?.uid, maxLength: 20 }),
  deadline: fc.option(fc.integer({ min: -60, max: 600 }).map(inSeconds), { nil: undefined }),
  options: fc.record({
    ignoreDaemonSets: fc.boolean(),
    deleteEmptyDirData: fc.boolean(),
    force: fc.boolean(),
    gracePeriodSeconds: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
    skipWaitForDeleteTimeoutSeconds: fc.nat(100),
    podSelector: fc.constant([]),
    disableEviction: fc.boolean(),
  }),
});

const toInput = ({
  options,
  ...rest
}: typeof anyInput extends fc.Arbitrary<infer T> ? T : never): DrainPlanInput => ({
  now,
  ...rest,
  options: { ...kubectlDefaults, ...options },
  daemonSets: new Map([
    ['shop/agent', 'found'],
    ['shop/lost', 'gone'],
  ]),
});

/** The pods after the plan's actions have been obeyed. */
function obeyed(pods: readonly Pod[], made: ReturnType<typeof plan>): Pod[] {
  const actions = new Map(made.actions.map((action) => [action.pod.uid, action]));
  return pods.map((each) => {
    const action = actions.get(each.metadata?.uid ?? '');
    if (!action) return each;
    const grace = action.gracePeriodSeconds ?? each.spec?.terminationGracePeriodSeconds ?? 30;
    const deletionTimestamp = new Date(inSeconds(grace)).toISOString();
    return { ...each, metadata: { ...each.metadata, deletionTimestamp } };
  });
}

describe('every plan', () => {
  it('is deterministic and does not mutate its input', () => {
    fc.assert(
      fc.property(anyInput, (world) => {
        const input = toInput(world);
        const before = structuredClone(input);
        expect(planDrain(input)).toEqual(planDrain(input));
        expect(input).toEqual(before);
      }),
    );
  });

  it('repeats no action once it has been executed', () => {
    fc.assert(
      fc.property(anyInput, (world) => {
        const input = toInput(world);
        const made = planDrain(input);
        const again = planDrain({ ...input, pods: obeyed(input.pods, made) });
        const tierMoved = again.currentTier !== made.currentTier;
        const repeated = again.actions.filter(({ pod: target }) =>
          made.actions.some((action) => action.pod.uid === target.uid),
        );
        expect(tierMoved ? repeated : again.actions).toEqual([]);
      }),
    );
  });

  it('acts on one tier, only on pods that it waits for, and never with a grace of 0', () => {
    fc.assert(
      fc.property(anyInput, (world) => {
        const made = planDrain(toInput(world));
        const waiting = new Map(made.waitingFor.map((each) => [each.uid, each]));
        for (const action of made.actions) {
          const target = waiting.get(action.pod.uid);
          expect(target).toBeDefined();
          expect(target?.atDeadline ?? target?.tier === made.currentTier).toBe(true);
          expect(action.gracePeriodSeconds ?? 1).toBeGreaterThanOrEqual(1);
        }
        if (made.refused.length > 0) expect(made.actions.every(({ kind }) => kind === 'delete')).toBe(true);
        expect(made.complete).toBe(made.refused.length + made.waitingFor.length === 0);
        expect(made.nextCheckAfterSeconds).toBeLessThanOrEqual(60);
        expect(made.nextCheckAfterSeconds === 0).toBe(made.complete);
      }),
    );
  });

  it('never deletes before the deadline less the grace, unless eviction is turned off', () => {
    fc.assert(
      fc.property(anyInput, (world) => {
        const input = toInput(world);
        const options = { ...input.options, disableEviction: false };
        const made = planDrain({ ...input, options });
        for (const { kind, pod: target } of made.actions) {
          if (kind === 'evict') continue;
          const planned = made.pods.find(({ uid }) => uid === target.uid);
          expect(planned?.deletesAt).toBeLessThanOrEqual(now);
        }
      }),
    );
  });
});
