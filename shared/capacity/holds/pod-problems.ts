import { type PodsRecord, verdictAbout } from '../pod-holds/pods-reading.ts';
import type { PodHold } from './pod-floor.ts';

/**
 * What an operator has to know about the pods of holds: that they cannot be read, and which pods no further node would take. Pods whose nodes are being
 * launched are not a problem; a group that lacks nodes for longer than a launch takes is reported as for any hold. Pure.
 */
export function podProblems(holds: readonly PodHold[], pods: PodsRecord | undefined): readonly string[] {
  if (pods === undefined) return [];
  const { failed, readAt, nodes } = pods;
  const unread = failed
    ? [
        readAt === undefined
          ? `holds for pods bring no nodes: ${failed.why}`
          : `holds for pods keep ${nodes} nodes, the number of ${new Date(readAt).toISOString()}, and more if more are needed are not noticed: ${failed.why}`,
      ]
    : [];
  return [
    ...unread,
    ...holds.flatMap(({ name }) => {
      const verdict = verdictAbout(pods.holds, name);
      return verdict?.withoutPlace === undefined
        ? []
        : [
            `hold ${name}: ${verdict.withoutPlace} of its ${verdict.open} pods that are not there yet have no place: ${verdict.why ?? 'the reason does not fit into the record'}`,
          ];
    }),
  ];
}
