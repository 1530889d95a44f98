import type * as z from 'zod/mini';
import { type CapacityDecision, decideCapacity, directionOf } from '../capacity/capacity-request.ts';
import { checkNotBusy } from '../capacity/groups.ts';
import { membersOf } from '../capacity/members.ts';
import {
  type CapacityChange,
  foreignLeaves,
  isLeaving,
  type ProgressInput,
  progressOf,
} from '../capacity/progress.ts';
import { type AutoScalingGroup, roleOf } from '../groups/group.ts';
import { readActiveHolds } from './holds.ts';
import { type HttpCall, type HttpResult, json } from './http-call.ts';
import { readPart } from './part.ts';
import { pollSeconds, waitSecondsOf, waitUntil } from './polling.ts';
import { checkPrecondition, sizesTag } from './precondition.ts';
import { ProblemError } from './problem.ts';
import type { RouteRequest } from './router.ts';
import { findManagedGroup, makeChange, readNodes, type ScaleContext } from './scale-context.ts';
import type { capacityChange, capacityPlan, capacityStatus } from './schemas/answers/capacity.ts';
import type { capacityRequest, capacityStatusQuery, dryRunQuery } from './schemas/requests.ts';

/** Sets the desired capacity of a group. The answer links to the progress of the change. */
export async function setCapacity(
  context: ScaleContext,
  {
    call,
    path,
    query: { dryRun },
    body: { desiredCapacity, raiseMaxSize = false },
  }: RouteRequest<'group', typeof dryRunQuery, typeof capacityRequest>,
): Promise<HttpResult> {
  const group = await findManagedGroup(context, path.group);
  checkPrecondition(call, group);
  // A hold can only forbid a smaller group. A larger one must not depend on Parameter Store.
  const holds = desiredCapacity < group.desiredCapacity ? await readActiveHolds(context, group) : [];
  const decision = accepted(
    decideCapacity(group, desiredCapacity, {
      holds,
      ...(raiseMaxSize && { maxSizeLimit: context.maxSizeLimit }),
    }),
  );
  const raised = decision.maxSize === undefined ? {} : { maxSize: decision.maxSize };
  if (dryRun === 'true') {
    await checkNotBusy(context.groups, group);
    return json(200, planOf(group, decision));
  }
  // Also if the group seems to have this capacity: Auto Scaling's description may be seconds old. An etcd group is never changed.
  if (roleOf(group) !== 'etcd')
    await makeChange(context, call, {
      action: 'set capacity',
      subject: group.autoScalingGroupName,
      before: { desiredCapacity: decision.from, ...(raiseMaxSize && { maxSize: group.maxSize }) },
      after: { desiredCapacity, ...raised },
      make: () => context.groups.setCapacity(group, { desiredCapacity, ...raised }),
    });
  return acceptedResult(call, group, decision);
}

type Accepted = Extract<CapacityDecision, { kind: 'accepted' }>;

/** @throws ProblemError if the decision is a refusal. */
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

/** The progress of a group towards its desired capacity, or of the change that `from` and `desired` name. */
export async function getCapacity(
  context: ScaleContext,
  { path, query: { from, desired, ...query } }: RouteRequest<'group', typeof capacityStatusQuery>,
): Promise<HttpResult> {
  const change = changeNamedBy(from, desired);
  const { group, progress } = await waitUntil(context, {
    seconds: waitSecondsOf(query),
    observe: () => observe(context, path.group, change),
    isOver: ({ progress: { state } }) => isOver(state),
  });
  return statusResult(group, progress);
}

interface Observation {
  readonly group: AutoScalingGroup;
  readonly progress: CapacityProgress;
}

async function observe(context: ScaleContext, name: string, change?: CapacityChange): Promise<Observation> {
  const group = await findManagedGroup(context, name);
  const nodes = await readNodes(context);
  const foreignLeaves = change && (await readForeignLeaves(context, { group, nodes, change }));
  return { group, progress: progressOf({ group, nodes, ...(change && { change, foreignLeaves }) }) };
}

const mostActivities = 100;

/** An observation has other calls to make too. */
const activitiesSeconds = 3;

/** Read only if an instance leaves during a scale-in. If the activities cannot be read, every leaving instance counts as one of the change. */
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

/** @throws ProblemError if only one of the two parameters is given. */
function changeNamedBy(from: string | undefined, desired: string | undefined): CapacityChange | undefined {
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
