import { alarmsOf, type KindFacts, kinds, type ProblemKind, type Severity } from './kinds.ts';

export { type ProblemKind, problemKinds, type Severity } from './kinds.ts';

/** Something that needs an operator. */
export interface Problem {
  readonly kind: ProblemKind;
  /** A group, a Node, an instance, a queue, a parameter or a schedule, by name. */
  readonly subject: string;
  /** ISO 8601 in UTC; null if nothing records when it began. */
  readonly since: string | null;
  readonly severity: Severity;
  readonly message: string;
  /** The command that solves it, or shows its cause; capitals are placeholders for values that only you know. Null if there is none. */
  readonly command: string | null;
  readonly document: string;
  /** The alarm that is raised for it, by its name without that of the deployment. Null if there is none. */
  readonly alarm: string | null;
}

/** A problem as its source describes it; the rest follows from its kind. */
export interface FoundProblem {
  readonly kind: ProblemKind;
  readonly subject: string;
  readonly message: string;
  readonly since?: string | undefined;
  readonly command?: string | undefined;
  /** For a kind with several alarms. Defaults to the first alarm of the kind. */
  readonly alarm?: string | undefined;
}

export function problemOf({ kind, subject, message, since, command, alarm }: FoundProblem): Problem {
  const { severity, document }: KindFacts = kinds[kind];
  return {
    kind,
    subject,
    since: since ?? null,
    severity,
    message,
    command: command ?? null,
    document,
    alarm: alarm ?? alarmsOf(kind)[0] ?? null,
  };
}

/** Critical ones first, then those that have lasted longest. */
export const byUrgency = (one: Problem, other: Problem): number =>
  Number(other.severity === 'critical') - Number(one.severity === 'critical') ||
  (one.since ?? '9').localeCompare(other.since ?? '9') ||
  one.subject.localeCompare(other.subject) ||
  one.kind.localeCompare(other.kind) ||
  one.message.localeCompare(other.message);
