import type * as z from 'zod/mini';
import { whyNodesAreUnknown } from '../capacity/observed-nodes.ts';
import { observedRoll } from '../roll/observed-roll.ts';
import type { StoredRoll } from '../roll/rolls-in.ts';
import { type HttpResult, json } from './http-call.ts';
import { readPart } from './part.ts';
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

/** So that the answer comes in time, with what is known. */
const seconds = 12;

/**
 * What `drover roll status` shows below the state. Without one of the lists nothing is known: an instance without a Node would look as if it was
 * left out.
 */
async function progressOf(
  context: ScaleContext,
  stored: StoredRoll,
): Promise<Pick<RollStatus, 'progress' | 'progressUnknown'>> {
  const { ask } = stored;
  if (ask.kind === 'unreadable') return {};
  const names = new Set(ask.value.groups.map(({ autoScalingGroupName }) => autoScalingGroupName));
  const what = 'the groups of the roll and their instances';
  const [aws, nodes] = await Promise.all([
    readPart(context, { what, seconds, read: () => readGroups(context, names) }),
    listNodes(context),
  ]);
  if (aws.kind === 'unknown') return { progressUnknown: aws.reason };
  if (nodes === undefined) return { progressUnknown: whyNodesAreUnknown(context.functionName) };
  const { warnings, ...read } = aws.value;
  const { groups, moving } = observedRoll(stored, { ...read, nodes });
  return {
    progress: {
      groups: groups.map(({ leftOut, ...counts }) => ({ ...counts, leftOut: [...leftOut] })),
      moving: [...moving],
      warnings: [...warnings],
    },
  };
}

/** The managed groups of these names, and how their instances were launched. */
async function readGroups(context: ScaleContext, names: ReadonlySet<string>) {
  const { launches, withWarmPools } = context.rolls();
  const { managed } = await listTaggedGroups(context);
  const { groups, warnings } = await withWarmPools(
    managed.filter(({ autoScalingGroupName }) => names.has(autoScalingGroupName)),
  );
  const ids = groups.flatMap(({ instances }) => instances.map(({ instanceId }) => instanceId));
  return { groups, warnings, launches: await launches.readInstances(ids) };
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
