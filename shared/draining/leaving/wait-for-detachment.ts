import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import type { VolumeAttachment } from 'kubernetes-types/storage/v1.d.ts';
import { again, type Outcome } from '../../lifecycle/outcome.ts';
import { isKubeletSilent } from '../node-condition.ts';
import type { MarkedNode } from './marking.ts';
import type { LeaveTerms } from './terms.ts';
import { claimsOf, mayHaveVolumes } from './volumes.ts';
import type { LeavingWorld } from './world.ts';

const retrySeconds = 5;

/**
 * The pods are gone; what they held must be let go before the instance is: volumes, or the next node waits some six minutes
 * for a multi-attach, and load-balancer targets with requests in flight. Not past the deadline, and not for a kubelet
 * that does not answer, for it will unmount nothing.
 *
 * @returns undefined when nothing is left to wait for.
 */
export async function waitForDetachment(
  world: LeavingWorld,
  terms: LeaveTerms,
  { node, mark, podsLeft }: MarkedNode & { readonly podsLeft: readonly Pod[] },
): Promise<Outcome | undefined> {
  if (world.clock.now() >= terms.deadlines.deadline) return undefined;
  const asks = mayHaveVolumes(node, mark) && !isKubeletSilent(node);
  const volumes = asks ? await attachedVolumes(world, node, podsLeft) : [];
  if (volumes.length > 0)
    return again(retrySeconds, `its pods are gone, its volumes are not yet detached: ${volumes.join(', ')}`, {
      waitsFor: 'volumes',
      volumesAttached: volumes.length,
    });
  const targets = await drainingTargets(world, terms);
  if (targets.length > 0)
    return again(retrySeconds, `requests may be in flight: ${targets.join(', ')} still deregisters it`, {
      waitsFor: 'targets',
      targetsDraining: targets.length,
    });
  return undefined;
}

/** VolumeAttachments of the node, save those of pods that stay on it to the end (DaemonSets). */
async function attachedVolumes(
  world: LeavingWorld,
  node: Node,
  podsLeft: readonly Pod[],
): Promise<readonly string[]> {
  const attachments = await world.cluster.listVolumeAttachments(node.metadata?.name ?? '');
  const names = attachments.map(volumeOf).filter((name) => name !== undefined);
  if (names.length === 0) return [];
  const staying = new Set(await volumesOfPods(world, podsLeft));
  return names.filter((name) => !staying.has(name));
}

const volumeOf = ({ spec }: VolumeAttachment): string | undefined => spec?.source?.persistentVolumeName;

async function volumesOfPods(world: LeavingWorld, pods: readonly Pod[]): Promise<string[]> {
  const claims = pods.flatMap((pod) =>
    claimsOf(pod).map((claimName) => ({ namespace: pod.metadata?.namespace ?? 'default', claimName })),
  );
  const volumes = await Promise.all(
    claims.map(({ namespace, claimName }) => world.cluster.volumeOfClaim(namespace, claimName)),
  );
  return volumes.filter((volume) => volume !== undefined);
}

async function drainingTargets(
  world: LeavingWorld,
  { group, instance }: LeaveTerms,
): Promise<readonly string[]> {
  if (group.targetGroupArns.length === 0) return [];
  return await world.targetHealth.draining({
    instanceId: instance.instanceId,
    targetGroupArns: group.targetGroupArns,
  });
}
