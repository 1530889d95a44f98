import type * as z from 'zod/mini';
import { GroupsError, type TerminationOptions } from '../capacity/groups.ts';
import { memberOf, membersOf } from '../capacity/members.ts';
import type { ObservedNodes } from '../capacity/observed-nodes.ts';
import {
  decideTermination,
  type TerminationDecision,
  type TerminationRefusal,
} from '../capacity/termination.ts';
import type { GroupMember } from '../groups/group.ts';
import { viewInstance } from './group-views.ts';
import { readActiveHolds } from './holds.ts';
import { type HttpCall, type HttpResult, json } from './http-call.ts';
import { keyBefore, type Page, pageByKey, pageOf } from './paging.ts';
import { pollSeconds } from './polling.ts';
import { type ProblemCode, ProblemError } from './problem.ts';
import type { RouteRequest } from './router.ts';
import {
  findManagedGroup,
  listManagedGroups,
  type ManagedGroup,
  makeChange,
  readNodes,
  type ScaleContext,
} from './scale-context.ts';
import type { termination, terminationPlan } from './schemas/answers/capacity.ts';
import type { instanceList } from './schemas/answers/group.ts';
import type { instancesQuery, terminationQuery } from './schemas/requests.ts';

/** The instances of every managed group, or of one, with their Nodes. */
export async function listInstances(
  context: ScaleContext,
  { query }: RouteRequest<never, typeof instancesQuery>,
): Promise<HttpResult> {
  const page = pageOf(query);
  const after = keyBefore(page);
  const [groups, nodes] = await Promise.all([
    query.group === undefined
      ? listManagedGroups(context)
      : findManagedGroup(context, query.group).then((group) => [group]),
    readNodes(context),
  ]);
  return json(200, pageOfInstances({ groups, nodes, after, limit: page.limit }));
}

interface InstancesInput {
  readonly groups: readonly ManagedGroup[];
  readonly nodes: ObservedNodes;
  /** The last instance of the previous page. */
  readonly after: string;
  readonly limit: Page['limit'];
}

function pageOfInstances({ groups, nodes, after, limit }: InstancesInput): z.infer<typeof instanceList> {
  const { items, nextCursor } = pageByKey(
    groups.flatMap((group) => group.instances.map(({ instanceId }) => ({ instanceId, group }))),
    { keyOf: ({ instanceId }) => instanceId, after, limit },
  );
  const members = new Map(
    [...new Set(items.map(({ group }) => group))]
      .flatMap((group) => membersOf(group, nodes))
      .map((member) => [member.instanceId, member]),
  );
  return {
    instances: items.flatMap(({ instanceId, group }) => {
      const member = members.get(instanceId);
      return member ? [viewInstance(group, member)] : [];
    }),
    ...(nextCursor !== undefined && { nextCursor }),
  };
}

/** One instance with its Node. */
export async function getInstance(
  context: ScaleContext,
  { path }: RouteRequest<'instanceId'>,
): Promise<HttpResult> {
  const [{ group, member }, nodes] = await Promise.all([
    findInstance(context, path.instanceId),
    readNodes(context),
  ]);
  return json(200, viewInstance(group, memberOf(group, member, nodes)));
}

interface FoundInstance {
  readonly group: ManagedGroup;
  readonly member: GroupMember;
}

/**
 * The instance with this id, if a managed group has it. The error for an instance of a foreign group is the same as for a missing one.
 *
 * @throws ProblemError with status 404.
 */
async function findInstance(context: ScaleContext, instanceId: string): Promise<FoundInstance> {
  for (const group of await listManagedGroups(context)) {
    const member = group.instances.find((one) => one.instanceId === instanceId);
    if (member) return { group, member };
  }
  throw instanceNotFound();
}

const instanceNotFound = (cause?: unknown): ProblemError =>
  new ProblemError({
    code: 'instance-not-found',
    detail: 'no managed group of this cluster has an instance with that id',
    cause,
  });

/**
 * Drover drains the node, and Auto Scaling terminates the instance. This is how the API drains. Auto Scaling cannot revoke a termination,
 * so it cannot be cancelled (ADR 25).
 */
export async function terminateInstance(
  context: ScaleContext,
  { call, path: { instanceId }, query }: RouteRequest<'instanceId', typeof terminationQuery>,
): Promise<HttpResult> {
  const options = {
    lowersDesiredCapacity: query.lowerDesiredCapacity === 'true',
    mayBeUndrained: query.undrained === 'true',
  };
  const found = await findInstance(context, instanceId);
  const decision = accepted(await decide(context, found, options));
  const answer = {
    instanceId,
    autoScalingGroupName: found.group.autoScalingGroupName,
    lowersDesiredCapacity: options.lowersDesiredCapacity,
    reason: decision.reason,
  };
  if (query.dryRun === 'true')
    return json(200, { ...answer, dryRun: true } satisfies z.infer<typeof terminationPlan>);
  if (!decision.isLeavingAlready)
    await makeChange(context, call, {
      action: 'terminate instance',
      subject: `${answer.autoScalingGroupName} ${instanceId}`,
      before: { desiredCapacity: found.group.desiredCapacity },
      after: options,
      make: () => terminate(context, instanceId, options),
    });
  return acceptedResult(call, answer);
}

async function decide(
  context: ScaleContext,
  { group, member }: FoundInstance,
  options: { readonly lowersDesiredCapacity: boolean; readonly mayBeUndrained: boolean },
): Promise<TerminationDecision> {
  const [hooks, holds] = await Promise.all([
    context.groups.describeHooks(group.autoScalingGroupName),
    options.lowersDesiredCapacity ? readActiveHolds(context, group) : [],
  ]);
  const { autoScalingGroupName } = group;
  const { leavingHookName } = context;
  return decideTermination({
    ...options,
    group,
    instance: { ...member, autoScalingGroupName },
    hooks,
    holds,
    leavingHookName,
  });
}

/** @throws ProblemError if the instance is gone by now. */
async function terminate(
  { groups }: ScaleContext,
  instanceId: string,
  options: TerminationOptions,
): Promise<void> {
  try {
    await groups.terminateInstance(instanceId, options);
  } catch (error) {
    if (error instanceof GroupsError && error.code === 'gone') throw instanceNotFound(error);
    throw error;
  }
}

type Accepted = Extract<TerminationDecision, { kind: 'accepted' }>;

const refusals: Readonly<Record<TerminationRefusal, ProblemCode>> = {
  etcd: 'etcd-group',
  held: 'held',
  'out-of-bounds': 'capacity-out-of-bounds',
  eks: 'eks-nodegroup',
  undrained: 'undrained',
};

/** @throws ProblemError if the decision is a refusal. */
function accepted(decision: TerminationDecision): Accepted {
  if (decision.kind === 'accepted') return decision;
  throw new ProblemError({ code: refusals[decision.cause], detail: decision.reason });
}

function acceptedResult(call: HttpCall, answer: Omit<z.infer<typeof termination>, 'status'>): HttpResult {
  const status = `${call.basePath}/instances/${answer.instanceId}`;
  const body: z.infer<typeof termination> = { ...answer, status };
  return json(202, body, { location: status, 'retry-after': String(pollSeconds) });
}
