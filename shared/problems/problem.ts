/** `critical`: a node, its pods or a quorum may be lost without you. `warning`: Drover goes on, and does not do what the group asks for. */
export type Severity = 'critical' | 'warning';

interface KindFacts {
  readonly severity: Severity;
  /** Where the documentation describes it: a page of `docs/` with an anchor. */
  readonly document: string;
  /** The alarm that has the same condition. */
  readonly alarm?: string;
}

const kinds = {
  overdue: {
    severity: 'critical',
    document: 'operating.md#what-status-complains-about',
    alarm: 'deadline-overdue',
  },
  quiet: { severity: 'critical', document: 'operating.md#logs', alarm: 'pass-age' },
  'tags-lost': { severity: 'critical', document: 'operating.md#a-group-that-loses-its-tags' },
  etcd: { severity: 'critical', document: 'troubleshooting.md#etcd', alarm: 'etcd-problems' },
  withheld: { severity: 'critical', document: 'operating.md#node-repair', alarm: 'repairs-withheld' },
  hook: { severity: 'critical', document: 'operating.md#the-hook' },
  retained: { severity: 'warning', document: 'operating.md#retained-instances' },
  uncordoned: { severity: 'warning', document: 'operating.md#when-something-around-drover-fails' },
  'left-behind': { severity: 'warning', document: 'operating.md#what-status-complains-about' },
  tag: { severity: 'warning', document: 'operating.md#tags' },
  'warm-wait': { severity: 'warning', document: 'joining.md#warm-pools' },
} as const satisfies Readonly<Record<string, KindFacts>>;

export type ProblemKind = keyof typeof kinds;

export const problemKinds = Object.keys(kinds) as [ProblemKind, ...ProblemKind[]];

/** The kinds that the scale API shows. A new one is a break for its callers: docs/scale-api.md, "Versions". */
export const apiProblemKinds = [
  'overdue',
  'quiet',
  'retained',
  'left-behind',
  'etcd',
  'warm-wait',
] as const satisfies readonly ProblemKind[];

/** Something that needs an operator. */
export interface Problem {
  readonly kind: ProblemKind;
  /** A group, a Node or an instance, by name. */
  readonly subject: string;
  /** ISO 8601 in UTC; null if nothing records when it began. */
  readonly since: string | null;
  readonly severity: Severity;
  readonly message: string;
  /** The command that solves it, or shows its cause; capitals are placeholders for values that only you know. Null if there is none. */
  readonly command: string | null;
  readonly document: string;
  readonly alarm: string | null;
}

/** A problem as its source describes it; the rest follows from its kind. */
export interface FoundProblem {
  readonly kind: ProblemKind;
  readonly subject: string;
  readonly message: string;
  readonly since?: string | undefined;
  readonly command?: string | undefined;
}

export function problemOf({ kind, subject, message, since, command }: FoundProblem): Problem {
  const { severity, document, alarm }: KindFacts = kinds[kind];
  return {
    kind,
    subject,
    since: since ?? null,
    severity,
    message,
    command: command ?? null,
    document,
    alarm: alarm ?? null,
  };
}

/** Critical ones first, then those that have lasted longest. */
export const byUrgency = (one: Problem, other: Problem): number =>
  Number(other.severity === 'critical') - Number(one.severity === 'critical') ||
  (one.since ?? '9').localeCompare(other.since ?? '9') ||
  one.subject.localeCompare(other.subject);
