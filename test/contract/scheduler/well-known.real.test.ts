import { schedulerOracle } from '@drover/cloud-sandbox/real/programs.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { planNodes } from '../../../shared/capacity/plan/plan.ts';
import { applications } from '../../shared/capacity/manifests/well-known/applications.ts';
import { planOfShape } from '../../shared/capacity/manifests/well-known/plan-of-shape.ts';
import { platform } from '../../shared/capacity/manifests/well-known/platform.ts';
import { carriedOut, prepare } from './support/carry-out.ts';
import type { DrawnPlan } from './support/drawn-plans.ts';
import { placedReasons } from './support/question.ts';
import { type Scheduler, startScheduler } from './support/scheduler.ts';

let scheduler: Scheduler;

/** The admission of the API server names the default class in claims that name none. */
function withDefaultClass(drawn: DrawnPlan): DrawnPlan {
  const { claims, classes } = drawn.cluster;
  const [name] = classes.map(({ metadata }) => metadata?.name ?? '');
  if (name === undefined) return drawn;
  const named = claims.map((claim) => ({
    ...claim,
    spec: { ...claim.spec, storageClassName: claim.spec?.storageClassName ?? name },
  }));
  return { ...drawn, cluster: { ...drawn.cluster, claims: named } };
}

describe.skipIf(schedulerOracle.missing !== undefined)(
  'manifests in the shape of well-known projects, beside kube-scheduler',
  () => {
    beforeAll(() => {
      scheduler = startScheduler();
    });
    afterAll(async () => await scheduler?.stop());

    test.each(Object.entries({ ...applications, ...platform }))(
      '%s are scheduled on the nodes that a plan says, and no node of them is spare',
      async (_, shape) => {
        const drawn = withDefaultClass(planOfShape(shape));
        const prepared = prepare(drawn);
        const plan = planNodes(prepared.request);
        const judge = async (newNodes: ReadonlyMap<string, number>) =>
          await scheduler.judge(carriedOut(drawn, prepared, { newNodes, pods: drawn.pods }));
        const verdicts = await judge(plan.newNodes);
        const pending = verdicts.filter(({ node }) => node === undefined);
        expect(pending).toHaveLength(plan.unplaced.size);
        const [refusal] = plan.refusals.values();
        const theirs = pending.flatMap(({ reasons = {} }) => Object.values(reasons).flat());
        expect(placedReasons(theirs)).toEqual(placedReasons(refusal?.reasons.keys() ?? []));
        for (const [name, count] of plan.newNodes) {
          if (count === 0) continue;
          const fewer = await judge(new Map([...plan.newNodes, [name, count - 1]]));
          expect(fewer.filter(({ node }) => node === undefined).length).toBeGreaterThan(plan.unplaced.size);
        }
      },
    );
  },
);
