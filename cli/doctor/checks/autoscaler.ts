import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import { shellWord } from '../../../shared/base/shell-words.ts';
import { type AutoScalingGroup, roleOf } from '../../../shared/groups/group.ts';
import { type AutoscalerFlags, readAutoscalerFlags } from '../autoscaler-flags.ts';
import { checkOf, type Finding } from '../check.ts';

interface ObservedAutoscaler {
  /** Undefined if Drover may not list them. */
  readonly deployments: readonly Deployment[] | undefined;
  /** The managed groups. */
  readonly groups: readonly AutoScalingGroup[];
}

/** How cluster-autoscaler, where the cluster runs one, finds the groups of workers and bounds them. */
export const autoscaler = checkOf({
  name: 'autoscaler',
  read: async ({ deployments, managedGroups }): Promise<ObservedAutoscaler> => ({
    deployments: await deployments(),
    groups: await managedGroups(),
  }),
  judge: judgeAutoscaler,
});

/** Pure. */
export function judgeAutoscaler({ deployments, groups }: ObservedAutoscaler): readonly Finding[] {
  if (deployments === undefined)
    return [
      {
        verdict: 'advice',
        subject: 'cluster-autoscaler',
        message: 'Drover may not list Deployments, so it is not known whether one runs it',
        command: 'drover rbac | kubectl apply -f -',
      },
    ];
  const workers = groups.filter((group) => roleOf(group) === 'worker');
  const found = deployments.flatMap((deployment) => {
    const container = deployment.spec?.template.spec?.containers.find(({ image = '' }) =>
      /(?:^|\/)cluster-autoscaler(?:-[a-z0-9]+)?(?:[:@]|$)/.test(image),
    );
    return container
      ? [{ deployment, words: [...(container.command ?? []), ...(container.args ?? [])] }]
      : [];
  });
  if (found.length === 0)
    return [
      { verdict: 'ok', subject: 'cluster-autoscaler', message: 'no Deployment of the cluster runs it' },
    ];
  return found.flatMap(({ deployment, words }) => judgeOne(deployment, readAutoscalerFlags(words), workers));
}

function judgeOne(
  { metadata }: Deployment,
  flags: AutoscalerFlags,
  workers: readonly AutoScalingGroup[],
): readonly Finding[] {
  const edit = `kubectl --namespace ${shellWord(metadata?.namespace ?? '')} edit deployment ${shellWord(metadata?.name ?? '')}`;
  const problems = [
    ...workers.flatMap((group) => judgeGroup(group, { flags, edit })),
    ...(workers.length > 1 && !flags.balancesSimilarGroups
      ? [
          {
            verdict: 'advice' as const,
            subject: metadata?.name ?? '',
            message: 'without --balance-similar-node-groups it fills one zone before another',
            command: edit,
          },
        ]
      : []),
  ];
  if (problems.length > 0) return problems;
  return [
    {
      verdict: 'ok',
      subject: metadata?.name ?? '',
      message: 'it finds the groups of workers by their tags, and keeps their MinSize',
    },
  ];
}

function judgeGroup(
  group: AutoScalingGroup,
  { flags, edit }: { readonly flags: AutoscalerFlags; readonly edit: string },
): readonly Finding[] {
  const { autoScalingGroupName: subject } = group;
  const bounds = flags.staticGroups.find(({ name }) => name === subject);
  if (bounds)
    return [
      {
        verdict: 'fix',
        subject,
        message: `cluster-autoscaler has bounds of its own for it, --nodes=${bounds.min}:${bounds.max}:${subject}: it takes the nodes of holds away. Let it find groups by --node-group-auto-discovery`,
        command: edit,
      },
      ...judgeZones(group),
    ];
  if (flags.discoveries.length === 0)
    return [
      {
        verdict: 'advice',
        subject,
        message:
          'cluster-autoscaler does not scale it: it has neither --node-group-auto-discovery nor --nodes for it',
        command: edit,
      },
    ];
  const missing = missingTags(group, flags);
  if (missing === undefined) return judgeZones(group);
  return [
    {
      verdict: 'advice',
      subject,
      message: `cluster-autoscaler does not scale it: it looks for the tags ${missing.map(tagText).join(', ')}`,
      command: `aws autoscaling create-or-update-tags --tags ${missing.map((tag) => shellWord(tagArgument(subject, tag))).join(' ')}`,
    },
  ];
}

type Tag = AutoscalerFlags['discoveries'][number][number];

/** Of the list that lacks least; undefined: the group is found. */
function missingTags(
  { tags }: AutoScalingGroup,
  { discoveries }: AutoscalerFlags,
): readonly Tag[] | undefined {
  const missing = discoveries.map((wanted) =>
    wanted.filter(({ key, value }) => !(key in tags) || (value !== undefined && tags[key] !== value)),
  );
  if (missing.some((tagsOfOne) => tagsOfOne.length === 0)) return undefined;
  return missing.toSorted((one, other) => one.length - other.length)[0];
}

const tagText = ({ key, value }: Tag): string => (value === undefined ? key : `${key}=${value}`);

const tagArgument = (group: string, { key, value = 'true' }: Tag): string =>
  `ResourceId=${group},ResourceType=auto-scaling-group,Key=${key},Value=${value},PropagateAtLaunch=false`;

/** A volume belongs to a zone, and Auto Scaling chooses that of a new instance: a pod with a volume may wait forever. */
function judgeZones({ autoScalingGroupName: subject, instances }: AutoScalingGroup): readonly Finding[] {
  const zones = [...new Set(instances.map(({ availabilityZone }) => availabilityZone))].toSorted();
  if (zones.length < 2) return [];
  return [
    {
      verdict: 'advice',
      subject,
      message: `its nodes are in ${zones.join(', ')}, and cluster-autoscaler cannot choose the zone that a volume needs: one group for each zone`,
    },
  ];
}
