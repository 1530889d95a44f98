import { variableOf, versions } from '@drover/cloud-sandbox/real/versions.ts';

/** What the shares of the long suites in a run of .ci/run depend on. */
export interface ShareInput {
  /** The number of commits: consecutive ones run different shares. */
  readonly turn: number;
  /** Run everything: all lifetimes, fault kinds and mutants. */
  readonly isWhole: boolean;
  /** Real time of the suites that every run does in full, which measures the machine. */
  readonly seconds: number;
}

/** Two quiet cores take this long for the suites that are measured. */
export const quietSeconds = 300;

/** Up to this many times slower, a run does the full shares: measurements differ by so much on one machine. */
const tolerated = 1.35;
/** The smallest shares are these many times smaller. A slower machine takes longer. */
const mostTimes = 8;

/** How many times smaller the shares are. */
export const timesSmaller = (seconds: number): number =>
  Math.min(mostTimes, Math.max(1, Math.ceil(seconds / (quietSeconds * tolerated))));

const faultKinds = ['fail-before', 'fail-after', 'kill-after'] as const;
const lifetimes = { whole: 10_000, share: 100 } as const;
/** Of the hand-over from AWS Node Termination Handler: each kills something else. */
const handOverRounds = 10;
/** Months of holds for pods: each seed draws other faults. */
const podMonths = 4;
const etcdLifetimes = { whole: 60, share: 20 } as const;

/**
 * One Kubernetes and one etcd, so that a run builds no more than that. All pairs have had their turn after twelve commits. A slow machine
 * always takes the first Kubernetes: it builds that one once, and a build of each other one would take too long for a run to end in time.
 */
function versionsOf(turn: number, times: number): Readonly<Record<string, string | undefined>> {
  const kubernetes = times > 1 ? versions.kubernetes.slice(0, 1) : versions.kubernetes;
  return {
    [variableOf.kubernetes]: kubernetes[turn % kubernetes.length],
    [variableOf.etcd]: versions.etcd[turn % versions.etcd.length],
  };
}

/** The variables that the suites, and mutation testing, read. `1/4` is the second of four shares. */
export function sharesOf({ turn, isWhole, seconds }: ShareInput): Readonly<Record<string, string>> {
  if (isWhole)
    return { SCHEMATHESIS_EXAMPLES: '500', SCHEDULER_CLUSTERS: '5000', SCHEDULER_SEED: String(turn) };
  const times = timesSmaller(seconds);
  const share = (shares: number): string => `${turn % shares}/${shares}`;
  const smaller = (count: number): number => Math.max(1, Math.floor(count / times));
  /** The first seed. Consecutive turns together run through all seeds. */
  const first = (count: number, all: number): number => 1 + ((turn * count) % all);
  const lives = smaller(lifetimes.share);
  const etcdLives = smaller(etcdLifetimes.share);
  const variables = {
    LIFETIMES_COUNT: lives,
    LIFETIMES_FIRST: first(lives, lifetimes.whole),
    ETCD_LIFETIMES_COUNT: etcdLives,
    ETCD_LIFETIMES_FIRST: first(etcdLives, etcdLifetimes.whole),
    NTH_ROUNDS: 1,
    NTH_FIRST_ROUND: first(1, handOverRounds),
    ETCD_STRIKE: faultKinds[turn % faultKinds.length],
    MUTATION_SHARE: share(8 * times),
    // Of bugs in the source, and of bugs in what lifetimes see.
    PLANTED_SHARE: share(4 * times),
    // Joins of 500 nodes run with one of 18 faults, repairs with two of 8 seeds, or one: smaller shares do not exist.
    JOINING_SHARE: share(18),
    REPAIR_SHARE: share(times === 1 ? 4 : 8),
    // A fault of each call of a roll: one of 24 cases, each of which takes minutes.
    ROLL_STRIKES: share(24),
    FUZZED_REQUESTS: smaller(150_000),
    FUZZED_TOKENS: smaller(150_000),
    SCHEDULER_CLUSTERS: smaller(1000),
    SCHEDULER_SEED: turn,
    POD_MONTH_SEED: first(1, podMonths),
    ...(times > 1 && { CAPACITY_DAYS: 4, POD_MONTH_DAYS: Math.max(6, Math.floor(30 / times)) }),
    ...versionsOf(turn, times),
  };
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, String(value)]));
}

/** The parts of a JSON report of Vitest that are read: milliseconds of the epoch. */
export interface SuiteReport {
  readonly startTime: number;
  readonly testResults: readonly { readonly endTime: number }[];
}

/** The real time of suites that ran one after the other. */
export const secondsOf = (reports: readonly SuiteReport[]): number =>
  reports.reduce((sum, { startTime, testResults }) => {
    const end = Math.max(startTime, ...testResults.map(({ endTime }) => endTime));
    return sum + (end - startTime) / 1000;
  }, 0);
