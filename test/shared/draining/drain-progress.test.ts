import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { describeWaitingPod, drainProgress } from '../../../shared/draining/drain-progress.ts';
import type { ActionAnswer } from '../../../shared/draining/evict-pods.ts';
import { type DrainPlanInput, planDrain } from '../../../shared/draining/plan-drain.ts';
import { automatedDefaults, kubectlDefaults } from '../../../shared/draining/pod-filters.ts';
import { pod } from '../../support/pods.ts';

const now = Date.parse('2026-11-21T12:00:00Z');

function after(
  answers: Readonly<Record<string, ActionAnswer>>,
  { pods = [pod({ name: 'a' })], ...rest }: Partial<DrainPlanInput> & { readonly pods?: readonly Pod[] } = {},
) {
  const input = { now, pods, options: automatedDefaults, daemonSets: new Map(), ...rest };
  const byUid = Object.entries(answers).map(([name, answer]) => [`uid-of-${name}`, answer] as const);
  return drainProgress(planDrain(input), new Map(byUid), input);
}

const held: ActionAnswer = { kind: 'held', message: 'The disruption budget web needs 2 healthy pods' };

describe('after its actions a drain', () => {
  it('waits for evicted pods until their grace is over', () => {
    const progress = after({ a: { kind: 'evicted' } });
    expect(progress.waitingFor.map(describeWaitingPod)).toEqual(['shop/a (terminating)']);
    expect(progress.nextCheckAfterSeconds).toBe(32);
    expect(progress.counts).toMatchObject({ evicted: 1, held: 0 });
  });

  it('looks again at once when all pods were gone already', () => {
    expect(after({ a: { kind: 'gone' } })).toMatchObject({ waitingFor: [], nextCheckAfterSeconds: 1 });
  });

  it('retries soon for a pod that a budget holds, and names the budget from the API server’s message', () => {
    const progress = after({ a: held });
    expect(progress.waitingFor).toMatchObject([{ held: true, why: 'budget web', budgets: ['shop/web'] }]);
    expect(progress.nextCheckAfterSeconds).toBe(5);
  });

  it('names the budgets that were looked up', () => {
    const progress = after({ a: held }, { heldBy: new Map([['uid-of-a', ['one', 'two']]]) });
    expect(progress.waitingFor.map(describeWaitingPod)).toEqual(['shop/a (budget one and two)']);
    expect(progress.waitingFor).toMatchObject([{ budgets: ['shop/one', 'shop/two'] }]);
  });

  it('names no budget for a pod whose eviction was not sent, because the answer belongs to another pod', () => {
    const postponed = after({ a: { ...held, kind: 'postponed' } }).waitingFor;
    expect(postponed).toHaveLength(1);
    expect(postponed[0]).not.toHaveProperty('budgets');
  });

  it('retries less often the longer a pod is held, but at least every half minute', () => {
    expect(after({ a: held }, { since: now - 60_000 }).nextCheckAfterSeconds).toBe(10);
    expect(after({ a: held }, { since: now - 9_000_000 }).nextCheckAfterSeconds).toBe(30);
  });

  it.each<readonly [ActionAnswer, number]>([
    [{ ...held, retryAfterSeconds: 10 }, 10],
    [{ kind: 'throttled', message: 'slow down', retryAfterSeconds: 7 }, 7],
    [{ kind: 'throttled', message: 'slow down' }, 5],
    [{ kind: 'postponed', message: 'slow down' }, 5],
    [{ kind: 'namespace-terminating', message: 'the namespace goes' }, 5],
    [{ kind: 'several-budgets', message: 'more than one' }, 60],
    [{ kind: 'refused', statusCode: 500, message: 'webhook' }, 60],
    [{ kind: 'deleted' }, 32],
  ])('after %j looks again after %i s', (answer, seconds) => {
    expect(after({ a: answer }).nextCheckAfterSeconds).toBe(seconds);
  });

  it('does not wait for a retry longer than to the deadline’s deletion', () => {
    const progress = after({ a: { kind: 'several-budgets', message: 'two' } }, { deadline: now + 50_000 });
    expect(progress.nextCheckAfterSeconds).toBe(20);
    expect(progress.waitingFor[0]?.held).toBe(true);
  });

  it('looks for deleted pods at the deadline', () => {
    expect(after({ a: { kind: 'deleted' } }, { deadline: now + 10_000 }).nextCheckAfterSeconds).toBe(12);
  });

  it('reports for the other pods why they are still there', () => {
    const dns = pod({ name: 'dns', spec: { priorityClassName: 'system-node-critical' } });
    const lines = after({ a: { kind: 'evicted' } }, { pods: [pod({ name: 'a' }), dns] });
    expect(lines.waitingFor.map(describeWaitingPod)).toEqual([
      'shop/a (terminating)',
      'shop/dns (its tier (critical) comes later)',
    ]);
    const alone = pod({ name: 'b', owner: null });
    const refused = after({}, { pods: [pod({ name: 'a' }), alone], options: kubectlDefaults });
    expect(refused.waitingFor.map(({ why }) => why)).toEqual([
      expect.stringContaining('no controller'),
      'another pod refuses the drain',
    ]);
  });
});
