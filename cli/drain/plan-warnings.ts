import type { DrainPlan, PlannedPod } from '../../shared/draining/plan-drain.ts';
import { drainNotes } from '../../shared/draining/pod-filters.ts';

/** What a drain loses or leaves on the node, as `kubectl drain` warns: a line for each kind, with the names of its pods. Pure. */
export function planWarnings({ pods }: Pick<DrainPlan, 'pods'>): readonly string[] {
  const leaving = pods.filter(({ verdict }) => verdict === 'evict' || verdict === 'delete');
  const noted = (note: string) => leaving.filter(({ reason }) => reason.split('; ').includes(note));
  const staying = pods.filter(
    ({ verdict, reason }) => verdict === 'skip' && reason.startsWith(drainNotes.daemonSet),
  );
  return [
    ...warning('no controller recreates', noted(drainNotes.unmanaged)),
    ...warning('emptyDir data is lost of', noted(drainNotes.emptyDir)),
    ...warning(
      'devices of ResourceClaims are needed on other nodes for',
      leaving.filter(({ devices }) => devices !== undefined),
    ),
    ...rolloutWarnings({ pods }),
    ...warning('pods of DaemonSets stay:', staying),
  ];
}

/**
 * The pods of Deployments that ask for a rollout before an eviction. This command makes none: that takes the right to patch Deployments, which
 * people who drain need not have, and `kubectl rollout restart` does the same. Pure.
 */
export const rolloutWarnings = ({ pods }: Pick<DrainPlan, 'pods'>): readonly string[] =>
  warning(
    'this command restarts no rollouts: cordon the node first, and run kubectl rollout restart for the Deployments of',
    pods.filter(
      ({ verdict, asksForRestart }) => asksForRestart && (verdict === 'evict' || verdict === 'delete'),
    ),
  );

const warning = (words: string, pods: readonly PlannedPod[]): readonly string[] =>
  pods.length === 0
    ? []
    : [`${words} ${pods.map(({ namespace, name }) => `${namespace}/${name}`).join(', ')}`];
