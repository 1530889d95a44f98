import { namesOfHooks } from '../../../shared/problems/hook-problems.ts';
import { nthManagedTag } from '../../../shared/problems/second-drainer-problems.ts';
import { counted } from '../../counted.ts';
import type { Observation, ObservedGroup } from './observation.ts';

/**
 * Who else changes the group, and what that does to the changes of this plan. Terraform leaves no tag, so its notice is there for every
 * group.
 */
export function noticesOf(group: ObservedGroup, observation: Observation): readonly string[] {
  const { autoScalingGroupName: name, tags } = group;
  const value = (key: string): string | undefined => tags.get(key)?.value;
  const stack = value('aws:cloudformation:stack-name');
  const kops = value('kops.k8s.io/instancegroup');
  const eksctl = value('alpha.eksctl.io/nodegroup-name');
  const strangers = group.hooks.filter(
    ({ lifecycleHookName, transition }) =>
      transition === 'terminating' && !namesOfHooks(observation).includes(lifecycleHookName),
  );
  return [
    ...(stack === undefined
      ? []
      : [
          `${name}: the CloudFormation stack ${stack} owns this group (resource ${value('aws:cloudformation:logical-id') ?? 'unknown'}). Change it in the template: an update of the stack, or its rollback, can undo these changes. --as cloudformation prints the properties`,
        ]),
    ...(eksctl === undefined
      ? []
      : [`${name}: eksctl made this group (${eksctl}) with CloudFormation, and does not read changes back`]),
    ...(kops === undefined
      ? []
      : [
          `${name}: kops owns this group (instance group ${kops}). kops update cluster sets tags and the launch template as its instance group has them: add cloudLabels and additionalUserData there`,
        ]),
    ...(tags.has(nthManagedTag)
      ? [
          `${name}: AWS Node Termination Handler drains this group too (tag ${nthManagedTag}). drover migrate nth --group ${name} hands the group over, or it completes the hooks before the drain of Drover ends`,
        ]
      : []),
    ...strangers.map(
      ({ lifecycleHookName }) =>
        `${name}: the hook ${lifecycleHookName} of another owner also holds terminating instances. If it ends with ABANDON, it ends the wait of Drover too`,
    ),
    ...nodesNotFound(group, observation),
    terraformNotice(name),
  ];
}

/** Drover finds a Node by its providerID, so that such a node is terminated undrained. */
function nodesNotFound(group: ObservedGroup, { nodes }: Observation): readonly string[] {
  const bare = nodes.filter(({ instanceId }) => instanceId === undefined).map(({ name }) => name);
  return bare.length === 0
    ? []
    : [
        `${group.autoScalingGroupName}: the cluster has ${counted(bare.length, 'Node')} without a providerID (${bare.slice(0, 3).join(', ')}${bare.length > 3 ? ', ...' : ''}). Drover finds a Node only by it: if they are in this group, they terminate undrained. A cloud controller manager sets it, or the user data that drover user-data prints`,
      ];
}

/** hashicorp/aws 5.0 and later removes tags of a group that its configuration does not have. */
const terraformNotice = (name: string): string =>
  `${name}: if Terraform manages this group, its next apply removes the tags of this plan (provider 5.0 and later) and sets the launch template back. Keep them with ignore_tags { key_prefixes = ["drover.dev/", "kubernetes.io/cluster/"] } in the provider, or add them to the configuration: drover adopt --as terraform prints them. It leaves hooks alone that it did not make`;
