import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { etcd, kubernetes } from '@drover/cloud-sandbox/real/programs.ts';
import * as fc from 'fast-check';
import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Plan, planNodes } from '../../../shared/capacity/plan/plan.ts';
import { carriedOut, prepare } from './support/carry-out.ts';
import { type DrawnPlan, drawnPlan } from './support/drawn-plans.ts';
import { strayClaimNames } from './support/drawn-volumes.ts';
import { placedReasons } from './support/question.ts';
import { type RealCluster, startRealCluster } from './support/real-cluster.ts';
import { seed } from './support/scheduler.ts';

const behaviour =
  'the pods of thirty drawn plans are scheduled on the nodes that the plan says, and the others stay Pending with the same set of reasons';

/** One shape, so that what has a place and why not is the same in each order. */
const clusters = 30;

const usesOf = ({ spec }: Pod): readonly string[] =>
  (spec?.volumes ?? []).map(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? '');

/** Plans that promise something, and whose promise does not depend on the zone that Auto Scaling chooses. */
const isTelling = (drawn: DrawnPlan): boolean =>
  drawn.groups.every(({ zones }) => zones.length === 1) &&
  drawn.cluster.nodes.every(({ spec, status }) => !spec?.unschedulable && isReady(status)) &&
  [...drawn.pods, ...drawn.cluster.pods].flatMap(usesOf).every((name) => !isStray(name)) &&
  planNodes(prepare(drawn).request).placements.some(({ nodeName }) => nodeName !== undefined);

const isStray = (name: string): boolean => strayClaimNames.some((stray) => stray === name);
const isReady = (status: NonNullable<DrawnPlan['cluster']['nodes'][number]['status']> | undefined): boolean =>
  (status?.conditions ?? []).some(({ type, status: value }) => type === 'Ready' && value === 'True');

/** `0/3 nodes are available: 1 Insufficient cpu, 2 Too many pods. preemption: ...` */
function reasonsIn(message = ''): ReadonlySet<string> {
  const text = /^(?:0\/\d+ nodes are available: )?(.*?)\.(?: |$)/.exec(message)?.[1] ?? message;
  return new Set(
    text
      .split(', ')
      .map((part) => part.replace(/^\d+ /, ''))
      .filter((part) => part !== 'no new claims to deallocate'),
  );
}

const messageOf = ({ status }: Pod): string | undefined =>
  status?.conditions?.find(({ type }) => type === 'PodScheduled')?.message;

const isBound = ({ spec }: Pod): boolean => Boolean(spec?.nodeName);

let directory: string;
let cluster: RealCluster | undefined;

describe.skipIf(kubernetes.missing !== undefined || etcd.missing !== undefined)(
  'plans, on a real API server with its scheduler',
  () => {
    beforeAll(async () => {
      directory = mkdtempSync(join(tmpdir(), 'drover-scheduler-'));
      cluster = await startRealCluster(directory);
    });
    afterAll(async () => {
      await cluster?.stop();
      rmSync(directory, { recursive: true, force: true });
    });

    test(behaviour, {
      meta: { claim: { area: 'Plans of pods', behaviour, world: `real cluster ${kubernetes.version}` } },
    }, async () => {
      if (cluster === undefined) throw new Error('there is no cluster');
      for (const drawn of fc.sample(drawnPlan(1).filter(isTelling), { numRuns: clusters, seed })) {
        const { ours, theirs } = await compare(cluster, drawn);
        expect(theirs, JSON.stringify(drawn)).toEqual(ours);
      }
    });
  },
);

interface Outcome {
  readonly scheduled: number;
  /** Of one more pod of the shape, if not all have a place. */
  readonly reasons: readonly string[];
}

async function compare(
  real: RealCluster,
  drawn: DrawnPlan,
): Promise<{ readonly ours: Outcome; readonly theirs: Outcome }> {
  const prepared = prepare(drawn);
  const plan = planNodes(prepared.request);
  const question = carriedOut(drawn, prepared, { newNodes: plan.newNodes, pods: drawn.pods });
  await real.fill(question);
  for (const pod of drawn.pods) await real.createPod(pod);
  const judged = await real.judged(drawn.pods, outcomeOf(plan).scheduled);
  const scheduled = judged.filter(isBound).length;
  const pending = drawn.pods.find(({ metadata }) =>
    judged.some((pod) => pod.metadata?.name === metadata?.name && !isBound(pod)),
  );
  const reasons = pending === undefined ? new Set<string>() : await reasonsNow(real, pending);
  await real.empty();
  return { ours: outcomeOf(plan), theirs: { scheduled, reasons: placedReasons(reasons) } };
}

/** Pods were refused while others took room. One that comes now is judged as the cluster is in the end. */
async function reasonsNow(real: RealCluster, pod: Pod): Promise<ReadonlySet<string>> {
  const probe = { ...pod, metadata: { ...pod.metadata, name: 'probe' } };
  await real.createPod(probe);
  const [found] = await real.judged([probe], 0);
  return reasonsIn(found && messageOf(found));
}

function outcomeOf({ placements, refusals }: Plan): Outcome {
  const scheduled = placements.filter(({ nodeName }) => nodeName !== undefined).length;
  const [first] = refusals.values();
  return { scheduled, reasons: placedReasons(first?.reasons.keys() ?? []) };
}
