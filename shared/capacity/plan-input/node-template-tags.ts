import type { Taint } from 'kubernetes-types/core/v1.d.ts';
import type { AutoScalingGroup } from '../../groups/group.ts';
import { QuantityError } from '../plan/quantity.ts';
import { amountsOf } from '../plan/requests.ts';
import type { Amounts, Labels } from '../plan/types.ts';

/** The nodes of a group, as its tags describe them. */
export interface NodeTemplateTags {
  readonly labels: Labels;
  readonly taints: readonly Taint[];
  readonly resources: Amounts;
  /** The tags that are not in the form that cluster-autoscaler documents, each with the reason. */
  readonly problems: readonly string[];
}

export const nodeTemplatePrefix = 'k8s.io/cluster-autoscaler/node-template/';

const effects: readonly string[] = ['NoSchedule', 'NoExecute', 'PreferNoSchedule'];

/**
 * Reads the tags by which cluster-autoscaler knows the nodes of a group that has none: `label/KEY` = value, `taint/KEY` = `value:effect` and
 * `resources/NAME` = quantity (cluster-autoscaler, cloudprovider/aws/README.md). Many groups have them already.
 */
export function nodeTemplateTagsOf({ tags }: Pick<AutoScalingGroup, 'tags'>): NodeTemplateTags {
  const taints = entriesBelow(tags, 'taint/').map(([key, value]) => taintOf(key, value));
  const resources = entriesBelow(tags, 'resources/').map(([name, value]) => resourceOf(name, value));
  return {
    labels: Object.fromEntries(entriesBelow(tags, 'label/')),
    taints: taints.filter((taint) => typeof taint !== 'string'),
    resources: new Map(
      resources.filter((resource) => typeof resource !== 'string').flatMap((all) => [...all]),
    ),
    problems: [...taints, ...resources].filter((problem) => typeof problem === 'string'),
  };
}

function entriesBelow(tags: AutoScalingGroup['tags'], kind: string): readonly (readonly [string, string])[] {
  const prefix = nodeTemplatePrefix + kind;
  return Object.entries(tags)
    .filter(([key]) => key.startsWith(prefix) && key.length > prefix.length)
    .map(([key, value]) => [key.slice(prefix.length), value]);
}

function taintOf(key: string, text: string): Taint | string {
  const colon = text.lastIndexOf(':');
  const effect = text.slice(colon + 1);
  if (colon < 0 || !effects.includes(effect))
    return `tag ${nodeTemplatePrefix}taint/${key} is not VALUE:EFFECT with one of the effects ${effects.join(', ')}`;
  return { key, value: text.slice(0, colon), effect };
}

function resourceOf(name: string, quantity: string): Amounts | string {
  try {
    return amountsOf({ [name]: quantity });
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
    return `tag ${nodeTemplatePrefix}resources/${name} is not a quantity, such as 500m or 16Gi`;
  }
}
