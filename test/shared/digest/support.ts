import { digestOf, type Look, type Previous } from '../../../shared/digest/digest.ts';
import { formatRemembered, parseRemembered } from '../../../shared/digest/remembered.ts';
import type { ProblemKind, Severity } from '../../../shared/problems/kinds.ts';
import { type Problem, problemOf } from '../../../shared/problems/problem.ts';

export const start = Date.parse('2026-11-24T08:00:00.000Z');
export const minute = 60_000;
export const hour = 60 * minute;

export const problem = (
  subject: string,
  {
    kind = 'budget',
    message = 'it waits for held pods',
    severity,
  }: { readonly kind?: ProblemKind; readonly message?: string; readonly severity?: Severity } = {},
): Problem => ({ ...problemOf({ kind, subject, message }), ...(severity && { severity }) });

export const look = (problems: readonly Problem[], unread: readonly string[] = []): Look => ({
  problems,
  unread,
  notLookedAt: ['the certificate requests'],
});

/** A receiver that follows a deployment: what each check reports, in short. The memory passes through the text of the parameter. */
export function follower(previous: Previous = 'absent') {
  let remembered = previous;
  return {
    remembered: () => remembered,
    lose: (lost: 'absent' | 'damaged') => {
      remembered = lost;
    },
    /** `+workers -other`: new and ended problems, and `~` with another severity; undefined if there is no digest. */
    see: (at: number, problems: readonly (string | Problem)[], unread: readonly string[] = []) => {
      const list = problems.map((one) => (typeof one === 'string' ? problem(one) : one));
      const decision = digestOf(remembered, look(list, unread), start + at);
      const text = formatRemembered(decision.digest?.afterwards ?? decision.remembered);
      remembered = text === undefined ? 'damaged' : (parseRemembered(text) ?? 'damaged');
      if (remembered === 'damaged') throw new Error('the parameter would not hold it');
      const { content } = decision.digest ?? {};
      if (content === undefined) return undefined;
      return [
        ...content.listed.flatMap(({ change, problem: { subject } }) =>
          change === undefined ? [] : [`${change === 'new' ? '+' : '~'}${subject}`],
        ),
        ...content.ended.map(({ subject }) => `-${subject}`),
      ].join(' ');
    },
  };
}
