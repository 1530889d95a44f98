import type { Node, Taint } from 'kubernetes-types/core/v1.d.ts';

/** The tags from which cluster-autoscaler predicts the nodes of an empty group (README of its AWS provider, "Auto-Discovery Setup"). */
const prefix = 'k8s.io/cluster-autoscaler/node-template/';
const labelPrefix = `${prefix}label/`;
const taintPrefix = `${prefix}taint/`;

/** A strategic merge patch, which merges taints by key. Because of the UID, the API server refuses it for another Node with that name. */
interface TemplatePatch {
  readonly metadata: { readonly uid?: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec?: { readonly taints: readonly Taint[] };
}

/** Adds the labels and taints in the tags of the group that the Node lacks; undefined if it has all. */
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

/** Reads `VALUE:EFFECT`. Like cluster-autoscaler, ignores a tag with any other value. */
function taintOf(key: string, text: string): readonly Taint[] {
  const [, value = '', effect = ''] = /^([^:]*):(NoSchedule|NoExecute|PreferNoSchedule)$/.exec(text) ?? [];
  return effect === '' ? [] : [{ key, ...(value && { value }), effect }];
}

const isSame = (one: Taint, other: Taint): boolean =>
  one.key === other.key && (one.value ?? '') === (other.value ?? '') && one.effect === other.effect;
