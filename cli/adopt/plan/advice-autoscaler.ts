import { shellWord } from '../../../shared/base/shell-words.ts';
import { type Advised, type Adviser, layoutPage } from './adviser.ts';
import type { ObservedMachine } from './layout.ts';

/** AWS refuses a tag with a longer key, so that no tag can predict such a label or taint. */
const longestTagKey = 128;
export const autoscalerPrefix = 'k8s.io/cluster-autoscaler/';
const labelPrefix = `${autoscalerPrefix}node-template/label/`;
const taintPrefix = `${autoscalerPrefix}node-template/taint/`;

/** What the tags of the group leave out for cluster-autoscaler. A group without its tags is not scaled by it, and gets no advice. Pure. */
export const adviseAutoscaler: Adviser = (advised) => {
  const { group, layout, clusterName } = advised;
  const discovery = [`${autoscalerPrefix}enabled`, `${autoscalerPrefix}${clusterName}`];
  const lacking = discovery.filter((key) => !group.tags.has(key));
  if (lacking.length === discovery.length) return [];
  return [
    ...lacking.map((key) => ({
      id: 'autoscaler-discovery',
      message: `it has the tag ${discovery.find((one) => one !== key)}, and not ${key}: ${key.endsWith('/enabled') ? 'a cluster-autoscaler that looks for both does not find it' : 'the cluster-autoscaler of another cluster in this account may find it too'}`,
      command: tagCommand(advised, { [key]: key.endsWith('/enabled') ? 'true' : 'owned' }),
    })),
    ...(layout.hasWeights
      ? [
          {
            id: 'weights',
            message:
              'its types have weights: cluster-autoscaler counts instances, and Auto Scaling units, so that it scales by wrong numbers',
            command: `${layoutPage}#spot`,
          },
        ]
      : []),
    ...adviseTemplate(advised),
  ];
};

/** A group that can have no nodes shows cluster-autoscaler what they will have only by its tags. */
function adviseTemplate(advised: Advised): ReturnType<Adviser> {
  const { group, layout, machines } = advised;
  if (layout.minSize > 0) return [];
  const tags = [
    ...sharedLabels(machines).map(([key, value]) => [labelPrefix + key, value] as const),
    ...sharedTaints(machines).map(
      ({ key, value, effect }) => [taintPrefix + key, `${value}:${effect}`] as const,
    ),
  ];
  const missing = Object.fromEntries(
    tags.filter(([key]) => !group.tags.has(key) && key.length <= longestTagKey),
  );
  const keys = Object.keys(missing);
  if (keys.length > 0)
    return [
      {
        id: 'autoscaler-template',
        message: `its MinSize is 0, and its nodes have labels or taints that no tag predicts (${keys.map((key) => key.replace(/^.*node-template\/(label|taint)\//, '$1 ')).join(', ')}): without nodes, cluster-autoscaler does not launch one for pods that select them, or launches one that they do not tolerate`,
        command: tagCommand(advised, missing),
      },
    ];
  const predicts = [...group.tags.keys()].some((key) => key.startsWith(`${autoscalerPrefix}node-template/`));
  if (predicts || machines.length > 0) return [];
  return [
    {
      id: 'autoscaler-template',
      message:
        'it has no nodes, and no tag that predicts their labels and taints: if pods select or tolerate some, cluster-autoscaler needs a tag for each',
      command: `${layoutPage}#tags-for-cluster-autoscaler`,
    },
  ];
}

/** Kubernetes, its cloud provider and drivers own these, and cluster-autoscaler knows them or ignores them. */
const ownedByOthers =
  /(?:^|\.)(?:kubernetes\.io|k8s\.io|k8s\.aws|amazonaws\.com|aws\.com|drover\.dev|cilium\.io|projectcalico\.org)\//;
/** The kubelet may give its Node labels of this prefix, as `--node-labels`. */
const ownLabel = /^node\.kubernetes\.io\/(?!instance-type$)/;

const isUsers = (key: string): boolean => key !== '' && (ownLabel.test(key) || !ownedByOthers.test(key));

/** The labels that all nodes have, with the same value: those of its user data. */
function sharedLabels([first, ...others]: readonly ObservedMachine[]): readonly [string, string][] {
  return Object.entries(first?.labels ?? {})
    .filter(([key, value]) => isUsers(key) && others.every(({ labels }) => labels[key] === value))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** The conditions of Nodes become taints of these prefixes for a while. */
const passing =
  /^(?:node\.kubernetes\.io\/(?!lifecycle$)|node\.cloudprovider\.kubernetes\.io\/|.*drover\.dev\/|.*cluster-autoscaler)/i;

function sharedTaints([first, ...others]: readonly ObservedMachine[]): ObservedMachine['taints'] {
  return (first?.taints ?? []).filter(
    (taint) =>
      !passing.test(taint.key) &&
      isUsers(taint.key) &&
      others.every(({ taints }) =>
        taints.some(
          ({ key, value, effect }) => key === taint.key && value === taint.value && effect === taint.effect,
        ),
      ),
  );
}

const tagCommand = ({ group }: Advised, tags: Readonly<Record<string, string>>): string =>
  `aws autoscaling create-or-update-tags --tags ${Object.entries(tags)
    .map(([Key, Value]) =>
      shellWord(
        JSON.stringify({
          ResourceType: 'auto-scaling-group',
          ResourceId: group.autoScalingGroupName,
          Key,
          Value,
          PropagateAtLaunch: false,
        }),
      ),
    )
    .join(' ')}`;
