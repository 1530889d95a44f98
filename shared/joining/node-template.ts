import type { Node, Taint } from 'kubernetes-types/core/v1.d.ts';

/** The tags by which cluster-autoscaler knows the nodes of an empty group (its AWS provider's README, "Auto-Discovery Setup"). */
const prefix = 'k8s.io/cluster-autoscaler/node-template/';
const labelPrefix = `${prefix}label/`;
const taintPrefix = `${prefix}taint/`;

/** A strategic merge patch, which merges taints by their keys. The UID makes the API server refuse it for another Node of that name. */
export interface TemplatePatch {
  readonly metadata: { readonly uid?: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec?: { readonly taints: readonly Taint[] };
}

/** What a Node lacks of the labels and taints that the tags of its group promise; undefined where it lacks nothing. Pure. */
export function templatePatch(
  { metadata, spec }: Node,
  tags: Readonly<Record<string, string>>,
): TemplatePatch | undefined {
  const labels = entriesUnder(tags, labelPrefix).filter(([key, value]) => metadata?.labels?.[key] !== value);
  const taints = entriesUnder(tags, taintPrefix)
    .flatMap(([key, value]) => taintOf(key, value))
    .filter((taint) => !spec?.taints?.some((one) => isSame(one, taint)));
  if (labels.length === 0 && taints.length === 0) return undefined;
  const { uid } = metadata ?? {};
  return {
    metadata: { ...(uid && { uid }), ...(labels.length > 0 && { labels: Object.fromEntries(labels) }) },
    ...(taints.length > 0 && { spec: { taints } }),
  };
}

const entriesUnder = (tags: Readonly<Record<string, string>>, under: string): readonly [string, string][] =>
  Object.entries(tags).flatMap(([key, value]): [string, string][] =>
    key.startsWith(under) ? [[key.slice(under.length), value]] : [],
  );

/** `VALUE:EFFECT`. cluster-autoscaler ignores a tag with another value too. */
function taintOf(key: string, text: string): readonly Taint[] {
  const [, value = '', effect = ''] = /^([^:]*):(NoSchedule|NoExecute|PreferNoSchedule)$/.exec(text) ?? [];
  return effect === '' ? [] : [{ key, ...(value && { value }), effect }];
}

const isSame = (one: Taint, other: Taint): boolean =>
  one.key === other.key && (one.value ?? '') === (other.value ?? '') && one.effect === other.effect;
