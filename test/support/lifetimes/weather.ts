import { createHash } from 'node:crypto';
import { type CallInFlight, isWrite, type Strike, type Weather } from '@drover/cloud-sandbox';
import { AwsError } from '@drover/cloud-sandbox/aws';
import {
  attributesOfCall,
  deniedByWebhook,
  etcdTimedOut,
  forbiddenByRbac,
  webhookUnreachable,
} from '@drover/cloud-sandbox/kubernetes';
import { createRandom } from '@drover/cloud-sandbox/simulation';
import { type Dice, diceOf } from './plan/dice.ts';
import type { LifetimePlan } from './plan/plan.ts';
import type { Spell } from './plan/spells.ts';

export interface LifetimeWeather extends Weather {
  /** The spells under way, by seconds since the history began. */
  readonly spellsAt: (seconds: number) => readonly Spell[];
}

/** The plan's spells as faults. `seconds` gives the time since the history began; undefined before the history and after it. */
export function weatherOf(
  { seed, spells, conditions }: LifetimePlan,
  {
    seconds,
    onStrike,
  }: {
    readonly seconds: () => number | undefined;
    readonly onStrike: (call: CallInFlight, strike: Strike) => void;
  },
): LifetimeWeather {
  const dice = diceOf(createRandom(seed ^ 0x5eed));
  const spellsAt = (at: number): readonly Spell[] => spells.filter(({ from, to }) => at >= from && at < to);
  const { unawaitedWork, clockOffsetSeconds } = conditions;
  const now = (): readonly Spell[] => {
    const at = seconds();
    return at === undefined ? [] : spellsAt(at);
  };
  return {
    spellsAt,
    strike: (call) => {
      for (const spell of now()) {
        const strike = strikeOf(spell, call, dice);
        if (strike === undefined) continue;
        onStrike(call, strike);
        return strike;
      }
      return undefined;
    },
    latencyMilliseconds: (call) => Math.max(0, ...now().map((spell) => latencyOf(spell, call, dice))),
    // Past states are kept only where something reads them.
    ...(spells.some(({ kind }) => kind === 'stale-reads') && {
      staleSeconds: (call) => Math.max(0, ...now().map((spell) => staleSecondsOf(spell, call))),
    }),
    pollerStrike: () => {
      const breaks = now().some((spell) => spell.kind === 'pollers-break' && dice.chance(spell.share));
      return breaks ? { kind: 'fail-after' } : undefined;
    },
    ...(unawaitedWork && { unawaitedWork: () => unawaitedWork }),
    clockOffsetMilliseconds: (part) => (clockOffsetSeconds[part] ?? 0) * 1000,
  };
}

function latencyOf(spell: Spell, { to }: CallInFlight, dice: Dice): number {
  if (spell.kind === 'slow') return dice.integer(0, spell.milliseconds);
  return spell.kind === 'answers-late' && spell.server === to ? dice.integer(3000, 20_000) : 0;
}

function staleSecondsOf(spell: Spell, { to }: CallInFlight): number {
  if (spell.kind !== 'stale-reads') return 0;
  return to === 'kubernetes' ? spell.kubernetesSeconds : spell.awsSeconds;
}

function strikeOf(spell: Spell, call: CallInFlight, dice: Dice): Strike | undefined {
  const { to } = call;
  switch (spell.kind) {
    case 'kubernetes-away':
      return to === 'kubernetes' ? { kind: 'fail-before' } : undefined;
    case 'kubernetes-answers':
      return to === 'kubernetes' && dice.chance(spell.share) ? refusal(spell.status) : undefined;
    case 'aws-throttles':
      return to === 'aws' && dice.chance(spell.share) ? { kind: 'aws-error', error: throttled() } : undefined;
    case 'calls-break':
      return dice.chance(spell.share) ? { kind: dice.pick(['fail-before', 'fail-after']) } : undefined;
    case 'killed':
      if (spell.before !== undefined)
        return operationOf(call) === spell.before && dice.chance(spell.share)
          ? { kind: 'kill-before' }
          : undefined;
      return dice.chance(spell.share) ? { kind: dice.pick(['kill-before', 'kill-after']) } : undefined;
    case 'calls-hang':
      return to === spell.server && dice.chance(spell.share)
        ? { kind: dice.pick(['hang-before', 'hang-after']) }
        : undefined;
    case 'writes-fail':
      return to === 'kubernetes' && isWrite(call) ? etcdTimedOut() : undefined;
    case 'webhook-away':
      return to === 'kubernetes' && isWrite(call)
        ? webhookUnreachable({ webhook: 'policy.example.com', why: 'context deadline exceeded' })
        : undefined;
    case 'verb-denied':
      return to === 'kubernetes' && verbOf(call) === spell.verb ? denialOf(spell.by, call) : undefined;
    case 'objects-refused':
      return isRefusedObject(spell, call) ? objectRefusal(spell.answer) : undefined;
    case 'token-refused':
      return to === 'kubernetes' && [undefined, call.caller].includes(spell.caller)
        ? unauthorized
        : undefined;
    case 'slow':
    case 'events-disturbed':
    case 'answers-late':
    case 'stale-reads':
    case 'pollers-break':
      return undefined;
  }
}

/** The operation of AWS that a call asks for; undefined for a call of the API server. */
const operationOf = ({ to, what }: CallInFlight): string | undefined =>
  to === 'aws' ? what.split(' ').at(-1) : undefined;

type RefusedObjects = Extract<Spell, { readonly kind: 'objects-refused' }>;

/** Whether the webhook of this spell refuses the object of this call: always the same share of all names. */
function isRefusedObject(spell: RefusedObjects, call: CallInFlight): boolean {
  if (call.to !== 'kubernetes' || verbOf(call) !== spell.verb) return false;
  const attributes = attributesOfCall(call.what);
  return refusesName(spell, 'name' in attributes ? (attributes.name ?? '') : '');
}

/** Whether an object of this name is refused. */
export const refusesName = ({ share, except }: RefusedObjects, name: string): boolean =>
  except === undefined
    ? Number.parseInt(createHash('sha256').update(name).digest('hex').slice(0, 4), 16) / 0x10000 < share
    : !name.startsWith(except);

function objectRefusal(answer: RefusedObjects['answer']): Strike {
  if (answer === 'hang') return { kind: 'hang-before' };
  const webhook = 'policy.example.com';
  if (answer === 500) return webhookUnreachable({ webhook, why: 'connection refused' });
  return deniedByWebhook({ webhook, why: 'the object is moved by its operator', code: answer });
}

const unauthorized: Strike = {
  kind: 'http-answer',
  status: 401,
  body: JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'Unauthorized',
    reason: 'Unauthorized',
    code: 401,
  }),
};

/** As in the plan: `create pods/eviction`. */
function verbOf({ what }: CallInFlight): string {
  const { verb, ...of } = attributesOfCall(what);
  if (!('resource' in of)) return verb;
  return `${verb} ${of.resource}${of.subresource ? `/${of.subresource}` : ''}`;
}

const denialOf = (by: 'rbac' | 'webhook', { what }: CallInFlight): Strike =>
  by === 'rbac'
    ? forbiddenByRbac({ what, username: 'drover' })
    : deniedByWebhook({ webhook: 'policy.example.com', why: 'no change on Sundays' });

const refusal = (status: number): Strike => ({
  kind: 'http-answer',
  status,
  headers: status === 429 ? { 'retry-after': '1' } : {},
  body: JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    code: status,
    message: 'try later',
  }),
});

const throttled = (): AwsError =>
  new AwsError({ code: 'Throttling', message: 'Rate exceeded', statusCode: 400 });
