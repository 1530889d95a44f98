import { schedulerOracle } from '@drover/cloud-sandbox/real/programs.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClusterState } from '../../../shared/capacity/plan/cluster-state.ts';
import { prepareCheck } from '../../../shared/capacity/plan/filters.ts';
import { plannedPodOf } from '../../../shared/capacity/plan/pod.ts';
import { reasons } from '../../../shared/capacity/plan/reasons.ts';
import { snapshotOf } from '../../../shared/capacity/plan/snapshot.ts';
import { drawnQuestion, objectsOf, type Question, surroundingsOf, type Verdict } from './support/question.ts';
import { clusters, draw, type Scheduler, startScheduler, world } from './support/scheduler.ts';

const behaviour =
  'in drawn clusters each node takes or refuses a pod as the scheduler says, with the same reasons; only cordoned and not Ready nodes also refuse pods that tolerate that';

/** The reasons of both for one node and one pod. */
interface Compared {
  readonly pod: Question['asked'][number];
  readonly nodeName: string;
  readonly isClosed: boolean;
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

/** Pods that the API server refuses are left out. */
function compare(question: Question, verdicts: readonly Verdict[]): readonly Compared[] {
  const cluster = createClusterState(snapshotOf(objectsOf(question)).nodes);
  const surroundings = surroundingsOf(question);
  return question.asked.flatMap((pod, index) => {
    const verdict = verdicts[index];
    if (verdict === undefined) throw new Error('there is no verdict');
    if (verdict.invalid !== undefined) return [];
    const check = prepareCheck(plannedPodOf(pod, surroundings), cluster);
    return cluster.nodes.map((state) => ({
      pod,
      nodeName: state.node.name,
      isClosed: state.node.closed !== undefined,
      ours: check(state).toSorted(),
      theirs: (verdict.reasons?.[state.node.name] ?? []).toSorted(),
    }));
  });
}

const isSame = ({ ours, theirs }: Compared): boolean => JSON.stringify(ours) === JSON.stringify(theirs);

/** A plan lets no pod go to such a node, whatever it tolerates. */
const isStricter = ({ isClosed, ours }: Compared): boolean =>
  isClosed && ours.length === 1 && (ours[0] === reasons.unschedulable || ours[0] === reasons.taint);

let scheduler: Scheduler;

describe.skipIf(schedulerOracle.missing !== undefined)('filters, beside kube-scheduler', () => {
  beforeAll(() => {
    scheduler = startScheduler();
  });
  afterAll(async () => await scheduler?.stop());

  test(behaviour, {
    meta: { claim: { area: 'Plans of pods', behaviour, world } },
  }, async () => {
    const questions = draw(drawnQuestion(5));
    const compared = (
      await Promise.all(questions.map(async (question) => compare(question, await scheduler.judge(question))))
    ).flat();
    expect(compared.filter((one) => !isSame(one) && !isStricter(one))).toEqual([]);

    // A draw in which nearly all pods are refused would find little.
    const accepted = compared.filter(({ theirs }) => theirs.length === 0).length;
    expect(accepted / compared.length).toBeGreaterThan(0.15);
    const seen = new Set(compared.flatMap(({ theirs }) => theirs));
    if (clusters >= 1000)
      expect(Object.values(reasons).filter((reason) => !seen.has(reason))).toEqual([reasons.nodeName]);
  });
});
