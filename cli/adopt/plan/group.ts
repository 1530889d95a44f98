import { shellWord } from '../../../shared/base/shell-words.ts';
import { clusterTag } from '../../../shared/groups/group.ts';
import { removeHookCommand } from '../../../shared/problems/hook-problems.ts';
import { tagProblems } from '../../../shared/problems/tag-problems.ts';
import { type InstallPlan, planInstall } from '../../hooks/plan-install.ts';
import { planInstallJoining } from '../../hooks/plan-install-joining.ts';
import type { Observation, ObservedGroup, Wishes } from './observation.ts';
import { noticesOf } from './owners.ts';
import { mostTags } from './refusal.ts';
import { roleFor, tagValues } from './role.ts';
import type { Plan, Step, TagToSet } from './step.ts';
import { planTemplates } from './templates.ts';

const roleTag = 'drover.dev/role';

/** The tags and the hooks that a group needs. Pure. */
export function planGroup(group: ObservedGroup, observation: Observation, wishes: Wishes): Partial<Plan> {
  const { autoScalingGroupName: subject } = group;
  const wanted = wantedTags(group, observation, wishes);
  const lacking = wanted.filter((tag) => !hasTag(group, tag));
  const tags = tagsAfter(group, wanted);
  const count = Object.keys(tags).length;
  if (count > mostTags)
    return {
      refusals: [
        {
          subject,
          reason: `it would have ${count} tags, and Auto Scaling takes ${mostTags}`,
          remedy: 'remove tags that are not needed',
        },
      ],
    };
  const problems = tagProblems({ autoScalingGroupName: subject, tags }).filter(({ message }) =>
    [...wishes.tags.keys()].some((key) => message.includes(key)),
  );
  if (problems.length > 0)
    return { refusals: problems.map(({ message }) => ({ subject, reason: message, remedy: null })) };
  const hooks = hookPlans(group, observation, wishes);
  const refused = hooks.flatMap(({ plan }) =>
    plan.kind === 'refuse' ? [{ subject, reason: plan.reason, remedy: null }] : [],
  );
  const templates = planTemplates(group, wishes);
  const all = [...refused, ...(templates.refusals ?? [])];
  if (all.length > 0) return { refusals: all };
  const [leaving, ...joining] = hooks.map((hook) => hookStep(group, hook, wishes));
  return {
    steps: [
      ...(lacking.length > 0 ? [tagStep(group, lacking)] : []),
      ...(leaving ?? []),
      // A launch that waits for its Node should have the user data with which it joins.
      ...(templates.steps ?? []),
      ...joining.flat(),
    ],
    notices: [
      ...(templates.notices ?? []),
      ...noticesOf(group, observation),
      ...hooks.flatMap(({ plan }) =>
        plan.kind === 'refuse' ? [] : plan.warnings.map((warning) => `${subject}: ${warning}`),
      ),
    ],
  };
}

/**
 * Instances need the tag of the cluster too: Drover reads the console only of those that have it. A group of several clusters stays shared.
 */
function wantedTags(group: ObservedGroup, observation: Observation, wishes: Wishes): readonly TagToSet[] {
  const cluster = clusterTag(observation.clusterName);
  const ownership = group.tags.get(cluster)?.value;
  return [
    { key: cluster, value: ownership === 'shared' ? 'shared' : 'owned', propagates: true },
    { key: roleTag, value: roleFor(group, observation, wishes), propagates: false },
    ...[...wishes.tags].map(([key, value]) => ({ key, value, propagates: false })),
  ];
}

/** Whether instances get a tag matters only for that of the cluster. */
function hasTag({ tags }: ObservedGroup, { key, value, propagates }: TagToSet): boolean {
  const tag = tags.get(key);
  return tag?.value === value && (tag.propagates || !propagates);
}

const tagsAfter = (group: ObservedGroup, wanted: readonly TagToSet[]): Readonly<Record<string, string>> => ({
  ...tagValues(group),
  ...Object.fromEntries(wanted.map(({ key, value }) => [key, value])),
});

function tagStep({ autoScalingGroupName: group, tags }: ObservedGroup, lacking: readonly TagToSet[]): Step {
  const added = lacking.filter(({ key }) => !tags.has(key)).map(({ key }) => key);
  const was = lacking.flatMap(({ key }) => {
    const tag = tags.get(key);
    return tag ? [`${key}=${tag.value}${tag.propagates ? '' : ', not given to instances'}`] : [];
  });
  return {
    id: `tags/${group}`,
    group,
    subject: `tags of ${group}`,
    is: [...was, ...added.map((key) => `no tag ${key}`)].join('; '),
    shall: lacking
      .map(({ key, value, propagates }) => `${key}=${value}${propagates ? ', given to new instances' : ''}`)
      .join('; '),
    actions: [{ kind: 'set-tags', group, tags: lacking }],
    risk: 'none by itself; from now on Drover drains the nodes of the group when their instances wait on its hook',
    reversal:
      was.length > 0
        ? `set again what was there: ${was.join('; ')}`
        : `aws autoscaling delete-tags --tags ${added.map((key) => shellWord(`ResourceType=auto-scaling-group,ResourceId=${group},Key=${key}`)).join(' ')}`,
  };
}

interface HookPlan {
  readonly name: string;
  readonly transition: 'launching' | 'terminating';
  readonly plan: InstallPlan;
}

function hookPlans(group: ObservedGroup, observation: Observation, wishes: Wishes): readonly HookPlan[] {
  const wanted = {
    heartbeatTimeoutSeconds: wishes.heartbeatTimeoutSeconds,
    defaultResult: 'CONTINUE' as const,
  };
  const { hooks } = group;
  const members = group.instances.map((one) => ({ ...one, availabilityZone: '', healthy: true }));
  const leaving = planInstall({
    group: {
      autoScalingGroupName: group.autoScalingGroupName,
      tags: tagsAfter(group, wantedTags(group, observation, wishes)),
      instances: members,
    },
    hooks,
    names: observation,
    wanted,
  });
  return [
    { name: observation.leavingHookName, transition: 'terminating', plan: keepOwnTimes(leaving) },
    ...(wishes.joining
      ? [
          {
            name: observation.joiningHookName,
            transition: 'launching' as const,
            plan: keepOwnTimes(planInstallJoining({ hooks, names: observation, wanted })),
          },
        ]
      : []),
  ];
}

/** A hook of Drover that is there has the times that its operator gave it. `drover hooks install` changes them. */
const keepOwnTimes = (plan: InstallPlan): InstallPlan =>
  plan.kind === 'change' ? { kind: 'keep', warnings: [] } : plan;

const risks = {
  terminating:
    'each instance that terminates waits until its node is drained, for 48 hours at most, and for one heartbeat timeout if Drover does not run',
  launching:
    'each instance that launches waits until its node is Ready, and for one heartbeat timeout if Drover does not run; it goes into service then',
} as const;

function hookStep(
  { autoScalingGroupName: group }: ObservedGroup,
  { name, transition, plan }: HookPlan,
  { heartbeatTimeoutSeconds }: Wishes,
): readonly Step[] {
  if (plan.kind !== 'create') return [];
  return [
    {
      id: `hook/${group}/${name}`,
      group,
      subject: `hook ${name} of ${group}`,
      is: 'no such hook',
      shall: `a hook on ${transition} instances: ${plan.words.join(', ')}`,
      actions: [
        {
          kind: 'put-hook',
          group,
          hook: { lifecycleHookName: name, transition, heartbeatTimeoutSeconds, defaultResult: 'CONTINUE' },
        },
      ],
      risk: risks[transition],
      reversal: removeHookCommand(group, name),
    },
  ];
}
