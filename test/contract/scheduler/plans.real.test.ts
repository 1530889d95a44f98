import { schedulerOracle } from '@drover/cloud-sandbox/real/programs.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Plan, planNodes } from '../../../shared/capacity/plan/plan.ts';
import { wantsOwnKind } from '../../../shared/capacity/plan/pod-affinity-filter.ts';
import { afterwards, carriedOut, type PreparedPlan, prepare } from './support/carry-out.ts';
import { type DrawnPlan, drawnPlan } from './support/drawn-plans.ts';
import { placedReasons, type Verdict } from './support/question.ts';
import { draw, type Scheduler, startScheduler, world } from './support/scheduler.ts';

let scheduler: Scheduler;

/** A plan, and what the scheduler did with its pods and its new nodes. */
interface CarriedOut {
  readonly drawn: DrawnPlan;
  readonly prepared: PreparedPlan;
  readonly plan: Plan;
  readonly verdicts: readonly Verdict[];
}

async function carryOut(drawn: DrawnPlan): Promise<CarriedOut> {
  const prepared = prepare(drawn);
  const plan = planNodes(prepared.request);
  const question = carriedOut(drawn, prepared, { newNodes: plan.newNodes, pods: drawn.pods });
  return { drawn, prepared, plan, verdicts: await scheduler.judge(question) };
}

const scheduledOf = ({ verdicts }: CarriedOut): number =>
  verdicts.filter(({ node }) => node !== undefined).length;
/** In the worst of the orders. */
const promisedOf = ({ plan }: CarriedOut): number =>
  plan.placements.filter(({ nodeName }) => nodeName !== undefined).length;

/** A plan gives no room on nodes that are cordoned or not Ready, to pods that tolerate that too. */
const toleratesClosed = ({ prepared: { request } }: CarriedOut): boolean =>
  request.nodes.some(({ node }) => node.closed !== undefined) &&
  request.pods.some(({ tolerations }) => tolerations.length > 0);

/** A plan promises no zone of a group over several, where chance may bring the right one. */
const hasUnknownZones = ({ drawn }: CarriedOut): boolean =>
  drawn.groups.some(({ zones }) => zones.length > 1);

/**
 * Pods that must be together, by affinity or by a volume that does not exist yet: the first one decides where the others may be, and the scheduler, which
 * scores nodes in more ways, may choose another place for it than a plan.
 */
function followTheFirst({ prepared: { request } }: CarriedOut): boolean {
  const claims = request.pods.flatMap(({ volumes }) => volumes.waitingClaims);
  return new Set(claims).size < claims.length || (request.pods.length > 1 && request.pods.some(wantsOwnKind));
}

const isStricter = (one: CarriedOut): boolean =>
  toleratesClosed(one) || hasUnknownZones(one) || followTheFirst(one);

/** What is shown of a plan that failed. */
const described = (one: CarriedOut) => ({
  promised: promisedOf(one),
  scheduled: scheduledOf(one),
  newNodes: [...one.plan.newNodes],
  messages: new Set(one.verdicts.flatMap(({ message }) => message ?? [])),
  pods: one.drawn.pods,
});

const area = 'Plans of pods';
const oneShape = {
  fits: 'of pods of one shape as many as a plan says are scheduled on the nodes that it says, in every drawn cluster, unless the first of them decides where the others may be',
  stays:
    'of pods of one shape no more are scheduled than a plan says, but on closed nodes that they tolerate and by the chance of a zone',
  reasons:
    'pods of one shape that have no place in a plan stay Pending with the same set of reasons if the others are on the nodes that it says',
};
const mixed =
  'of pods of several shapes for which a plan has a place all are scheduled at once, in about 99 % of the drawn clusters or more, and in the others after one more plan';

describe.skipIf(schedulerOracle.missing !== undefined)('plans, beside kube-scheduler', () => {
  let carried: readonly CarriedOut[];
  beforeAll(async () => {
    scheduler = startScheduler();
    carried = await Promise.all(draw(drawnPlan(1), 2).map(carryOut));
  });
  afterAll(async () => await scheduler?.stop());

  test(oneShape.fits, { meta: { claim: { area, behaviour: oneShape.fits, world } } }, () => {
    const short = carried.filter((one) => scheduledOf(one) < promisedOf(one));
    expect(short.filter((one) => !followTheFirst(one)).map(described)).toEqual([]);
    // One in 6,000 was seen.
    expect(short.length).toBeLessThanOrEqual(mostByChance(carried.length / 6000));
    expect(carried.filter(({ plan }) => [...plan.newNodes.values()].some((count) => count > 0))).not.toEqual(
      [],
    );
  });

  test(oneShape.stays, { meta: { claim: { area, behaviour: oneShape.stays, world } } }, () => {
    const luckier = carried.filter((one) => scheduledOf(one) > promisedOf(one));
    expect(luckier.filter((one) => !isStricter(one)).map(described)).toEqual([]);
    expect(luckier.length / carried.length).toBeLessThan(0.15);
  });

  test(oneShape.reasons, { meta: { claim: { area, behaviour: oneShape.reasons, world } } }, () => {
    const refused = carried.filter(({ plan }) => plan.refusals.size > 0);
    const alike = refused.filter(isWherePlanned);
    expect(alike.length / refused.length).toBeGreaterThan(0.8);
    const compared = alike.flatMap(compareReasons);
    const differ = compared.filter(({ ours, theirs }) => ours !== theirs);
    expect(compared.length).toBeGreaterThan(0);
    expect(
      differ.filter(({ one }) => !isStricter(one)).map(({ ours, theirs }) => ({ ours, theirs })),
    ).toEqual([]);
    expect(differ.length / compared.length).toBeLessThan(0.15);
  });

  test(mixed, { meta: { claim: { area, behaviour: mixed, world } } }, async () => {
    const plans = draw(drawnPlan(4), 4).flatMap(withPromisedPods);
    const all = await Promise.all(plans.map(carryOut));
    const short = all.filter((one) => scheduledOf(one) < promisedOf(one));
    expect(all.length).toBeGreaterThan(0);
    expect(short.length, JSON.stringify(short.map(described))).toBeLessThanOrEqual(
      mostByChance(all.length / 100),
    );
    // What is left has room after the next plan, as a hold makes it, or that plan names what no group can hold.
    const next = await Promise.all(
      short.map(({ drawn, plan, verdicts }) =>
        carryOut(afterwards(drawn, { newNodes: plan.newNodes, verdicts })),
      ),
    );
    expect(next.filter((one) => scheduledOf(one) < promisedOf(one)).map(described)).toEqual([]);
  });
});

/** Of a count with this expectation, more are seen in one of a thousand draws or fewer: three standard deviations, and one for small numbers. */
const mostByChance = (expected: number): number => Math.ceil(expected + 3 * Math.sqrt(expected) + 1);

/** Whether each existing node got as many pods as in the plan, and the new nodes, whose names differ, the same numbers. */
function isWherePlanned({ prepared: { request }, plan, verdicts }: CarriedOut): boolean {
  const existing = new Set(request.nodes.map(({ node }) => node.name));
  const podsByNode = (nodeNames: readonly (string | undefined)[]): string => {
    const placed = nodeNames.filter((name) => name !== undefined);
    const counts = [...Map.groupBy(placed, (name) => name)].map(
      ([name, pods]) => `${existing.has(name) ? name : 'new'} ${pods.length}`,
    );
    return counts.toSorted().join();
  };
  return (
    podsByNode(plan.placements.map(({ nodeName }) => nodeName)) ===
    podsByNode(verdicts.map(({ node }) => node))
  );
}

/** The sets of reasons for the pods that both leave without a place. */
function compareReasons(one: CarriedOut) {
  return [...one.plan.refusals].flatMap(([shape, { reasons: counted }]) => {
    const index = one.prepared.request.pods.findIndex(
      (pod, position) => pod.shape === shape && one.verdicts[position]?.node === undefined,
    );
    const verdict = one.verdicts[index];
    if (verdict === undefined) return [];
    // Without any node there is nothing to say by node.
    if (verdict.reasons === undefined) return counted.size === 0 ? [] : [{ one, ours: '', theirs: 'none' }];
    const theirs = new Set(Object.values(verdict.reasons).flat());
    return [{ one, ours: asText(counted.keys()), theirs: asText(theirs) }];
  });
}

const asText = (set: Iterable<string>): string => placedReasons(set).join('\n');

/** The plan of only those pods that have a place, if all have one then. */
function withPromisedPods(drawn: DrawnPlan): readonly DrawnPlan[] {
  const { request } = prepare(drawn);
  const { unplaced } = planNodes(request);
  const pods = drawn.pods.filter((_pod, index) => !isIn(unplaced, request.pods[index]));
  const kept = { ...drawn, pods };
  return pods.length > 0 && planNodes(prepare(kept).request).unplaced.size === 0 ? [kept] : [];
}

const isIn = <T>(set: ReadonlySet<T>, item: T | undefined): boolean => item !== undefined && set.has(item);
