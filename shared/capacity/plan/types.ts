import type { NodeSelectorTerm, Taint, Toleration } from 'kubernetes-types/core/v1.d.ts';
import type { LabelRequirement } from '../../draining/label-selector.ts';

export type Labels = Readonly<Record<string, string>>;

/** Resources by name in the units of the scheduler: thousandths of a CPU, bytes, pieces. */
export type Amounts = ReadonlyMap<string, number>;

/** A port of the host that a pod binds. */
export interface HostPort {
  /** `0.0.0.0` is every address. */
  readonly hostIP: string;
  readonly protocol: string;
  readonly port: number;
}

/** Which pods a term of pod affinity or a spread constraint counts. */
export interface PodSelector {
  /** The namespaces by name; undefined: every namespace. */
  readonly namespaces: ReadonlySet<string> | undefined;
  readonly requirements: readonly LabelRequirement[];
  /** The same for selectors that select the same, so that their pods are counted once. */
  readonly key: string;
}

/** A required term of pod affinity or anti-affinity. */
export interface AffinityTerm {
  readonly selector: PodSelector;
  readonly topologyKey: string;
}

/** A topology spread constraint with DoNotSchedule. */
export interface SpreadConstraint {
  readonly selector: PodSelector;
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly honorsNodeAffinity: boolean;
  readonly honorsTaints: boolean;
}

/** A volume that counts against the attach limit of its driver. */
export interface AttachedVolume {
  readonly driver: string;
  /** Names one volume, so that two pods with the same volume count it once on a node. */
  readonly id: string;
}

/** What the volumes of a pod ask of its node. */
export interface VolumeNeeds {
  /** The node affinity of bound volumes and the allowed topologies of classes: one term of each list must match. */
  readonly nodeTerms: readonly {
    readonly terms: readonly NodeSelectorTerm[];
    readonly reason: string;
  }[];
  /** The zones and regions in the labels of bound volumes. */
  readonly zones: readonly VolumeZone[];
  readonly attached: readonly AttachedVolume[];
  /** Claims with ReadWriteOncePod, as `namespace/name`: no other pod may use them. */
  readonly exclusiveClaims: readonly string[];
  /** Claims whose volume is made once the first of their pods has a node, as `namespace/name`. */
  readonly waitingClaims: readonly string[];
  /** Why the scheduler gives the pod up before it looks at nodes, such as a claim that does not exist. */
  readonly claimProblem?: string;
}

/** A label of a volume, whose values a node must have if it has any label of a zone or a region. */
export interface VolumeZone {
  readonly key: string;
  readonly values: readonly string[];
}

/** What the scheduler reads of a pod, compiled once. */
export interface PlannedPod {
  readonly namespace: string;
  readonly name: string;
  readonly labels: Labels;
  readonly requests: Amounts;
  /** The requests that rank nodes: a container without them counts as 100m CPU and 200Mi memory, as in the scheduler. */
  readonly rankedRequests: Amounts;
  /** The name of the only node that it may run on. */
  readonly nodeName?: string;
  readonly nodeSelector: Labels;
  /** Required node affinity: one of these terms must match; undefined without required node affinity. */
  readonly nodeTerms?: readonly NodeSelectorTerm[];
  readonly tolerations: readonly Toleration[];
  readonly hostPorts: readonly HostPort[];
  readonly podAffinity: readonly AffinityTerm[];
  readonly podAntiAffinity: readonly AffinityTerm[];
  readonly spread: readonly SpreadConstraint[];
  readonly volumes: VolumeNeeds;
  /** It is being deleted: it occupies its room until it is gone, but spread constraints do not count it. */
  readonly isTerminating: boolean;
  /** The same for pods that the scheduler cannot tell apart but by their names. */
  readonly shape: string;
  /** Undefined for a pod that does not come with a node. */
  readonly comesWithNode?: ComesWithNode;
}

/** Pods that each new node gets by itself: those of a DaemonSet, as `namespace/name`, and static ones. */
export type ComesWithNode = { readonly daemonSet: string } | 'static';

/** A node that exists, or that a group may launch. */
export interface PlannedNode {
  readonly name: string;
  /** Undefined for a node outside the groups of the plan. */
  readonly autoScalingGroupName?: string;
  /**
   * The labels that it has or may have. A node that exists has one set. A new node of a group over several zones has one for each zone, because
   * Auto Scaling chooses its zone: what holds for it must hold for each.
   */
  readonly labelSets: readonly [Labels, ...Labels[]];
  readonly taints: readonly Taint[];
  readonly allocatable: Amounts;
  /** How many volumes may be attached, by CSI driver; a driver that is not listed has no limit. */
  readonly attachLimits: ReadonlyMap<string, number>;
  /** Why it gives no room to any pod, in the scheduler's words. Its pods still count for spread and affinity. */
  readonly closed?: string;
  /** It will be gone, and its pods will be evicted, which may take hours. An operator who cordons a node may keep it. */
  readonly isLeaving?: true;
}

/** A node with the pods that are on it at the beginning. */
export interface OccupiedNode {
  readonly node: PlannedNode;
  readonly pods: readonly PlannedPod[];
  /** Volumes that are attached although no pod of the node uses them, as shortly after a pod has gone. */
  readonly attached?: readonly AttachedVolume[];
}
