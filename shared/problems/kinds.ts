/** `critical`: a node, its pods or a quorum may be lost without you. `warning`: Drover goes on, and does not do what the group asks for. */
export type Severity = 'critical' | 'warning';

export interface KindFacts {
  readonly severity: Severity;
  /** Where the documentation describes it: a page of `docs/` with an anchor. */
  readonly document: string;
  /** The alarms that have the same condition. Each alarm of a deployment belongs to one kind. */
  readonly alarms?: readonly string[];
}

/** Every kind of problem: critical ones first. The order is that of the table in docs/operating.md. */
export const kinds = {
  overdue: {
    severity: 'critical',
    document: 'operating.md#what-status-complains-about',
    alarms: ['deadline-overdue'],
  },
  quiet: { severity: 'critical', document: 'operating.md#logs', alarms: ['pass-age'] },
  'tags-lost': { severity: 'critical', document: 'operating.md#a-group-that-loses-its-tags' },
  etcd: { severity: 'critical', document: 'troubleshooting.md#etcd', alarms: ['etcd-problems'] },
  withheld: { severity: 'critical', document: 'operating.md#node-repair', alarms: ['repairs-withheld'] },
  hook: { severity: 'critical', document: 'operating.md#the-hook' },
  'certificate-conflict': {
    severity: 'critical',
    document: 'operating.md#alarms',
    alarms: ['certificate-conflicts'],
  },
  'no-node': { severity: 'critical', document: 'operating.md#whose-node-it-is' },
  'no-approver': { severity: 'critical', document: 'certificates.md#nodes-outside-managed-groups' },
  'dead-letters': {
    severity: 'critical',
    document: 'cli.md#drover-redrive-queue',
    alarms: [
      'inbox-dead-letters',
      'leaving-dead-letters',
      'joining-dead-letters',
      'heartbeats-dead-letters',
      'etcd-dead-letters',
      'capacity-dead-letters',
      'roll-dead-letters',
      'undelivered',
    ],
  },
  'waits-at-risk': {
    severity: 'critical',
    document: 'operating.md#rate-limits-of-aws',
    alarms: ['waits-at-risk'],
  },
  'not-running': {
    severity: 'critical',
    document: 'operating.md#alarms',
    alarms: [
      'sweep-missing',
      'prewarm-missing',
      'roll-missing',
      'certificate-requests-missing',
      'bootstrap-credential-missing',
    ],
  },
  failing: {
    severity: 'critical',
    document: 'operating.md#alarms',
    alarms: [
      'failed-passes',
      'throttles',
      'intake-errors',
      'node-leaving-errors',
      'heartbeats-errors',
      'node-joining-errors',
      'sweep-errors',
      'prewarm-errors',
      'roll-errors',
      'etcd-membership-errors',
      'etcd-snapshot-errors',
      'certificate-requests-errors',
      'bootstrap-credential-errors',
      'scale-api-errors',
      'token-webhook-errors',
    ],
  },
  bounded: {
    severity: 'critical',
    document: 'operating.md#alarms',
    alarms: ['bound-exceeded', 'hurried-leaves'],
  },
  'join-overdue': {
    severity: 'warning',
    document: 'joining.md#past-the-deadline',
    alarms: ['join-overdue', 'joins-backed-off'],
  },
  'certificate-waiting': {
    severity: 'warning',
    document: 'operating.md#alarms',
    alarms: ['certificate-requests-late'],
  },
  credential: {
    severity: 'warning',
    document: 'bootstrap-credentials.md#when-something-fails',
    alarms: ['bootstrap-credential-overdue'],
  },
  capacity: { severity: 'warning', document: 'troubleshooting.md#capacity', alarms: ['hold-problems'] },
  schedule: { severity: 'warning', document: 'capacity.md#schedules' },
  'scheduled-action': {
    severity: 'warning',
    document: 'capacity.md#scheduled-actions-of-auto-scaling',
  },
  budget: { severity: 'warning', document: 'troubleshooting.md#nodes-that-leave' },
  unreplaced: { severity: 'warning', document: 'operating.md#replacements-that-are-awaited' },
  retained: { severity: 'warning', document: 'operating.md#retained-instances' },
  uncordoned: { severity: 'warning', document: 'operating.md#when-something-around-drover-fails' },
  'left-behind': { severity: 'warning', document: 'operating.md#what-status-complains-about' },
  'warm-wait': { severity: 'warning', document: 'joining.md#warm-pools' },
  notifications: {
    severity: 'warning',
    document: 'operating.md#alarms',
    alarms: ['notifications-failed'],
  },
  identities: {
    severity: 'warning',
    document: 'identity.md#a-broken-mapping',
    alarms: ['identity-mapping-broken'],
  },
  'second-drainer': { severity: 'warning', document: 'migrate-nth.md#the-order-of-the-steps' },
  tag: { severity: 'warning', document: 'operating.md#tags' },
} as const satisfies Readonly<Record<string, KindFacts>>;

export type ProblemKind = keyof typeof kinds;

export const problemKinds = Object.keys(kinds) as [ProblemKind, ...ProblemKind[]];

/** The alarms of a kind, by their names without that of the deployment. */
export const alarmsOf = (kind: ProblemKind): readonly string[] => {
  const facts: KindFacts = kinds[kind];
  return facts.alarms ?? [];
};

/** The names of all alarms, without that of the deployment, the longest first. */
export const alarmNames: readonly string[] = problemKinds
  .flatMap((kind) => alarmsOf(kind))
  .toSorted((one, other) => other.length - one.length);

/** The kind to which an alarm belongs, by its name without that of the deployment; undefined if no kind has it. */
export const kindOfAlarm = (alarm: string): ProblemKind | undefined =>
  problemKinds.find((kind) => alarmsOf(kind).includes(alarm));
