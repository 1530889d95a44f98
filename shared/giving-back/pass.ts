import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { TimerClock } from '../base/clock.ts';
import { describeFailures, failuresOf, type ItemFailure, sideBySide } from '../base/side-by-side.ts';
import { isAboutAnotherObject } from '../draining/cluster-failure.ts';
import { type AutoScalingGroup, findTerminatingHook } from '../groups/group.ts';
import { isTerminating } from '../groups/lifecycle-state.ts';
import type { LeavingContext } from '../leaving/context.ts';
import { ownNodes } from '../leaving/find-node.ts';
import { nameOfNode } from '../nodes/node-names.ts';
import type { GivingBackNotice } from '../passes/group-messages.ts';
import { done, type Outcome } from '../passes/outcome.ts';
import { describePause, pauseOf } from '../passes/pause.ts';
import {
  type Candidate,
  candidatesOf,
  describeKeptZones,
  describeProtected,
  isEmpty,
  obstacleInNodes,
  obstacleOf,
  obstacleTo,
} from './candidates.ts';
import { isReserved, releaseOf, reservationOf, reservedOf } from './reservation.ts';

export type GivingBackContext = Pick<LeavingContext, 'autoScaling' | 'ec2' | 'cluster' | 'settings'> & {
  readonly clock: TimerClock;
};

/**
 * The time for the pods of one node, and of all candidates. The API server may take 20 s for a call, and a pass has 26 s: what follows makes
 * two more calls for the chosen node.
 */
const podsMilliseconds = 7000;
const candidatesMilliseconds = 12_000;
const candidatesAtOnce = 3;

/** An older request may be from before a hold. prewarm sends another one each minute. */
const freshSeconds = 300;

/**
 * One pass over the empty nodes of a group. It gives back at most one: it cordons the node, reads its pods again, and terminates its
 * instance with a lower desired capacity, which Auto Scaling refuses below MinSize. The leaving hook then drains pods that were placed
 * meanwhile.
 *
 * After a pass that is killed, the node stays reserved. The next pass takes it first, or releases it, but does neither while its group is
 * paused. A node whose pods cannot be read, or that cannot be released, stops no other.
 *
 * @throws if the cluster or AWS cannot be read: nothing is given back, and the pass is retried. Also if none is given back and single nodes
 * failed, once all others are done. If one is given back, the facts name the failures: the sweep finds nodes that are still reserved.
 */
export async function givingBackPass(
  context: GivingBackContext,
  notices: readonly GivingBackNotice[],
): Promise<Outcome> {
  const { autoScaling, cluster, clock, settings } = context;
  const name = notices[0]?.autoScalingGroupName ?? '';
  const group = await findGroup(context, name, clock.now());
  const pause = group && pauseOf(group.tags);
  if (pause) return done(`no node is given back: ${describePause(pause)}`, { givenBack: 0 });
  const nodes = await cluster.listNodes('consistent');
  const reserved = group ? reservedOf(group, nodes) : [];
  const obstacle =
    whyTooOld(notices, clock.now()) ??
    obstacleOf(group, settings.clusterName) ??
    whyUndrained(await autoScaling.describeHooks(name), settings.leavingHookName);
  const giveBackNone = async (why: string, unread: readonly ItemFailure[] = []): Promise<Outcome> => {
    const failures = [...unread, ...(await releaseEach(context, reserved))];
    return unlessFailed(done(`no node is given back: ${why}`, { givenBack: 0 }), failures);
  };
  if (obstacle !== undefined || group === undefined) return await giveBackNone(`${obstacle}`);
  const own = await ownNodes(context, nodes.filter(isOf(group.instances)));
  const fewNodes = obstacleInNodes(group, own);
  if (fewNodes !== undefined) return await giveBackNone(fewNodes);
  const { chosen, unread } = await firstEmpty(context, candidatesOf(group, { nodes: own, now: clock.now() }));
  if (!chosen)
    return await giveBackNone(
      `none of the nodes checked is empty${describeKeptZones(group)}${describeProtected(group)}`,
      unread,
    );
  const others = reserved.filter((node) => node.metadata?.uid !== chosen.node.metadata?.uid);
  const [unreleased, [given]] = await Promise.all([
    releaseEach(context, others),
    Promise.allSettled([giveBack(context, { ...chosen, autoScalingGroupName: name })]),
  ]);
  if (given.status === 'rejected') throw given.reason;
  return unlessFailed(given.value, [...unread, ...unreleased]);
}

/** @throws if there are failures and no node is given back, with what was done. The queue repeats the pass. */
function unlessFailed(outcome: Outcome, failures: readonly ItemFailure[]): Outcome {
  if (failures.length === 0) return outcome;
  const described = describeFailures(failures);
  const reason = `${outcome.reason}; ${described}`;
  if (outcome.facts?.givenBack === 1) return done(reason, { ...outcome.facts, failures: described });
  throw new AggregateError(
    failures.map(({ error }) => error),
    reason,
  );
}

const findGroup = async ({ autoScaling }: GivingBackContext, name: string, notBefore: number) =>
  (await autoScaling.listGroups(notBefore)).find(({ autoScalingGroupName }) => autoScalingGroupName === name);

const isOf =
  (instances: readonly { readonly instanceId: string }[]) =>
  ({ spec }: Node): boolean =>
    instances.some(({ instanceId }) => spec?.providerID?.endsWith(instanceId));

function whyTooOld(notices: readonly GivingBackNotice[], now: number): string | undefined {
  const requests = notices.filter(({ cause }) => cause === 'give-back');
  if (requests.some(({ noticedAt }) => Math.abs(now - Date.parse(noticedAt)) <= freshSeconds * 1000))
    return undefined;
  return requests.length === 0 ? 'its reservation was left behind' : 'the request is too old';
}

const whyUndrained = (
  hooks: Parameters<typeof findTerminatingHook>[0],
  leavingHookName: string,
): string | undefined =>
  findTerminatingHook(hooks, leavingHookName)
    ? undefined
    : `its group lacks the hook ${leavingHookName}, so a pod that is placed meanwhile would not be drained`;

/**
 * The first candidate without pods. One whose pods cannot be read counts as not empty. A few are read side by side, so that one that hangs
 * does not take the time of the next.
 */
async function firstEmpty(
  context: GivingBackContext,
  candidates: readonly Candidate[],
): Promise<{ readonly chosen: Candidate | undefined; readonly unread: readonly ItemFailure[] }> {
  const { clock } = context;
  const endsAt = clock.now() + candidatesMilliseconds;
  const unread: ItemFailure[] = [];
  for (let start = 0; start < candidates.length && clock.now() < endsAt; start += candidatesAtOnce) {
    const results = await sideBySide(
      candidates.slice(start, start + candidatesAtOnce),
      (candidate) => hasNoPods(context, candidate),
      {
        clock,
        atOnce: candidatesAtOnce,
        eachMilliseconds: podsMilliseconds,
        togetherMilliseconds: endsAt - clock.now(),
      },
    );
    const index = results.findIndex((result) => result.status === 'fulfilled' && result.value);
    unread.push(
      ...failuresOf(
        index === -1 ? results : results.slice(0, index),
        ({ node }) => `the pods of node ${nameOfNode(node)}`,
      ),
    );
    if (index !== -1) return { chosen: results[index]?.item, unread };
  }
  return { chosen: undefined, unread };
}

const hasNoPods = async ({ cluster }: GivingBackContext, { node }: Candidate): Promise<boolean> =>
  isEmpty(await cluster.listPodsOnNode(nameOfNode(node), 'consistent'));

async function giveBack(
  context: GivingBackContext,
  candidate: Candidate & { readonly autoScalingGroupName: string },
): Promise<Outcome> {
  const { cluster, clock, settings } = context;
  const { instanceId } = candidate;
  const name = nameOfNode(candidate.node);
  const isCordoned = isReserved(candidate.node) && candidate.node.spec?.unschedulable === true;
  const node = isCordoned
    ? candidate.node
    : await unlessChanged(cluster.patchNode(name, reservationOf(candidate.node, clock.now())));
  if (node === undefined)
    return done(`node ${name} is not given back: it has just changed, or is gone`, {
      givenBack: 0,
      instanceId,
    });
  // A pod may have been placed before the cordon, and the group may have changed.
  const isStillEmpty = await hasNoPods(context, candidate);
  // A list of this same millisecond may have been read before the cordon.
  const group = await findGroup(context, candidate.autoScalingGroupName, clock.now() + 1);
  const obstacle = isStillEmpty
    ? obstacleTo(instanceId, group, settings.clusterName)
    : 'a pod has just been placed on it';
  if (obstacle === undefined) return await terminate(context, { instanceId, node });
  // A node that something else has terminated meanwhile stays cordoned: pods that were placed on it now would be drained at once.
  if (!isLeaving(group, instanceId)) await release(context, [node]);
  return done(`node ${name} is not given back: ${obstacle}`, { givenBack: 0, instanceId });
}

/** Undefined if the Node has changed, even if only the kubelet has reported. The next pass reads it again. */
const unlessChanged = async (patched: Promise<Node>): Promise<Node | undefined> => {
  try {
    return await patched;
  } catch (error) {
    if (isAboutAnotherObject(error)) return undefined;
    throw error;
  }
};

const isLeaving = (group: AutoScalingGroup | undefined, instanceId: string): boolean =>
  group?.instances.some((member) => member.instanceId === instanceId && isTerminating(member)) === true;

/** If Auto Scaling is busy, the instance may be leaving, so its node stays cordoned until the next pass. */
async function terminate(context: GivingBackContext, { instanceId, node }: Candidate): Promise<Outcome> {
  const answer = await context.autoScaling.giveBack(instanceId);
  const name = nameOfNode(node);
  if (answer.kind === 'terminating')
    return done(`node ${name} is empty and is given back`, { givenBack: 1, instanceId });
  if (answer.kind !== 'busy') await release(context, [node]);
  if (answer.kind === 'denied') throw answer.error;
  return done(`node ${name} is not given back: ${answer.reason}`, { givenBack: 0, instanceId });
}

/** @throws if the node cannot be released. The next pass tries again. */
async function release(context: GivingBackContext, nodes: readonly Node[]): Promise<void> {
  const [failure] = await releaseEach(context, nodes);
  if (failure) throw failure.error;
}

/** Releases each node. */
async function releaseEach(
  context: GivingBackContext,
  nodes: readonly Node[],
): Promise<readonly ItemFailure[]> {
  const results = await Promise.allSettled(nodes.map((node) => releaseOne(context, node)));
  return nodes.flatMap((node, index) => {
    const result = results[index];
    return result?.status === 'rejected'
      ? [{ item: `the release of node ${nameOfNode(node)}`, error: result.reason as unknown }]
      : [];
  });
}

/**
 * A node that is gone, or that has another's name by now, needs no release. A conflict does not prove that: the API server also
 * responds with it if others changed the Node each time it applied the patch.
 */
async function releaseOne({ cluster }: GivingBackContext, node: Node): Promise<void> {
  const name = nameOfNode(node);
  try {
    await cluster.patchNode(name, releaseOf(node));
  } catch (error) {
    if (!isAboutAnotherObject(error)) throw error;
    const found = await cluster.getNode(name);
    if (found && found.metadata?.uid === node.metadata?.uid && isReserved(found)) throw error;
  }
}
