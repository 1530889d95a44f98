import type { Dice } from './dice.ts';
import type { Step } from './history.ts';

type Fault =
  | { readonly kind: 'kubernetes-away' }
  | { readonly kind: 'kubernetes-answers'; readonly status: 429 | 500 | 503; readonly share: number }
  | { readonly kind: 'aws-throttles'; readonly share: number }
  | { readonly kind: 'calls-break'; readonly share: number }
  /** No answer comes any more: the invocation is killed at its time-out. With `before`, only in calls of AWS whose operation this is. */
  | { readonly kind: 'killed'; readonly share: number; readonly before?: string }
  | { readonly kind: 'slow'; readonly milliseconds: number }
  | {
      readonly kind: 'events-disturbed';
      readonly lost: number;
      readonly duplicated: number;
      readonly lateSeconds: number;
    }
  /** No answer comes before the caller's own limit. */
  | { readonly kind: 'calls-hang'; readonly server: Side; readonly share: number }
  /** Every answer takes 3 to 20 s. */
  | { readonly kind: 'answers-late'; readonly server: Side }
  /** The API server is half away: it answers reads, and breaks writes. */
  | { readonly kind: 'writes-fail' }
  /** 403, by RBAC or by an admission webhook. */
  | { readonly kind: 'verb-denied'; readonly verb: Verb; readonly by: 'rbac' | 'webhook' }
  /** 500 on each write, since an admission webhook cannot be reached. */
  | { readonly kind: 'webhook-away' }
  /** An admission webhook refuses one kind of request for some objects, by their names, or does not answer. */
  | {
      readonly kind: 'objects-refused';
      readonly verb: (typeof refusedVerbs)[number];
      readonly share: number;
      readonly answer: 403 | 429 | 500 | 'hang';
      /** Objects whose names begin so are not refused; others all are, whatever the share. */
      readonly except?: string;
    }
  /** The API server answers 401 to the token of a function, or of all. */
  | { readonly kind: 'token-refused'; readonly caller?: string }
  | { readonly kind: 'stale-reads'; readonly kubernetesSeconds: number; readonly awsSeconds: number }
  /** Answers to Lambda's pollers are lost, so that SQS delivers messages again. */
  | { readonly kind: 'pollers-break'; readonly share: number };

const refusedVerbs = ['create pods/eviction', 'create pods/eviction', 'delete pods', 'patch nodes'] as const;

type Side = 'aws' | 'kubernetes';

/** What Drover may do to nodes, pods and Events, as RBAC calls it. */
const verbs = [
  'patch nodes',
  'delete nodes',
  'get nodes',
  'list nodes',
  'list pods',
  'delete pods',
  'create pods/eviction',
  'create events',
  'get daemonsets',
] as const;
type Verb = (typeof verbs)[number];

/** A period with a fault, in seconds since the history began. */
export type Spell = { readonly from: number; readonly to: number } & Fault;

const planFault = (dice: Dice): Fault =>
  dice.pick<() => Fault>([
    () => ({ kind: 'kubernetes-away' }),
    () => ({
      kind: 'kubernetes-answers',
      status: dice.pick([429, 500, 503]),
      share: dice.pick([0.15, 0.15, 0.3, 1]),
    }),
    () => ({ kind: 'aws-throttles', share: dice.pick([0.1, 0.3, 0.7]) }),
    () => ({ kind: 'calls-break', share: dice.pick([0.05, 0.2]) }),
    () => ({ kind: 'killed', share: dice.pick([0.02, 0.05, 0.2]) }),
    () => ({ kind: 'slow', milliseconds: dice.pick([50, 300, 1500]) }),
    () => ({
      kind: 'events-disturbed',
      lost: dice.pick([0, 0.2, 1]),
      duplicated: dice.pick([0, 0.5]),
      lateSeconds: dice.pick([0, 20, 120]),
    }),
  ])();

/** None in a third of all lifetimes; otherwise one to four, side by side or apart, mostly while something happens. */
export function planSpells(
  dice: Dice,
  { history, seconds }: { readonly history: readonly Step[]; readonly seconds: number },
): readonly Spell[] {
  if (dice.chance(0.33)) return [];
  return Array.from({ length: dice.integer(1, 4) }, () => {
    const near = dice.chance(0.75) ? dice.pick(history).at - dice.integer(0, 20) : dice.integer(0, seconds);
    const from = Math.max(0, near);
    return { from, to: Math.min(seconds, from + dice.integer(10, 420)), ...planFault(dice) };
  });
}

/** Whether calls to AWS may go unanswered, or be refused. */
export const isOfAws = (spell: Spell): boolean =>
  spell.kind === 'aws-throttles' || ('server' in spell && spell.server === 'aws');

const planHarshFault = (dice: Dice): Fault =>
  dice.pick<() => Fault>([
    () => ({
      kind: 'calls-hang',
      server: dice.pick(['aws', 'kubernetes', 'kubernetes']),
      share: dice.pick([0.1, 0.5, 1]),
    }),
    () => ({ kind: 'answers-late', server: dice.pick(['aws', 'kubernetes', 'kubernetes']) }),
    () => ({ kind: 'kubernetes-away' }),
    () => ({ kind: 'writes-fail' }),
    () => ({ kind: 'verb-denied', verb: dice.pick(verbs), by: dice.pick(['rbac', 'webhook']) }),
    () => ({ kind: 'webhook-away' }),
    () => ({
      kind: 'stale-reads',
      kubernetesSeconds: dice.pick([0, 60, 300]),
      awsSeconds: dice.pick([0, 5, 10]),
    }),
    () => ({ kind: 'aws-throttles', share: 0.7 }),
    () => ({ kind: 'pollers-break', share: dice.pick([0.1, 0.4]) }),
  ])();

/** None in two fifths of all lifetimes; otherwise one or two that last ten minutes, or as long as the history does: up to an hour. */
export function planHarshSpells(
  dice: Dice,
  { history, seconds }: { readonly history: readonly Step[]; readonly seconds: number },
): readonly Spell[] {
  if (dice.chance(0.4)) return [];
  return Array.from({ length: dice.integer(1, 2) }, () => {
    const from = Math.max(0, dice.pick(history).at - dice.integer(0, 60));
    return { from, to: Math.min(seconds, from + dice.pick([600, 600, 3600])), ...planHarshFault(dice) };
  });
}

/** In half of all lifetimes one or two spells in which the API server refuses some objects or a token, for minutes. */
export function planRefusals(
  dice: Dice,
  { history, seconds }: { readonly history: readonly Step[]; readonly seconds: number },
): readonly Spell[] {
  if (dice.chance(0.5)) return [];
  return Array.from({ length: dice.integer(1, 2) }, () => {
    const from = Math.max(0, dice.pick(history).at - dice.integer(0, 60));
    return { from, to: Math.min(seconds, from + dice.integer(60, 600)), ...planRefusal(dice) };
  });
}

const planRefusal = (dice: Dice): Fault =>
  dice.chance(0.7)
    ? {
        kind: 'objects-refused',
        verb: dice.pick(refusedVerbs),
        share: dice.pick([0.2, 0.5]),
        answer: dice.pick<403 | 429 | 500 | 'hang'>([403, 429, 429, 500, 'hang']),
      }
    : { kind: 'token-refused', ...dice.maybe(0.5, () => ({ caller: dice.pick(tokenHolders) })) };

const tokenHolders = ['node-joining', 'node-leaving', 'certificate-requests'] as const;
