import type * as z from 'zod/mini';
import { observedRoll } from '../roll/observed-roll.ts';
import type { StoredRoll } from '../roll/rolls-in.ts';
import { type HttpResult, json } from './http-call.ts';
import { rollNamed, viewRoll } from './rolls.ts';
import type { RouteRequest } from './router.ts';
import { listTaggedGroups, type ScaleContext } from './scale-context.ts';
import type { rollStatus } from './schemas/answers/roll.ts';

type RollStatus = z.infer<typeof rollStatus>;

/** One roll with its state, and how far it is with its groups and nodes. */
export async function getRoll(context: ScaleContext, { path }: RouteRequest<'name'>): Promise<HttpResult> {
  const stored = await rollNamed(context, path.name);
  const body: RollStatus = { ...viewRoll(stored), ...(await progressOf(context, stored)) };
  return json(200, body);
}

/** What `drover roll status` shows below the state. Without the Nodes nothing is known: an instance without one would look as if it was left out. */
async function progressOf(
  context: ScaleContext,
  stored: StoredRoll,
): Promise<Pick<RollStatus, 'progress' | 'progressUnknown'>> {
  const { ask } = stored;
  if (ask.kind === 'unreadable') return {};
  const { launches, withWarmPools } = context.rolls();
  const names = new Set(ask.value.groups.map(({ autoScalingGroupName }) => autoScalingGroupName));
  const { managed } = await listTaggedGroups(context);
  const { groups, warnings } = await withWarmPools(
    managed.filter(({ autoScalingGroupName }) => names.has(autoScalingGroupName)),
  );
  const ids = groups.flatMap(({ instances }) => instances.map(({ instanceId }) => instanceId));
  const [launched, nodes] = await Promise.all([launches.readInstances(ids), listNodes(context)]);
  if (nodes === undefined)
    return {
      progressUnknown: 'the Nodes of the cluster could not be listed: the log of scale-api says why',
    };
  const { groups: observed, moving } = observedRoll(stored, { groups, launches: launched, nodes });
  return {
    progress: {
      groups: observed.map(({ leftOut, ...counts }) => ({ ...counts, leftOut: [...leftOut] })),
      moving: [...moving],
      warnings: [...warnings],
    },
  };
}

async function listNodes({
  cluster,
  onClusterFailure,
}: ScaleContext): Promise<Awaited<ReturnType<ScaleContext['cluster']['listNodes']>> | undefined> {
  try {
    return await cluster.listNodes();
  } catch (error) {
    onClusterFailure(error);
    return undefined;
  }
}
