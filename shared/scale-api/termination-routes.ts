import type * as z from 'zod/mini';
import { GroupsError, type TerminationOptions } from '../capacity/groups.ts';
import {
  decideTermination,
  type TerminationDecision,
  type TerminationRefusal,
} from '../capacity/termination.ts';
import { makeChange } from './changes.ts';
import { type FoundInstance, findInstance, instanceNotFound } from './find-instance.ts';
import type { HttpCall, HttpResult } from './http-call.ts';
import { json } from './json-result.ts';
import { pollSeconds } from './poll-seconds.ts';
import { type ProblemCode, ProblemError } from './problem.ts';
import type { Route } from './router.ts';
import type { ScaleContext } from './scale-context.ts';
import type { termination, terminationPlan } from './schemas/answers/termination.ts';
import { terminationQuery } from './schemas/termination.ts';
import { standingHolds } from './standing-holds.ts';
import { readQuery } from './validate.ts';

/**
 * DELETE /instances/{instanceId}: Auto Scaling terminates it, and Drover drains its node first. This is the drain of the API. Auto Scaling takes no termination back, so it
 * cannot be cancelled (ADR 25).
 */
export const terminationRoutes = (context: ScaleContext): readonly Route[] => [
  {
    method: 'DELETE',
    path: '/instances/{instanceId}',
    role: 'operator',
    answer: async (call, { instanceId = '' }) => {
      const query = readQuery(call, terminationQuery());
      const wish = {
        lowersDesiredCapacity: query.lowerDesiredCapacity === 'true',
        mayBeUndrained: query.undrained === 'true',
      };
      const place = await findInstance(context, instanceId);
      const decision = accepted(await decide(context, place, wish));
      const answer = {
        instanceId,
        autoScalingGroupName: place.group.autoScalingGroupName,
        lowersDesiredCapacity: wish.lowersDesiredCapacity,
        reason: decision.reason,
      };
      if (query.dryRun === 'true')
        return json(200, { ...answer, dryRun: true } satisfies z.infer<typeof terminationPlan>);
      if (!decision.isLeavingAlready)
        await makeChange(context, call, {
          action: 'terminate instance',
          subject: `${answer.autoScalingGroupName} ${instanceId}`,
          before: { desiredCapacity: place.group.desiredCapacity },
          after: wish,
          make: () => terminate(context, instanceId, wish),
        });
      return acceptedResult(call, answer);
    },
  },
];

async function decide(
  context: ScaleContext,
  { group, member }: FoundInstance,
  wish: { readonly lowersDesiredCapacity: boolean; readonly mayBeUndrained: boolean },
): Promise<TerminationDecision> {
  const [hooks, holds] = await Promise.all([
    context.groups.describeHooks(group.autoScalingGroupName),
    wish.lowersDesiredCapacity ? standingHolds(context, group) : [],
  ]);
  const { autoScalingGroupName } = group;
  const { leavingHookName } = context;
  return decideTermination({
    ...wish,
    group,
    instance: { ...member, autoScalingGroupName },
    hooks,
    holds,
    leavingHookName,
  });
}

/** @throws ProblemError where the instance has gone since it was read. */
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

/** @throws ProblemError for a decision that refuses. */
function accepted(decision: TerminationDecision): Accepted {
  if (decision.kind === 'accepted') return decision;
  throw new ProblemError({ code: refusals[decision.cause], detail: decision.reason });
}

function acceptedResult(call: HttpCall, answer: Omit<z.infer<typeof termination>, 'status'>): HttpResult {
  const status = `${call.basePath}/instances/${answer.instanceId}`;
  const body: z.infer<typeof termination> = { ...answer, status };
  return json(202, body, { location: status, 'retry-after': String(pollSeconds) });
}
