import type * as z from 'zod/mini';
import { type CapacityDecision, decideCapacity, directionOf } from '../capacity/capacity-request.ts';
import { foreignLeaves } from '../capacity/foreign-leaves.ts';
import { membersOf } from '../capacity/members.ts';
import { observeNodes } from '../capacity/observed-nodes.ts';
import { type CapacityChange, isLeaving, type ProgressInput, progressOf } from '../capacity/progress.ts';
import { type AutoScalingGroup, roleOf } from '../groups/group.ts';
import { makeChange } from './changes.ts';
import type { HttpCall, HttpResult } from './http-call.ts';
import { json } from './json-result.ts';
import { pollSeconds } from './poll-seconds.ts';
import { checkPrecondition, sizesTag } from './precondition.ts';
import { ProblemError } from './problem.ts';
import type { Route } from './router.ts';
import { findManagedGroup, type ScaleContext } from './scale-context.ts';
import type { capacityChange, capacityPlan, capacityStatus } from './schemas/answers/capacity.ts';
import { capacityRequest, capacityStatusQuery } from './schemas/capacity-request.ts';
import { dryRunQuery, waitSecondsOf } from './schemas/parameters.ts';
import { standingHolds } from './standing-holds.ts';
import { readPart } from './status/part.ts';
import { readBody, readQuery } from './validate.ts';
import { waitUntil } from './wait.ts';

/** PUT /groups/{group}/capacity, and GET of the same path for the progress. */
export const capacityRoutes = (context: ScaleContext): readonly Route[] => [
  {
    method: 'PUT',
    path: '/groups/{group}/capacity',
    role: 'operator',
    answer: async (call, parameters) => {
      const { dryRun } = readQuery(call, dryRunQuery());
      const { desiredCapacity, raiseMaxSize = false } = readBody(call, capacityRequest());
      const group = await findManagedGroup(context, parameters.group);
      checkPrecondition(call, group);
      // Only a smaller group can be in the way of a hold, so that Parameter Store is never in the way of a larger one.
      const holds = desiredCapacity < group.desiredCapacity ? await standingHolds(context, group) : [];
      const decision = accepted(
        decideCapacity(group, desiredCapacity, {
          holds,
          ...(raiseMaxSize && { maxSizeLimit: context.maxSizeLimit }),
        }),
      );
      const raised = decision.maxSize === undefined ? {} : { maxSize: decision.maxSize };
      if (dryRun === 'true') return json(200, planOf(group, decision));
      // Also where the capacity seems to be as wanted: Auto Scaling's description may be seconds old. That of etcd stays untouched.
      if (roleOf(group) !== 'etcd')
        await makeChange(context, call, {
          action: 'set capacity',
          subject: group.autoScalingGroupName,
          before: { desiredCapacity: decision.from, ...(raiseMaxSize && { maxSize: group.maxSize }) },
          after: { desiredCapacity, ...raised },
          make: () => context.groups.setCapacity(group, { desiredCapacity, ...raised }),
        });
      return acceptedResult(call, group, decision);
    },
  },
  {
    method: 'GET',
    path: '/groups/{group}/capacity',
    role: 'viewer',
    answer: async (call, parameters) => {
      const { change, seconds } = readStatusQuery(call);
      const { group, progress } = await waitUntil(context, {
        seconds,
        look: () => look(context, parameters.group, change),
        isOver: ({ progress: { state } }) => isOver(state),
      });
      return statusResult(group, progress);
    },
  },
];

type Accepted = Extract<CapacityDecision, { kind: 'accepted' }>;

/** @throws ProblemError for a decision that refuses. */
function accepted(decision: CapacityDecision): Accepted {
  if (decision.kind === 'accepted') return decision;
  const { cause, reason } = decision;
  if (cause === 'etcd') throw new ProblemError({ code: 'etcd-group', detail: reason });
  if (cause === 'held') throw new ProblemError({ code: 'held', detail: reason });
  throw new ProblemError({
    code: 'capacity-out-of-bounds',
    detail: reason,
    errors: [{ pointer: '#/desiredCapacity', detail: reason }],
  });
}

const changeOf = (group: AutoScalingGroup, { from, to, direction, maxSize, reason }: Accepted) => ({
  autoScalingGroupName: group.autoScalingGroupName,
  from,
  desiredCapacity: to,
  direction,
  ...(maxSize !== undefined && { maxSize }),
  reason,
});

const planOf = (group: AutoScalingGroup, decision: Accepted): z.infer<typeof capacityPlan> => ({
  ...changeOf(group, decision),
  dryRun: true,
});

/** The status link carries the change, so that nothing has to be stored. */
function acceptedResult(call: HttpCall, group: AutoScalingGroup, decision: Accepted): HttpResult {
  const query = `from=${decision.from}&desired=${decision.to}`;
  const status = `${call.basePath}/groups/${encodeURIComponent(group.autoScalingGroupName)}/capacity?${query}`;
  const change: z.infer<typeof capacityChange> = { ...changeOf(group, decision), status };
  return json(202, change, { location: status, 'retry-after': String(pollSeconds) });
}

interface Look {
  readonly group: AutoScalingGroup;
  readonly progress: CapacityProgress;
}

async function look(context: ScaleContext, name: string | undefined, change?: CapacityChange): Promise<Look> {
  const group = await findManagedGroup(context, name);
  const nodes = await observeNodes(context.cluster, context.onClusterFailure);
  const foreignLeaves = change && (await readForeignLeaves(context, { group, nodes, change }));
  return { group, progress: progressOf({ group, nodes, ...(change && { change, foreignLeaves }) }) };
}

const mostActivities = 100;

/** A look has other calls to make too. */
const activitiesSeconds = 3;

/** Read only where it matters. Activities that cannot be read leave all to the change, which then waits for them. */
async function readForeignLeaves(
  context: ScaleContext,
  { group, nodes, change }: Pick<ProgressInput, 'group' | 'nodes'> & { readonly change: CapacityChange },
): Promise<ReadonlySet<string>> {
  const isIn = directionOf(change.from, change.desired) === 'in';
  if (!isIn || !membersOf(group, nodes).some(isLeaving)) return new Set();
  const { autoScalingGroupName } = group;
  const page = await readPart(context, {
    what: 'the activities of the group',
    seconds: activitiesSeconds,
    read: () => context.groups.listActivities({ autoScalingGroupName, limit: mostActivities }),
  });
  return page.kind === 'known' ? foreignLeaves(page.value.activities, change) : new Set();
}

type CapacityProgress = ReturnType<typeof progressOf>;

const isOver = (state: CapacityProgress['state']): boolean => state === 'settled' || state === 'superseded';

function readStatusQuery(call: HttpCall): { readonly change?: CapacityChange; readonly seconds: number } {
  const { from, desired, ...query } = readQuery(call, capacityStatusQuery());
  const change = changeNamedBy({ from, desired });
  return { ...(change && { change }), seconds: waitSecondsOf(query) };
}

/** @throws ProblemError if only one of the two parameters is given. */
function changeNamedBy({
  from,
  desired,
}: {
  readonly from: string | undefined;
  readonly desired: string | undefined;
}): CapacityChange | undefined {
  if (from === undefined && desired === undefined) return undefined;
  if (from !== undefined && desired !== undefined) return { from: Number(from), desired: Number(desired) };
  const detail = 'from and desired must be given together, as in the status link of a change';
  const parameter = from === undefined ? 'from' : 'desired';
  throw new ProblemError({
    code: 'invalid-parameter',
    detail,
    errors: [{ parameter, detail: 'is missing' }],
  });
}

function statusResult(
  group: AutoScalingGroup,
  { state, reason, counts, waitingFor }: CapacityProgress,
): HttpResult {
  const { autoScalingGroupName, minSize, maxSize, desiredCapacity } = group;
  const body: z.infer<typeof capacityStatus> = {
    autoScalingGroupName,
    minSize,
    maxSize,
    desiredCapacity,
    state,
    reason,
    ...counts,
    waitingFor: [...waitingFor],
  };
  const etag = sizesTag(group);
  return json(200, body, isOver(state) ? { etag } : { etag, 'retry-after': String(pollSeconds) });
}
