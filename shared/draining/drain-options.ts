import type { LabelRequirement } from './label-selector.ts';

/** The flags of `kubectl drain`, with its meaning. */
export interface DrainOptions {
  /** Leave DaemonSet pods where they are; off: they refuse the drain. */
  readonly ignoreDaemonSets: boolean;
  /** Drain pods with emptyDir volumes too, whose data is lost; off: they refuse the drain. */
  readonly deleteEmptyDirData: boolean;
  /** Drain pods without a controller too, which nothing recreates; off: they refuse the drain. */
  readonly force: boolean;
  /** Replaces the grace of every pod; undefined: each has its own. */
  readonly gracePeriodSeconds?: number;
  /** Leave pods alone that should have been gone for more than this many whole seconds; 0: wait for every pod. */
  readonly skipWaitForDeleteTimeoutSeconds: number;
  /** Only pods whose labels meet every requirement; empty: all. */
  readonly podSelector: readonly LabelRequirement[];
  /** Delete from the start, past the budgets (`--disable-eviction`). */
  readonly disableEviction: boolean;
}

/** What `kubectl drain NODE` does when no flag is given. */
export const kubectlDefaults: DrainOptions = {
  ignoreDaemonSets: false,
  deleteEmptyDirData: false,
  force: false,
  skipWaitForDeleteTimeoutSeconds: 0,
  podSelector: [],
  disableEviction: false,
};

/** What an automated drain does when a group's tags say nothing: the node goes, whatever runs on it. */
export const automatedDefaults: DrainOptions = {
  ...kubectlDefaults,
  ignoreDaemonSets: true,
  deleteEmptyDirData: true,
  force: true,
};
