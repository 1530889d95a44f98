import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod/mini';
import { rollProblems } from '../problems/roll-problems.ts';
import { beginRoll, type RollStore, readRolls } from '../roll/change-roll.ts';
import { type Preflight, whyRefused } from '../roll/preflight.ts';
import {
  type PreflightSources,
  type ReadPreflight,
  readPreflight,
  type WantedRoll,
} from '../roll/read-preflight.ts';
import { defaultBounds, type Roll, rollNamePattern } from '../roll/roll.ts';
import { hasEnded, rollStateOf, type StoredRoll } from '../roll/rolls-in.ts';
import { parseWindow } from '../roll/window.ts';
import { type HttpCall, type HttpResult, json } from './http-call.ts';
import { ProblemError } from './problem.ts';
import { rollStoreOf, viewRoll } from './rolls.ts';
import type { RouteRequest } from './router.ts';
import {
  findManagedGroup,
  type ManagedGroup,
  makeChange,
  type RollRequests,
  type ScaleContext,
} from './scale-context.ts';
import type { begunRoll } from './schemas/answers/roll.ts';
import type { dryRunQuery } from './schemas/requests.ts';
import type { rollRequest } from './schemas/roll-request.ts';

type BegunRoll = z.infer<typeof begunRoll>;
type RollBody = z.infer<ReturnType<typeof rollRequest>>;

/**
 * Begins a roll, or finds that it exists. The preflight looks at what this API may read: AWS and the Nodes. The first pass of the function roll
 * looks at the pods (docs/adr/0041).
 */
export async function putRoll(
  context: ScaleContext,
  { call, path, query, body }: RouteRequest<'name', typeof dryRunQuery, typeof rollRequest>,
): Promise<HttpResult> {
  const requests = context.rolls();
  const wake = assertOn(requests);
  const wanted = wantedRoll(path.name, body, call);
  const groups = await Promise.all([...new Set(body.groups)].map((name) => findManagedGroup(context, name)));
  checkInstances(wanted, groups);
  const store = rollStoreOf(context);
  const rolls = await readRolls(store);
  const before = rolls.find(({ name }) => name === wanted.name);
  if (before && asksTheSame(before, wanted, body.groups)) return unchanged(before);
  if (before && !hasEnded(before)) throw taken(before);
  const read = await readPreflight(
    { wanted, groups, rolls, now: context.now() },
    sourcesOf(context, requests),
  );
  const refusal = whyRefused(read.preflight, wanted);
  if (refusal !== undefined) throw refused(refusal, read.preflight);
  const isOld = read.preflight.old.length > 0;
  if (!isOld || query.dryRun === 'true') return answer(200, viewOf(read, isOld ? 'begun' : 'nothing-old'));
  return await begin(context, call, { store, read, wake });
}

/** @throws ProblemError with status 409: nothing would carry out the roll. */
function assertOn({ wake }: RollRequests): () => Promise<void> {
  if (wake) return wake;
  throw new ProblemError({
    code: 'rolls-off',
    detail: 'this deployment has no function that would replace nodes: deploy it with the parameter rolls=on',
  });
}

async function begin(
  context: ScaleContext,
  call: HttpCall,
  {
    store,
    read,
    wake,
  }: { readonly store: RollStore; readonly read: ReadPreflight; readonly wake: () => Promise<void> },
): Promise<HttpResult> {
  const { roll } = read;
  const result = await makeChange(context, call, {
    action: 'begin roll',
    subject: roll.name,
    before: {},
    after: viewRoll(stored(roll)),
    make: () => beginRoll(store, roll),
  });
  switch (result.kind) {
    case 'begun':
      await wake();
      return answer(201, viewOf(read, 'begun'));
    case 'taken': {
      // Another client was faster.
      const names = roll.groups.map(({ autoScalingGroupName }) => autoScalingGroupName);
      if (asksTheSame(result.stored, roll, names)) return unchanged(result.stored);
      throw taken(result.stored);
    }
    case 'too-long':
      throw invalid('it has too many groups or instances for one parameter: make several rolls of it');
    case 'invalid':
      throw invalid(result.why);
  }
}

/** @throws ProblemError with status 422 for a name or a window that no pass would understand. */
function wantedRoll(name: string, body: RollBody, { callerArn }: HttpCall): WantedRoll {
  if (!rollNamePattern.test(name))
    throw invalid(
      'its name must have letters, digits, dots, dashes and underscores, at most 63, and begin and end with a letter or a digit',
    );
  const { groups: _, criterion = { kind: 'changed' }, skipBlocked = false, window, ...bounds } = body;
  const reading = window === undefined ? undefined : parseWindow(window);
  if (reading?.kind === 'invalid')
    throw invalid(`its window cannot be read: ${reading.why}`, [
      { pointer: '#/window', detail: reading.why },
    ]);
  return {
    name,
    criterion,
    ...defaultBounds,
    ...bounds,
    ...(window !== undefined && { window }),
    skipBlocked,
    podsUnchecked: true,
    ...(callerArn !== undefined && { by: callerArn.slice(0, 512) }),
  };
}

/** @throws ProblemError with status 422 if an instance is in none of the groups: a misspelt id would replace nothing, and look done. */
function checkInstances({ criterion }: WantedRoll, groups: readonly ManagedGroup[]): void {
  if (criterion.kind !== 'named') return;
  const known = new Set(groups.flatMap(({ instances }) => instances.map(({ instanceId }) => instanceId)));
  const unknown = criterion.instanceIds.filter((id) => !known.has(id));
  if (unknown.length > 0) throw invalid(`none of its groups has ${unknown.join(', ')}`);
}

/**
 * Whether a roll that may still change something asks for the same. One that has stopped does not begin again by a request that is repeated: the
 * cause of the stop would be lost.
 */
function asksTheSame(before: StoredRoll, wanted: WantedRoll, groups: readonly string[]): boolean {
  const { state } = rollStateOf(before);
  if (before.ask.kind === 'unreadable' || ['aborting', 'aborted', 'done'].includes(state)) return false;
  const names = before.ask.value.groups.map(({ autoScalingGroupName }) => autoScalingGroupName);
  return (
    isDeepStrictEqual(new Set(names), new Set(groups)) &&
    isDeepStrictEqual(termsOf(before.ask.value), termsOf(wanted))
  );
}

/** What a caller asks for: not who it is, and not what has become of it. */
const termsOf = ({ name, criterion, skipBlocked, window, ...roll }: WantedRoll) => ({
  name,
  criterion,
  skipBlocked,
  window,
  surge: roll.surge,
  maxUnavailable: roll.maxUnavailable,
  canary: roll.canary,
  bakeSeconds: roll.bakeSeconds,
  stopOn: roll.stopOn,
  annotationTimeoutSeconds: roll.annotationTimeoutSeconds,
});

/** What the scale API may read. Its identity lists Nodes, and no pods. */
const sourcesOf = (context: ScaleContext, requests: RollRequests): PreflightSources => ({
  ...requests,
  readProblems: async (group) =>
    rollProblems(group, await context.groups.describeHooks(group.autoScalingGroupName), context),
  readCluster: async () => ({
    nodes: await listNodes(context),
    pods: [],
    budgets: [],
    strandedOn: () => [],
    warnings: [],
  }),
});

/** @throws ProblemError with status 503: without Nodes, each instance would be left out. */
async function listNodes({
  cluster,
  onClusterFailure,
}: ScaleContext): ReturnType<ScaleContext['cluster']['listNodes']> {
  try {
    return await cluster.listNodes();
  } catch (cause) {
    onClusterFailure(cause);
    throw new ProblemError({
      code: 'cluster-unavailable',
      detail:
        'the Nodes of the cluster could not be listed, so nothing shows which may be replaced: the log of scale-api says why',
      headers: { 'retry-after': '5' },
      cause,
    });
  }
}

const stored = (roll: Roll): StoredRoll => ({ name: roll.name, ask: { kind: 'read', value: roll } });

const answer = (status: number, body: BegunRoll): HttpResult => json(status, body);

const unchanged = (before: StoredRoll): HttpResult =>
  answer(200, { change: 'unchanged', roll: viewRoll(before) });

function viewOf({ roll, preflight, warnings }: ReadPreflight, change: 'begun' | 'nothing-old'): BegunRoll {
  const { groups, findings, old, leftOut } = preflight;
  return {
    change,
    ...(change === 'begun' && { roll: viewRoll(stored(roll)) }),
    preflight: {
      groups: groups.map(({ autoScalingGroupName, instances, expected, ...counts }) => ({
        autoScalingGroupName,
        instances,
        old: counts.old,
        leftOut: counts.leftOut,
        ...(expected && { expectedSeconds: Math.round(expected.seconds) }),
      })),
      findings: [...findings],
      old: old.map(({ autoScalingGroupName, instanceId, nodeName, why }) => ({
        autoScalingGroupName,
        instanceId,
        ...(nodeName !== undefined && { nodeName }),
        why,
      })),
      leftOut: [...leftOut],
      warnings: [...warnings],
      podsUnchecked: true,
    },
  };
}

const refused = (refusal: string, { findings }: Preflight): ProblemError =>
  new ProblemError({
    code: 'roll-refused',
    detail: refusal,
    errors: findings
      .filter(({ severity }) => severity === 'refuses')
      .map(({ subject, message, command }) => ({
        detail: `${subject}: ${message}${command === undefined ? '' : ` (${command})`}`,
      })),
  });

const taken = (before: StoredRoll): ProblemError => {
  const { state } = rollStateOf(before);
  return new ProblemError({
    code: 'roll-taken',
    detail: `a roll ${before.name} is ${state}, and does not ask for the same: choose another name, or abort it`,
  });
};

const invalid = (
  detail: string,
  errors?: ConstructorParameters<typeof ProblemError>[0]['errors'],
): ProblemError => new ProblemError({ code: 'invalid-roll', detail, ...(errors && { errors }) });
