import { type Hold, type HoldReading, scheduleOf } from '../../shared/capacity/holds/hold.ts';
import type { AccessFlags } from '../access/flags.ts';
import type { CliContext } from '../context.ts';
import { ScaleApiError } from '../scale-api/api-error.ts';
import { type ApiHold, type ApiListedHold, type HoldRequests, holdRequests } from '../scale-api/holds.ts';
import { podRequestBody, podsOf } from '../scale-api/pods.ts';
import { requesterOf } from '../scale-api/requester.ts';
import type { Holds, ListedHold } from './holds.ts';
import type { HoldEnd } from './until.ts';

/** The holds of the cluster, through the scale API. A refused request rejects with a ScaleApiError. */
export function holdsOverApi(flags: AccessFlags, context: CliContext): Holds {
  const api = holdRequests(requesterOf(flags, context));
  return {
    list: async (group) => {
      const listed: ListedHold[] = [];
      // The list does not contain the errors of launches, which cost one call for each waiting group.
      for (const one of await api.list(group)) {
        const whole = one.state === 'waiting' ? await withReason(api, one) : one;
        if (whole) listed.push(listedHold(whole));
      }
      return listed;
    },
    read: async () => (await api.list(undefined)).map(readingOf),
    stateOf: async (place) => {
      try {
        return stateOf(await api.read(place));
      } catch (error) {
        if (!(error instanceof ScaleApiError) || error.problem !== 'hold-not-found') throw error;
        return { state: 'over', reason: 'it has ended' };
      }
    },
    create: async ({ autoScalingGroupName, name, nodes, pods, raiseMaxSize, set, end }, options) => {
      const asked = pods ? { pods: podRequestBody(pods) } : { nodes };
      const body = {
        ...asked,
        ...endBody(end),
        ...(raiseMaxSize && { raiseMaxSize }),
        ...(set !== undefined && { set }),
      };
      const { change, ...hold } = await api.put({ autoScalingGroupName, name }, body, options);
      return { kind: change, hold: holdOf(hold) };
    },
    extend: async (place, end, options) => {
      const { change, ...hold } = await api.patch(place, endBody(end), options);
      return { kind: change, hold: holdOf(hold) };
    },
    end: async (place, { ofSet, ...options }) => {
      const found = await api.read(place);
      if (ofSet !== undefined && found.state === 'unreadable') return { kind: 'unreadable' };
      if (ofSet !== undefined && found.state !== 'unreadable' && found.set !== ofSet)
        return { kind: 'taken' };
      await api.remove(place, options);
      return {
        kind: 'ended',
        schedule: found.state === 'unreadable' ? undefined : scheduleOf(holdOf(found)),
      };
    },
  };
}

/** Undefined if the hold has ended meanwhile. If the reason cannot be read now, the hold is listed without it. */
async function withReason(
  api: HoldRequests,
  one: Exclude<ApiListedHold, { state: 'unreadable' }>,
): Promise<ApiListedHold | undefined> {
  try {
    return await api.read(one);
  } catch (error) {
    if (error instanceof ScaleApiError && error.problem === 'hold-not-found') return undefined;
    if (error instanceof ScaleApiError && error.isPassing) return one;
    throw error;
  }
}

const endBody = (end: HoldEnd) => ('until' in end ? { until: new Date(end.until).toISOString() } : end);

function holdOf({
  autoScalingGroupName,
  name,
  nodes,
  pods,
  raiseMaxSize,
  until,
  createdAt,
  endedAt,
  by,
  set,
}: ApiHold): Hold {
  return {
    autoScalingGroupName,
    name,
    nodes,
    ...(pods && { pods: podsOf(pods) }),
    raiseMaxSize,
    until: Date.parse(until),
    ...(createdAt !== undefined && { createdAt: Date.parse(createdAt) }),
    ...(endedAt !== undefined && { endedAt: Date.parse(endedAt) }),
    ...(by !== undefined && { by }),
    ...(set !== undefined && { set }),
  };
}

function readingOf(one: ApiListedHold): HoldReading {
  if (one.state !== 'unreadable') return { kind: 'hold', hold: holdOf(one) };
  const { autoScalingGroupName, name, reason } = one;
  return { kind: 'unreadable', autoScalingGroupName, name, why: reason };
}

const stateOf = (one: ApiListedHold) =>
  one.state === 'unreadable'
    ? { state: 'unknown' as const, reason: one.reason }
    : { state: one.state, reason: one.reason };

function listedHold(one: ApiListedHold): ListedHold {
  if (one.state === 'unreadable') return one;
  const { state, reason, found } = one;
  return {
    hold: holdOf(one),
    state,
    reason,
    ...(found && { found: { ...found, readAt: Date.parse(found.readAt) } }),
  };
}
