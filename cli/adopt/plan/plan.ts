import { planApprovers } from './approvers.ts';
import { planGroup } from './group.ts';
import { planMapping } from './mapping.ts';
import type { Observation, ObservedGroup, Wishes } from './observation.ts';
import { whyNotAdoptable } from './refusal.ts';
import { planRights } from './rights.ts';
import { join, type Plan, type Refusal } from './step.ts';

/**
 * All that the groups need to be managed, in the order in which it is done: rights and log-ins of Drover first, then for each group its
 * tags before its hooks, because nothing completes a hook of an untagged group, and the approvers of certificates last. A plan of what
 * has been done is empty. Pure.
 */
export function planAdoption(observation: Observation, wishes: Wishes): Plan {
  const { clusterName, features, unknownGroups } = observation;
  if (features === undefined)
    return {
      steps: [],
      notices: [],
      refusals: [
        {
          subject: clusterName,
          reason:
            'no deployment of Drover serves this account and region: a hook would hold each instance for its whole timeout',
          remedy: 'deploy it first: docs/deployment.md; --stage names one of several',
        },
      ],
    };
  const verdicts = observation.groups.map((group) => ({
    group,
    refusal: whyNotAdoptable(group, observation, wishes),
  }));
  const adopted = verdicts.flatMap(({ group, refusal }) => (refusal ? [] : [group]));
  const refusals = [...unknownGroups.map(unknownGroup), ...verdicts.flatMap(({ refusal }) => refusal ?? [])];
  // Without a group there is nothing to grant rights for. Rights and approvers of groups that are managed already can still have drifted.
  if (adopted.length === 0) return { steps: [], refusals, notices: [] };
  const access = join([
    planRights({ ...observation, features }),
    planMapping({ ...observation, features, groups: adopted }),
  ]);
  // A hook would hold instances, and the functions could not drain or find their nodes.
  if (access.refusals.length > 0) return join([{ refusals }, access, { notices: [withheld] }]);
  return join([
    { refusals },
    access,
    ...adopted.map((group) => planGroup(group, observation, wishes)),
    planApprovers(
      { ...observation, features, managedInstanceIds: managedThen(observation, adopted) },
      wishes,
    ),
  ]);
}

const withheld =
  'tags, hooks and approvers are planned once what is refused is solved: until then Drover could not do its work in the cluster';

/** The instances of managed groups once these are adopted. */
const managedThen = (
  { managedInstanceIds }: Observation,
  adopted: readonly ObservedGroup[],
): ReadonlySet<string> =>
  new Set([
    ...managedInstanceIds,
    ...adopted.flatMap(({ instances }) => instances.map(({ instanceId }) => instanceId)),
  ]);

const unknownGroup = (name: string): Refusal => ({
  subject: name,
  reason: 'there is no Auto Scaling group of this name in the account and region',
  remedy: 'aws autoscaling describe-auto-scaling-groups --query AutoScalingGroups[].AutoScalingGroupName',
});
