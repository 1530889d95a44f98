import type { ProblemView, UnknownView } from './types.ts';
import { counted } from './words.ts';

/** All deployments of the account and region, as plain JSON. Times are milliseconds since the epoch. */
export interface ClustersState {
  readonly now: number;
  /** When the reading began. */
  readonly readAt?: number;
  readonly region?: string;
  readonly accountId?: string;
  readonly clusters: readonly ClusterRow[];
  /** The problems of all clusters, the most urgent first. */
  readonly problems: readonly ClusterProblem[];
  /** Why nothing newer could be read. */
  readonly unknown: readonly UnknownView[];
}

/** A deployment and its cluster. */
export interface ClusterRow {
  readonly stage: string;
  /** Null if its rules do not say it. */
  readonly clusterName: string | null;
  /** The address of its page, from this one; null without a name. */
  readonly page: string | null;
  /** `unknown` if something could not be read, and what was read is without problems. */
  readonly state: 'ok' | 'problems' | 'unknown';
  /** Null if nothing could be read. */
  readonly counts: ClusterCounts | null;
  /** What is wrong besides its problems, and what could not be read. */
  readonly reasons: readonly string[];
  /** When Drover last wrote about a sweep, which it does every five minutes; null if it did not in the last hour; undefined if it is unknown. */
  readonly sweptAt?: number | null;
}

export interface ClusterCounts {
  readonly groups: number;
  readonly instances: number;
  readonly leaving: number;
  readonly joining: number;
  readonly problems: number;
}

export interface ClusterProblem extends ProblemView {
  readonly stage: string;
  readonly clusterName: string | null;
  readonly page: string | null;
}

/** Deployments of one cluster have one name: the stage tells them apart. */
export const nameOfCluster = ({ clusterName, stage }: Pick<ClusterRow, 'clusterName' | 'stage'>): string =>
  clusterName ?? `stage ${stage}`;

/** The word of the badge, as for groups. */
export const healthOf = ({ state }: Pick<ClusterRow, 'state'>): 'Healthy' | 'Degraded' | 'Unknown' =>
  state === 'ok' ? 'Healthy' : state === 'problems' ? 'Degraded' : 'Unknown';

/** Drover sweeps every five minutes, and its log is shown up to two minutes late. */
const longestQuietMilliseconds = 15 * 60_000;

/** Whether Drover has not run for longer than it should. Unknown is not late. Pure. */
export const isLate = ({ sweptAt }: Pick<ClusterRow, 'sweptAt'>, now: number): boolean =>
  sweptAt === null || (sweptAt !== undefined && now - sweptAt > longestQuietMilliseconds);

/** A reading of thirty clusters takes a while, and a minute's pause follows it. */
const oldMilliseconds = 180_000;

/** When an outdated list was read; undefined if it is current. Pure. */
export function clustersOldSince(
  { now, readAt = now }: Pick<ClustersState, 'now' | 'readAt'>,
  isLive: boolean,
): number | undefined {
  const age = now - readAt;
  return isLive && age >= 0 && age < oldMilliseconds ? undefined : readAt;
}

export interface ClustersSentence {
  readonly tone: 'good' | 'warn' | 'bad';
  readonly text: string;
}

/** The list in a sentence. What could not be read is never healthy. Pure. */
export function clustersSentence({
  clusters,
  unknown,
}: Pick<ClustersState, 'clusters' | 'unknown'>): ClustersSentence {
  if (clusters.length === 0)
    return unknown.length > 0
      ? { tone: 'warn', text: 'The clusters could not be read' }
      : { tone: 'warn', text: 'No deployment of Drover is known' };
  const count = (state: ClusterRow['state']): number => clusters.filter((one) => one.state === state).length;
  const [bad, unread, good] = [count('problems'), count('unknown'), count('ok')];
  if (bad + unread === 0)
    return {
      tone: 'good',
      text: good === 1 ? 'The only cluster is healthy' : `All ${good} clusters are healthy`,
    };
  const parts = [
    ...(bad > 0 ? [`${counted(bad, 'cluster has', 'clusters have')} problems`] : []),
    ...(unread > 0 ? [`${counted(unread, 'cluster')} could not be read completely`] : []),
    ...(good > 0 ? [`${good} ${good === 1 ? 'is' : 'are'} healthy`] : []),
  ];
  return { tone: bad > 0 ? 'bad' : 'warn', text: parts.join(', ') };
}

/** What the reader looks for in the list. */
export interface ClusterSearch {
  readonly words: string;
  readonly onlyUnhealthy: boolean;
}

/** By a part of the name of the cluster or its stage, in any case. Pure. */
export const matchesCluster = (
  row: Pick<ClusterRow, 'clusterName' | 'stage' | 'state'>,
  { words, onlyUnhealthy }: ClusterSearch,
): boolean =>
  (!onlyUnhealthy || row.state !== 'ok') &&
  `${row.clusterName ?? ''} ${row.stage}`.toLowerCase().includes(words.trim().toLowerCase());

/** What the query of an address asks for, and back. Pure. */
export const clusterSearchIn = (query: string): ClusterSearch => {
  const parameters = new URLSearchParams(query);
  return { words: parameters.get('find') ?? '', onlyUnhealthy: parameters.get('show') === 'unhealthy' };
};

export function clusterQueryOf({ words, onlyUnhealthy }: ClusterSearch): string {
  const parameters = new URLSearchParams({
    ...(words !== '' && { find: words }),
    ...(onlyUnhealthy && { show: 'unhealthy' }),
  });
  return parameters.size === 0 ? '' : `?${parameters}`;
}
