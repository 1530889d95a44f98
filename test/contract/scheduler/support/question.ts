import * as fc from 'fast-check';
import type { Namespace, Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import type { CSINode, VolumeAttachment } from 'kubernetes-types/storage/v1.d.ts';
import { plannedNodeOf } from '../../../../shared/capacity/plan/node.ts';
import { type PodSurroundings, plannedPodOf } from '../../../../shared/capacity/plan/pod.ts';
import { reasons } from '../../../../shared/capacity/plan/reasons.ts';
import type { ClusterObjects } from '../../../../shared/capacity/plan/snapshot.ts';
import { type DrawnNode, drawnNodes, ebsDriver, zoneKey } from './drawn-nodes.ts';
import { drawnBoundPods, drawnPod, namespaces, podFrom } from './drawn-pods.ts';
import { type DrawnVolumes, drawnAttachments, volumesOf, withBoundClaims } from './drawn-volumes.ts';

/** A cluster as the oracle reads it. */
export interface Question extends DrawnVolumes {
  readonly nodes: readonly Node[];
  readonly csiNodes: readonly CSINode[];
  readonly pods: readonly Pod[];
  readonly namespaces: readonly Namespace[];
  readonly attachments: readonly VolumeAttachment[];
  readonly asked: readonly Pod[];
  readonly binds: boolean;
}

/** What the scheduler does with one pod. */
export interface Verdict {
  readonly node?: string;
  readonly message?: string;
  /** By the names of the nodes that are refused. */
  readonly reasons?: Readonly<Record<string, readonly string[]>>;
  readonly invalid?: string;
}

const allNamespaces: readonly Namespace[] = namespaces.map((name) => ({
  metadata: {
    name,
    labels: {
      'kubernetes.io/metadata.name': name,
      ...(name === 'void' ? {} : { team: name === 'shop' ? 'red' : 'blue' }),
    },
  },
}));

export const clusterOf = (
  drawn: readonly DrawnNode[],
  {
    pods,
    attached,
  }: {
    readonly pods: readonly Pod[];
    readonly attached: readonly { readonly nodeName: string; readonly volume: string }[];
  },
): Omit<Question, 'asked' | 'binds'> => ({
  nodes: drawn.map(({ node }) => node),
  csiNodes: drawn.map(({ csiNode }) => csiNode),
  pods,
  namespaces: allNamespaces,
  ...withBoundClaims(
    volumesOf(namespaces),
    pods,
    (name) => drawn.find(({ node }) => node.metadata?.name === name)?.node.metadata?.labels?.[zoneKey],
  ),
  attachments: attached.map(({ nodeName, volume }, index) => ({
    metadata: { name: `attachment-${index}` },
    spec: { attacher: ebsDriver, nodeName, source: { persistentVolumeName: volume } },
    status: { attached: true },
  })),
});

/** A cluster of at most `most` nodes, and pods that the scheduler is asked about. */
export const drawnQuestion = (most: number): fc.Arbitrary<Question> =>
  drawnNodes(most).chain((nodes) => {
    const names = nodes.map(({ node }) => node.metadata?.name ?? '');
    return fc
      .record({
        pods: drawnBoundPods(names, 10),
        attached: drawnAttachments(names),
        asked: fc.array(drawnPod, { minLength: 1, maxLength: 6 }),
      })
      .map(({ pods, attached, asked }) => ({
        ...clusterOf(nodes, { pods, attached }),
        asked: asked.map((one, index) => podFrom(one, `asked-${index}`)),
        binds: false,
      }));
  });

const byName = <T extends { readonly metadata?: { readonly name?: string } }>(
  list: readonly T[],
): ReadonlyMap<string, T> => new Map(list.map((one) => [one.metadata?.name ?? '', one]));

export const surroundingsOf = (question: Omit<Question, 'asked' | 'binds'>): PodSurroundings => ({
  namespaces: new Map(
    question.namespaces.map(({ metadata }) => [metadata?.name ?? '', metadata?.labels ?? {}]),
  ),
  volumes: {
    claims: new Map(
      question.claims.map((claim) => [`${claim.metadata?.namespace}/${claim.metadata?.name}`, claim]),
    ),
    volumes: byName(question.volumes),
    classes: byName(question.classes),
  },
});

/** The same cluster as a plan reads it. */
export const objectsOf = (question: Omit<Question, 'asked' | 'binds'>): ClusterObjects => ({
  nodes: question.nodes.map((node, index) => {
    const csiNode = question.csiNodes[index];
    return plannedNodeOf({ node, ...(csiNode && { csiNode }) });
  }),
  pods: question.pods.map((pod) => plannedPodOf(pod, surroundingsOf(question))),
  daemonSets: [],
  volumeAttachments: question.attachments,
  surroundings: surroundingsOf(question),
});

/**
 * A set of reasons for pods that were placed one after another. The volume of a claim that they share is made on the way: then a node of another zone
 * refuses for the volume, where a plan may still name the class, so both count as one here.
 */
export const placedReasons = (set: Iterable<string>): readonly string[] => {
  const ofVolumes: readonly string[] = [reasons.volumeAffinity, reasons.noVolumeToBind];
  const named = [...set].map((reason) => (ofVolumes.includes(reason) ? 'volumes' : reason));
  return [...new Set(named)].toSorted();
};
