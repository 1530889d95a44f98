import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { inParts } from '../base/batched.ts';
import { isAboutAnotherObject } from '../draining/cluster-failure.ts';
import { BusyError } from '../groups/auto-scaling.ts';
import { nameOfNode } from '../nodes/node-names.ts';
import type { RollContext } from './context.ts';
import { firstFree } from './held-pods.ts';
import { cordonPatch, keepPatch, markPatch, type RollPatch, releasePatch, taintPatch } from './node-marks.ts';
import type { Observation } from './observe.ts';
import type { Roll } from './roll.ts';
import type { Step } from './step.ts';

/** What a step came to. */
export interface Taken {
  readonly reason: string;
  /** When the next step is due; undefined if the next scan is early enough. */
  readonly afterSeconds?: number;
}

/** While instances launch and leave. */
const movingSeconds = 15;
/** After a change of ours: the next step is another one. */
const soonSeconds = 2;
/** Patches of one pass: the next pass continues. */
const mostPatches = 50;
const patchesAtOnce = 5;

/** Carries out a step. @throws if AWS or the API server refuses it. The next pass decides again from what there is then. */
export async function takeStep(
  context: RollContext,
  {
    roll,
    step,
    observation,
  }: { readonly roll: Roll; readonly step: Step; readonly observation: Observation },
): Promise<Taken> {
  const { name } = roll;
  const { keep, letGo } = step.kept ?? { keep: [], letGo: [] };
  await patchEach(context, keep, (node) => keepPatch(node, name));
  await patchEach(context, letGo, (node) => releasePatch(node, { roll: name, keepsTaint: true }));
  await patchEach(context, step.uncordoned ?? [], cordonPatch);
  switch (step.kind) {
    case 'wait':
      return { reason: step.reason, ...(step.state === 'running' && { afterSeconds: movingSeconds }) };
    case 'taint':
      await patchEach(context, step.nodes, (node) => taintPatch(node, name));
      return { reason: step.reason, afterSeconds: soonSeconds };
    case 'release':
      await patchEach(context, step.nodes, (node) =>
        releasePatch(node, { roll: name, keepsTaint: step.keepsTaints }),
      );
      return {
        reason: `${step.reason}: released ${step.nodes.map(nameOfNode).join(', ')}`,
        afterSeconds: soonSeconds,
      };
    case 'terminate':
      return await changeInstance(step, step.isLast ? movingSeconds : soonSeconds, (instanceId) =>
        step.way === 'set-unhealthy'
          ? context.setUnhealthy(instanceId)
          : context.autoScaling.terminate(instanceId),
      );
    case 'set-healthy':
      return await changeInstance(step, soonSeconds, context.setHealthy);
    case 'mark':
      return await markOne(context, { roll, step, observation });
  }
}

/** If Auto Scaling changes the instance already, the list was older than that: the next pass sees what becomes of it. */
async function changeInstance(
  { member, reason }: Extract<Step, { kind: 'terminate' | 'set-healthy' }>,
  afterSeconds: number,
  change: (instanceId: string) => Promise<unknown>,
): Promise<Taken> {
  const { instanceId, autoScalingGroupName: name } = member;
  try {
    await change(instanceId);
    return { reason, afterSeconds };
  } catch (error) {
    if (!(error instanceof BusyError)) throw error;
    return {
      reason: `Auto Scaling already changes ${instanceId} of ${name}, so the roll waits until that shows`,
      afterSeconds: movingSeconds,
    };
  }
}

async function markOne(
  context: RollContext,
  {
    roll,
    step,
    observation,
  }: {
    readonly roll: Roll;
    readonly step: Extract<Step, { kind: 'mark' }>;
    readonly observation: Observation;
  },
): Promise<Taken> {
  const { cluster, clock } = context;
  const [first] = step.candidates;
  const group = observation.groups.find(
    ({ autoScalingGroupName }) => autoScalingGroupName === first?.member.autoScalingGroupName,
  );
  const tags = group?.tags ?? {};
  const annotationsEndAt = roll.startedAt + roll.annotationTimeoutSeconds * 1000;
  const { free, held } = await firstFree(step.candidates, {
    pods: await observation.pods(),
    listBudgets: (namespace) => cluster.listPodDisruptionBudgets(namespace),
    now: observation.now,
    annotationsEndAt,
    ...(roll.skipBlocked && {
      blockedLast: { tags, annotationTimeoutSeconds: roll.annotationTimeoutSeconds },
    }),
  });
  if (free === undefined)
    return { reason: `${step.reason}; ${held.join('; ')}`, afterSeconds: movingSeconds };
  const { node } = free;
  const patch = markPatch(node, { roll: roll.name, waits: step.waits, now: clock.now(), annotationsEndAt });
  const failure = await patchUnlessChanged(context, node, patch);
  const reason = failure ?? `${nameOfNode(node)} is next`;
  return { reason: `${step.reason}; ${reason}`, afterSeconds: soonSeconds };
}

/** @throws the first failure, once every other Node is patched. */
async function patchEach(
  context: RollContext,
  nodes: readonly Node[],
  patchOf: (node: Node) => RollPatch,
): Promise<void> {
  const results = await inParts(nodes.slice(0, mostPatches), patchesAtOnce, (node) =>
    patchUnlessChanged(context, node, patchOf(node)),
  );
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
}

/** A clause if the Node has changed, even if only its kubelet has reported, or is gone. The next pass reads it again. */
async function patchUnlessChanged(
  { cluster }: RollContext,
  node: Node,
  patch: RollPatch,
): Promise<string | undefined> {
  try {
    await cluster.patchNode(nameOfNode(node), patch);
    return undefined;
  } catch (error) {
    if (!isAboutAnotherObject(error)) throw error;
    return `${nameOfNode(node)} has just changed, or is gone`;
  }
}
