import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { cordonPatch, stateBefore } from '../cordon.ts';
import type { LeavingMark } from '../leaving-mark.ts';
import type { Beat } from './keep-waiting.ts';
import { tell } from './tell.ts';
import type { LeaveTerms } from './terms.ts';
import { reportsVolumes } from './volumes.ts';
import type { LeavingWorld } from './world.ts';

const secondsBetweenNews = 30;

export interface MarkedNode {
  readonly node: Node;
  readonly mark: LeavingMark;
}

/** Cordon, load-balancer exclusion and our mark, in one patch, before the first pod is asked to leave. */
export async function markAsLeaving(world: LeavingWorld, terms: LeaveTerms, node: Node): Promise<MarkedNode> {
  const { deadline } = terms.deadlines;
  const mark: LeavingMark = {
    cause: terms.cause,
    instanceId: terms.instance.instanceId,
    since: iso(terms.since),
    ...(deadline < Infinity && { until: iso(deadline) }),
    lastSignAt: iso(world.clock.now()),
    before: stateBefore(node),
    ...(reportsVolumes(node) && { mayHaveVolumes: true }),
    waitingFor: [],
  };
  const marked = await put(world, { node, mark });
  await tell(world, marked, {
    type: 'Normal',
    reason: 'NodeLeaving',
    message: `its instance leaves (${terms.cause}); pods are evicted until ${mark.until ?? 'none is left'}`,
  });
  return { node: marked, mark };
}

/** Brings the mark up to date where something an operator would look for has changed; mostly nothing has. */
export async function updateMark(
  world: LeavingWorld,
  terms: LeaveTerms,
  {
    node,
    mark,
    held,
    beat,
    claims = false,
  }: MarkedNode & { readonly held: readonly string[]; readonly beat: Beat; readonly claims?: boolean },
): Promise<Node> {
  const now = iso(world.clock.now());
  const deadline = terms.deadlines.deadline;
  const until = deadline < Infinity ? iso(deadline) : undefined;
  const hasNews = isNews(world.clock.now(), mark, held);
  const hasClaims = claims && mark.mayHaveVolumes !== true;
  if (!hasNews && !hasClaims && beat !== 'beat' && until === mark.until) return node;
  const updated = await put(world, {
    node,
    mark: {
      ...mark,
      ...(until !== undefined && { until }),
      cause: terms.cause,
      lastSignAt: now,
      ...(beat === 'beat' && { lastBeatAt: now }),
      ...(hasClaims && { mayHaveVolumes: true }),
      waitingFor: [...held],
    },
  });
  if (hasNews && held.length > 0)
    await tell(world, updated, {
      type: 'Warning',
      reason: 'DrainHeld',
      message: `waits for ${held.join(', ')}`,
    });
  return updated;
}

/** That pods are held, or no longer, is said at once; which ones, every so often: each time is a write for every watcher. */
function isNews(now: number, mark: LeavingMark, held: readonly string[]): boolean {
  if (held.join() === mark.waitingFor.join()) return false;
  const wasHeld = mark.waitingFor.length > 0;
  if (wasHeld !== held.length > 0) return true;
  return now - Date.parse(mark.lastSignAt) >= secondsBetweenNews * 1000;
}

async function put(world: LeavingWorld, { node, mark }: MarkedNode): Promise<Node> {
  const patch = cordonPatch(node, mark);
  if (!patch) return node;
  const patched = await world.cluster.patchNode(node.metadata?.name ?? '', patch);
  world.memory.remember(mark.instanceId, { node: patched });
  return patched;
}

const iso = (time: number): string => new Date(time).toISOString();
