import { durationText } from '../../../shared/base/duration.ts';
import { shellWord } from '../../../shared/base/shell-words.ts';
import type { LifecycleHook } from '../../../shared/groups/group.ts';
import { removeHookCommand } from '../../../shared/problems/hook-problems.ts';
import { commandsOf } from '../../adopt/as/commands.ts';
import type { AdoptionObservation, GroupToAdopt } from './observation.ts';
import type { AdoptionStep } from './plan.ts';

type Wanted = Pick<
  LifecycleHook,
  'lifecycleHookName' | 'transition' | 'defaultResult' | 'heartbeatTimeoutSeconds'
>;

/** The hooks of etcd: a member that leaves may go without Drover, and one that launches must not go into service without its member. */
const wantedHooks = ({
  etcdHookName,
  etcdLaunchHookName,
}: Pick<AdoptionObservation, 'etcdHookName' | 'etcdLaunchHookName'>): readonly Wanted[] => [
  {
    lifecycleHookName: etcdHookName,
    transition: 'terminating',
    defaultResult: 'CONTINUE',
    heartbeatTimeoutSeconds: 3600,
  },
  {
    lifecycleHookName: etcdLaunchHookName,
    transition: 'launching',
    defaultResult: 'ABANDON',
    heartbeatTimeoutSeconds: 3600,
  },
];

/** Shorter ones end a wait while Drover is away for as long as an alarm takes to be heard. */
const shortestHeartbeatSeconds = 300;

/** What a hook of Drover's name does otherwise than it must; empty if it does the same. Pure. */
function differencesOf(hook: LifecycleHook, wanted: Wanted): readonly string[] {
  return [
    ...(hook.transition === wanted.transition ? [] : [`it holds ${hook.transition} instances`]),
    ...(hook.defaultResult === wanted.defaultResult ? [] : [`${hook.defaultResult} by default`]),
    ...(hook.heartbeatTimeoutSeconds >= shortestHeartbeatSeconds
      ? []
      : [`a heartbeat timeout of ${durationText(hook.heartbeatTimeoutSeconds)}`]),
  ];
}

/** The hooks that a group lacks, and those of Drover's names that do something else. Pure. */
export const hookSteps = (
  { hooks, autoScalingGroupName: group }: GroupToAdopt,
  observation: AdoptionObservation,
): readonly AdoptionStep[] =>
  wantedHooks(observation).flatMap((wanted) => {
    const { lifecycleHookName: name, transition, defaultResult } = wanted;
    const found = hooks.find((hook) => hook.lifecycleHookName === name);
    const differences = found ? differencesOf(found, wanted) : ['no such hook'];
    if (differences.length === 0) return [];
    // Auto Scaling changes no transition of a hook.
    const isOther = found !== undefined && found.transition !== transition;
    // A longer timeout is one that its operator has chosen.
    const hook = {
      ...wanted,
      heartbeatTimeoutSeconds: Math.max(found?.heartbeatTimeoutSeconds ?? 0, wanted.heartbeatTimeoutSeconds),
    };
    return [
      {
        id: `hook/${group}/${name}`,
        member: null,
        subject: `hook ${name} of ${group}`,
        is: differences.join('; '),
        shall: `a hook on ${transition} instances with ${durationText(hook.heartbeatTimeoutSeconds)} for each heartbeat, ${defaultResult} by default`,
        risk: isOther
          ? 'a hook that is deleted ends its waits: the command refuses while an instance waits'
          : 'an instance waits on it for an hour if the group has no tags of Drover yet',
        commands: [
          ...(isOther ? [removeHookCommand(group, name)] : []),
          ...commandsOf({ kind: 'put-hook', group, hook }),
        ],
      },
    ];
  });

/** Hooks of Drover's names that notify something: it may complete their waits before Drover has changed the member. Pure. */
export const hookNotices = ({
  groups,
  ...observation
}: Pick<AdoptionObservation, 'groups' | 'etcdHookName' | 'etcdLaunchHookName'>): readonly string[] => {
  const names = wantedHooks(observation).map(({ lifecycleHookName }) => lifecycleHookName);
  return groups.flatMap(({ autoScalingGroupName: group, hooks }) =>
    hooks
      .filter(({ lifecycleHookName: name, notificationTarget }) => names.includes(name) && notificationTarget)
      .map(({ lifecycleHookName: name, notificationTarget, roleArn, notificationMetadata }) => {
        const more = [
          ...(roleArn === undefined ? [] : [`with the role ${roleArn}`]),
          ...(notificationMetadata === undefined
            ? []
            : [`and the metadata ${shellWord(notificationMetadata)}`]),
        ];
        return `hook ${name} of ${group} notifies ${[notificationTarget, ...more].join(' ')}, which stays. Drover reads EventBridge or the topic of hookTopic: anything else that is notified must not complete the wait`;
      }),
  );
};
