import type * as z from 'zod/mini';
import type { HoldChange } from '../capacity/holds/change-holds.ts';
import type { HoldRefusal } from '../capacity/holds/check-hold.ts';
import type { FloorReading } from '../capacity/holds/floor-record.ts';
import type { Hold, HoldReading } from '../capacity/holds/hold.ts';
import { holdStateOf } from '../capacity/holds/hold-state.ts';
import { isForPods, podsIn } from '../capacity/holds/pod-floor.ts';
import { podsFoundOf } from '../capacity/holds/pods-found.ts';
import type { ObservedNodes } from '../capacity/observed-nodes.ts';
import { type PodRequest, podRequestJson } from '../capacity/pod-holds/pod-request.ts';
import { requestText } from '../capacity/pod-holds/request-text.ts';
import type { AutoScalingGroup } from '../groups/group.ts';
import { type HttpResult, json, noContent } from './http-call.ts';
import { pageByKey } from './paging.ts';
import { type ProblemCode, ProblemError } from './problem.ts';
import type { changedHold, holdList, listedHold } from './schemas/answers/hold.ts';
import type { heldPods } from './schemas/answers/pods.ts';

/** The fields of a hold, with its times as text. */
export function viewHold(hold: Hold): Omit<z.infer<typeof changedHold>, 'change'> {
  const { autoScalingGroupName, name, nodes, pods, until, raiseMaxSize, createdAt, endedAt, by, set } = hold;
  return {
    autoScalingGroupName,
    name,
    nodes,
    ...(pods && { pods: viewPods(pods) }),
    until: new Date(until).toISOString(),
    raiseMaxSize,
    ...(createdAt !== undefined && { createdAt: new Date(createdAt).toISOString() }),
    ...(endedAt !== undefined && { endedAt: new Date(endedAt).toISOString() }),
    ...(by !== undefined && { by }),
    ...(set !== undefined && { set }),
  };
}

interface ViewedWith {
  readonly groups: readonly AutoScalingGroup[];
  readonly nodes: ObservedNodes;
  /** The records of the floors, which say what prewarm found of the pods of holds; only read if a hold asks for pods. */
  readonly records?: ReadonlyMap<string, FloorReading>;
  readonly now: number;
}

/** A hold with its state. A hold for pods has the nodes that prewarm found necessary. */
export function viewWithState(
  hold: Hold,
  facts: Omit<Parameters<typeof holdStateOf>[1], 'pods'> & Pick<ViewedWith, 'records'>,
) {
  const pods = podsIn(facts.records?.get(hold.autoScalingGroupName));
  const nodes = isForPods(hold) ? (pods?.nodes ?? 0) : hold.nodes;
  const found = podsFoundOf(hold, pods);
  return {
    ...viewHold({ ...hold, nodes }),
    ...holdStateOf(hold, { ...facts, pods }),
    ...(found && { found: { ...found, readAt: new Date(found.readAt).toISOString() } }),
  };
}

/** Holds with their states. */
export const viewHolds = (
  readings: readonly HoldReading[],
  facts: ViewedWith,
): readonly z.infer<typeof listedHold>[] =>
  readings.map((reading) => {
    if (reading.kind === 'unreadable') {
      const { autoScalingGroupName, name, why } = reading;
      return { autoScalingGroupName, name, state: 'unreadable', reason: why };
    }
    const { hold } = reading;
    const group = facts.groups.find((one) => one.autoScalingGroupName === hold.autoScalingGroupName);
    return viewWithState(hold, { ...facts, group });
  });

/** A page of holds with their states, by group and name. */
export function viewPage(
  readings: readonly HoldReading[],
  { after, limit, ...facts }: { readonly after: string; readonly limit: number } & ViewedWith,
): z.infer<typeof holdList> {
  const { items, nextCursor } = pageByKey(readings, { keyOf, after, limit });
  return { holds: [...viewHolds(items, facts)], ...(nextCursor !== undefined && { nextCursor }) };
}

/** No name contains `\0`, so the holds of a group follow each other. */
function keyOf(reading: HoldReading): string {
  const { autoScalingGroupName, name } = reading.kind === 'hold' ? reading.hold : reading;
  return `${autoScalingGroupName}\0${name}`;
}

/**
 * The answer to a change, or to a dry run of one.
 *
 * @throws ProblemError if the change was not made.
 */
export function holdResult(change: HoldChange, { dryRun = false } = {}): HttpResult {
  switch (change.kind) {
    case 'created':
    case 'replaced':
    case 'extended':
    case 'unchanged':
      return json(change.kind === 'created' && !dryRun ? 201 : 200, {
        ...viewHold(change.hold),
        change: change.kind,
      });
    case 'ended':
      return noContent();
    case 'taken':
      throw new ProblemError({
        code: 'hold-taken',
        detail: `a hold with that name already keeps ${askedText(change.hold)} until ${new Date(change.hold.until).toISOString()}: extend it, end it, or choose another name`,
      });
    case 'over':
      throw new ProblemError({
        code: 'hold-over',
        detail: 'the hold with that name has ended and will be deleted within minutes: choose another name',
      });
    case 'unreadable':
      throw new ProblemError({
        code: 'hold-taken',
        detail: 'the parameter with that name does not contain a hold: DELETE removes it',
      });
    case 'missing':
      throw holdNotFound();
  }
}

const askedText = ({ nodes, pods }: Hold): string => (pods ? requestText(pods) : `${nodes} nodes`);

/** The request of a hold or a schedule for pods. */
export const viewPods = (pods: PodRequest): z.infer<typeof heldPods> =>
  podRequestJson(pods) as z.infer<typeof heldPods>;

export const holdNotFound = (): ProblemError =>
  new ProblemError({ code: 'hold-not-found', detail: 'the group has no hold with that name' });

const refusals: Readonly<Record<HoldRefusal['cause'], ProblemCode>> = {
  invalid: 'invalid-hold',
  etcd: 'etcd-group',
  'out-of-bounds': 'capacity-out-of-bounds',
};

/** The problem of a hold that must not be made. */
export const refusedHold = ({ cause, reason }: HoldRefusal): ProblemError =>
  new ProblemError({ code: refusals[cause], detail: reason });
