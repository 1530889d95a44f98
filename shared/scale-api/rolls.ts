import type * as z from 'zod/mini';
import { type Asked, changeRoll, findRoll, type RollStore, readRolls } from '../roll/change-roll.ts';
import { readRetarget } from '../roll/read-preflight.ts';
import { type Criterion, rollNamePattern, rollPathsOf } from '../roll/roll.ts';
import { rollStateOf, type StoredRoll } from '../roll/rolls-in.ts';
import { type HttpResult, json } from './http-call.ts';
import { keyBefore, pageByKey, pageOf } from './paging.ts';
import { ProblemError } from './problem.ts';
import type { RouteRequest } from './router.ts';
import { findManagedGroup, makeChange, type ScaleContext } from './scale-context.ts';
import type { roll as rollSchema } from './schemas/answers/roll.ts';
import type { dryRunQuery, pageQuery, rollChange } from './schemas/requests.ts';

type RollView = z.infer<typeof rollSchema>;

/** Where the rolls of the cluster are. */
export const rollStoreOf = (context: Pick<ScaleContext, 'rolls' | 'clusterName'>): RollStore => ({
  parameters: context.rolls().parameters,
  paths: rollPathsOf(context.clusterName),
});

/** The rolls of the cluster by name, with those that have ended lately. */
export async function listRolls(
  context: ScaleContext,
  { query }: RouteRequest<never, typeof pageQuery>,
): Promise<HttpResult> {
  const page = pageOf(query);
  const after = keyBefore(page);
  const { items, nextCursor } = pageByKey(await readRolls(rollStoreOf(context)), {
    keyOf: ({ name }) => name,
    after,
    limit: page.limit,
  });
  return json(200, { rolls: items.map(viewRoll), ...(nextCursor !== undefined && { nextCursor }) });
}

/** Pauses, resumes or aborts a roll. */
export async function patchRoll(
  context: ScaleContext,
  { call, path, query, body }: RouteRequest<'name', typeof dryRunQuery, typeof rollChange>,
): Promise<HttpResult> {
  if (!rollNamePattern.test(path.name)) throw noRoll();
  const isDryRun = query.dryRun === 'true';
  const result = await changeRoll(rollStoreOf(context), {
    name: path.name,
    ask: async (stored) => (body.retarget ? await retargeted(context, stored) : { kind: kinds[body.wanted] }),
    now: () => context.now(),
    make: async ({ asked, stored: { ask } }, write) =>
      isDryRun ||
      (await makeChange(context, call, {
        action: `${asked.kind} roll`,
        subject: path.name,
        before: { wanted: ask.kind === 'read' ? ask.value.wanted : undefined },
        after: body,
        make: write,
      })),
  });
  if (result.kind === 'missing') throw noRoll();
  if (result.kind === 'refused')
    throw new ProblemError({ code: 'roll-conflict', detail: `roll ${path.name}: ${result.why}` });
  const { stored } = result;
  if (result.kind === 'unchanged') return json(200, { ...viewRoll(stored), change: 'unchanged' });
  if (!isDryRun) await context.rolls().wake?.();
  const { seen } = stored;
  const after: StoredRoll = {
    name: stored.name,
    ask: { kind: 'read', value: result.roll },
    ...(seen?.startedAt === result.roll.startedAt && { seen }),
  };
  return json(200, { ...viewRoll(after), change: 'changed' });
}

const kinds = { run: 'resume', paused: 'pause', aborted: 'abort' } as const satisfies Record<
  string,
  Asked['kind']
>;

/**
 * Begins again with what the groups launch now.
 *
 * @throws ProblemError with status 409 if that cannot be read.
 */
async function retargeted(context: ScaleContext, { name, ask }: StoredRoll): Promise<Asked> {
  if (ask.kind === 'unreadable') return { kind: 'resume' };
  const groups = await Promise.all(
    ask.value.groups.map(({ autoScalingGroupName }) => findManagedGroup(context, autoScalingGroupName)),
  );
  const { targets, asked } = await readRetarget(groups, context.rolls().launches);
  for (const [group, target] of targets)
    if ('unknown' in target && ask.value.criterion.kind === 'changed')
      throw new ProblemError({
        code: 'roll-conflict',
        detail: `roll ${name} cannot begin again: what ${group} launches is unknown: ${target.unknown}`,
      });
  return asked;
}

/** @throws ProblemError with status 404. */
export async function rollNamed(context: ScaleContext, name: string): Promise<StoredRoll> {
  const found = rollNamePattern.test(name) ? await findRoll(rollStoreOf(context), name) : undefined;
  if (found !== undefined) return found;
  throw noRoll();
}

const noRoll = (): ProblemError =>
  new ProblemError({ code: 'roll-not-found', detail: 'there is no roll of that name' });

/** A roll as this API answers it. */
export function viewRoll(stored: StoredRoll): RollView {
  const { state, reason, since } = rollStateOf(stored);
  const said = {
    name: stored.name,
    state,
    reason,
    ...(since !== undefined && { since: new Date(since).toISOString() }),
  };
  if (stored.ask.kind === 'unreadable') return said;
  const { groups, criterion, startedAt, by, window, ...ask } = stored.ask.value;
  return {
    ...said,
    asked: {
      groups: groups.map(({ autoScalingGroupName }) => autoScalingGroupName),
      criterion: viewCriterion(criterion),
      startedAt: new Date(startedAt).toISOString(),
      wanted: ask.wanted,
      ...(ask.resumedAt !== undefined && { resumedAt: new Date(ask.resumedAt).toISOString() }),
      surge: ask.surge,
      maxUnavailable: ask.maxUnavailable,
      canary: ask.canary,
      bakeSeconds: ask.bakeSeconds,
      stopOn: [...ask.stopOn],
      annotationTimeoutSeconds: ask.annotationTimeoutSeconds,
      skipBlocked: ask.skipBlocked,
      ...(window !== undefined && { window }),
      ...(by !== undefined && { by }),
    },
  };
}

const viewCriterion = (criterion: Criterion): NonNullable<RollView['asked']>['criterion'] =>
  criterion.kind === 'named' ? { ...criterion, instanceIds: [...criterion.instanceIds] } : criterion;
