import { parseDurationSeconds } from '../base/duration.ts';
import type { TagRules } from '../groups/group-settings.ts';
import { longestGlobalTimeoutSeconds } from '../groups/hook-timing.ts';

/** How nodes of a group join: the defaults of the deployment, overridden by the tags of the group. */
export interface JoiningSettings {
  /** From the launch action until the instance should be ready. */
  readonly joinTimeoutSeconds: number;
  /** What happens to an instance that is not ready by then. `ABANDON` terminates it, and Auto Scaling launches another. */
  readonly onJoinFailure: 'hold' | 'ABANDON';
  /** How long an instance that is launched into a warm pool may run its user data. If absent, the instance completes the hook itself. */
  readonly warmPoolWaitSeconds?: number;
  /** DaemonSets (`namespace/name`) whose pod must be Ready on the node. */
  readonly daemonSets?: readonly string[];
  /** Keys of taints that must be gone, in addition to the known startup taints. */
  readonly startupTaints?: readonly string[];
  /** Whether the node gets the labels and taints in the tags for cluster-autoscaler. */
  readonly appliesNodeTemplate?: boolean;
}

/** Every tag that changes how a node joins. */
export const joiningTags: TagRules<JoiningSettings> = {
  'drover.dev/join-timeout': {
    allowed: 'a duration from 1m to 2d, such as 12m',
    read: (value) => {
      const seconds = wholeSeconds(value, 60);
      return seconds === undefined ? undefined : { joinTimeoutSeconds: seconds };
    },
  },
  'drover.dev/on-join-failure': {
    allowed: 'hold or ABANDON',
    read: (value) => (value === 'hold' || value === 'ABANDON' ? { onJoinFailure: value } : undefined),
  },
  'drover.dev/warm-pool-wait': {
    allowed: 'a duration from 1s to 2d, such as 5m',
    read: (value) => {
      const seconds = wholeSeconds(value, 1);
      return seconds === undefined ? undefined : { warmPoolWaitSeconds: seconds };
    },
  },
  'drover.dev/wait-for-daemonsets': {
    allowed: 'NAMESPACE/NAME, several separated by spaces',
    read: (value) => {
      const daemonSets = words(value, /^[a-z0-9-]{1,63}\/[a-z0-9.-]{1,253}$/);
      return daemonSets && { daemonSets };
    },
  },
  'drover.dev/startup-taints': {
    allowed: 'keys of taints, separated by spaces',
    read: (value) => {
      const startupTaints = words(value, /^[\w./-]{1,317}$/);
      return startupTaints && { startupTaints };
    },
  },
  'drover.dev/apply-node-template': {
    allowed: 'true or false',
    read: (value) =>
      value === 'true' || value === 'false' ? { appliesNodeTemplate: value === 'true' } : undefined,
  },
};

/** The words of the value; undefined if one of them does not match. */
function words(value: string, pattern: RegExp): readonly string[] | undefined {
  const all = value.split(' ').filter((word) => word !== '');
  return all.length > 0 && all.every((word) => pattern.test(word)) ? all : undefined;
}

function wholeSeconds(value: string, least: number): number | undefined {
  const seconds = parseDurationSeconds(value);
  if (seconds === undefined || !Number.isInteger(seconds)) return undefined;
  return seconds >= least && seconds <= longestGlobalTimeoutSeconds ? seconds : undefined;
}
