import type { Node, Taint } from 'kubernetes-types/core/v1.d.ts';

/** The tags from which cluster-autoscaler predicts the nodes of an empty group (README of its AWS provider, "Auto-Discovery Setup"). */
const prefix = 'k8s.io/cluster-autoscaler/node-template/';
const labelPrefix = `${prefix}label/`;
const taintPrefix = `${prefix}taint/`;

/** The kubelet and the cloud provider describe the machine with these labels; a tag only predicts them for a group without nodes. */
export const machineLabels: ReadonlySet<string> = new Set([
  'kubernetes.io/hostname',
  'kubernetes.io/arch',
  'kubernetes.io/os',
  'node.kubernetes.io/instance-type',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/instance-type',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
]);

/**
 * A strategic merge patch. It replaces the whole list of taints, so it has those of the Node as well, and the API server refuses it if the
 * Node has changed since it was read. Because of the UID, it refuses it for another Node with that name.
 */
interface TemplatePatch {
  readonly metadata: {
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec?: { readonly taints: readonly Taint[] };
}

/**
 * Adds the labels and taints in the tags of the group that the Node lacks; undefined if it has all. What a Node reports of its machine
 * stays: a group with several instance types has one tag for all of them.
 */
export function templatePatch(
  { metadata, spec }: Node,
  tags: Readonly<Record<string, string>>,
): TemplatePatch | undefined {
  const labels = entriesUnder(tags, labelPrefix).filter(([key, value]) => {
    const reported = metadata?.labels?.[key];
    return reported === undefined || (reported !== value && !machineLabels.has(key));
  });
  const current = spec?.taints ?? [];
  const promised = entriesUnder(tags, taintPrefix).flatMap(([key, value]) => taintOf(key, value));
  const taints = promised.filter((taint) => !current.some((one) => isSame(one, taint)));
  // A Node has one taint of a key and effect, with one value.
  const kept = current.filter(
    (one) => !taints.some(({ key, effect }) => one.key === key && one.effect === effect),
  );
  if (labels.length === 0 && taints.length === 0) return undefined;
  const { uid, resourceVersion } = metadata ?? {};
  return {
    metadata: {
      ...(uid && { uid }),
      ...(taints.length > 0 && resourceVersion && { resourceVersion }),
      ...(labels.length > 0 && { labels: Object.fromEntries(labels) }),
    },
    ...(taints.length > 0 && { spec: { taints: [...kept, ...taints] } }),
  };
}

const entriesUnder = (tags: Readonly<Record<string, string>>, under: string): readonly [string, string][] =>
  Object.entries(tags).flatMap(([key, value]): [string, string][] =>
    key.startsWith(under) ? [[key.slice(under.length), value]] : [],
  );

/** Reads `VALUE:EFFECT`, as cluster-autoscaler does. */
function taintOf(key: string, text: string): readonly Taint[] {
  const [, value = '', effect = ''] = /^([^:]*):(NoSchedule|NoExecute|PreferNoSchedule)$/.exec(text) ?? [];
  return effect === '' ? [] : [{ key, ...(value && { value }), effect }];
}

/** A tag that declares a taint in a form that is not read: the taint that the Node would silently lack. */
export interface UnreadTaint {
  readonly tag: string;
  readonly problem: string;
  /** The value that was meant, if the parts are only in another order or case. */
  readonly meant: string | undefined;
}

/** The tags of taints that neither Drover nor cluster-autoscaler reads. */
export const unreadTaints = (tags: Readonly<Record<string, string>>): readonly UnreadTaint[] =>
  entriesUnder(tags, taintPrefix)
    .filter(([key, value]) => taintOf(key, value).length === 0)
    .map(([key, value]) => {
      const tag = `${taintPrefix}${key}`;
      const meant = meantTaint(value);
      return {
        tag,
        problem: `tag ${tag} is ${JSON.stringify(value)}, not VALUE:EFFECT such as ${meant ?? 'gpu:NoSchedule'}, so it is not a taint`,
        meant,
      };
    });

const effects = ['NoSchedule', 'NoExecute', 'PreferNoSchedule'];

/** `NoSchedule`, `NoSchedule:gpu`, `gpu:noschedule` and `gpu=NoSchedule` as they were meant. */
function meantTaint(text: string): string | undefined {
  const parts = text.split(/[:=]/).map((part) => part.trim());
  const found = parts.flatMap((part, place) => {
    const effect = effects.find((one) => one.toLowerCase() === part.toLowerCase());
    return effect === undefined ? [] : [{ effect, place }];
  });
  const [only] = found;
  if (only === undefined || found.length > 1 || parts.length > 2) return undefined;
  return `${parts.find((_, place) => place !== only.place) ?? ''}:${only.effect}`;
}

const isSame = (one: Taint, other: Taint): boolean =>
  one.key === other.key && (one.value ?? '') === (other.value ?? '') && one.effect === other.effect;
