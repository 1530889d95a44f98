import { durationText } from '../../../shared/base/duration.ts';
import { shellWord } from '../../../shared/base/shell-words.ts';
import {
  type AutoScalingGroup,
  findTerminatingHook,
  type LifecycleHook,
  roleOf,
} from '../../../shared/groups/group.ts';
import { longestHeartbeatTimeoutSeconds } from '../../../shared/groups/hook-timing.ts';
import {
  commandFor,
  type HookNames,
  hookNeeded,
  hookProblems,
  namesOfHooks,
  putHookCommand,
  removeHookCommand,
} from '../../../shared/problems/hook-problems.ts';
import { readRepair } from '../../../shared/sweep/repair/settings.ts';
import { checkOf, type Finding, findingOf } from '../check.ts';

interface Hooked {
  readonly group: Pick<AutoScalingGroup, 'autoScalingGroupName' | 'tags' | 'instances'>;
  readonly hooks: readonly LifecycleHook[];
  readonly names: HookNames;
}

/** The lifecycle hooks of every managed group: their names, timeouts and default results. */
export const hooks = checkOf({
  name: 'hooks',
  read: async (context) => {
    const [groups, hooksOfGroups] = await Promise.all([context.managedGroups(), context.hooks()]);
    return groups.map((group) => ({
      group,
      hooks: hooksOfGroups.get(group.autoScalingGroupName) ?? [],
      names: context,
    }));
  },
  judge: (all) => all.flatMap(judgeHooks),
});

/** Pure. */
export function judgeHooks(hooked: Hooked): readonly Finding[] {
  const { group, names } = hooked;
  const needed = hookNeeded(group, names);
  const hook = findTerminatingHook(hooked.hooks, needed);
  const problems = hookProblems(group, hooked.hooks, names).map(findingOf);
  const others = [...launchHook(hooked), ...joiningHook(hooked), ...strangers(hooked)];
  if (!hook || problems.length > 0) return [...problems, ...others];
  return [timesOf(hook, hooked), ...others];
}

/** A killed function hides its messages for a minute, in which no heartbeat is sent. */
const shortestAdvisedSeconds = 120;

/**
 * Auto Scaling accepts a few calls a second and does not publish how many. Half of five is for the heartbeats, the rest for completions,
 * cluster-autoscaler, Terraform and you.
 */
const heartbeatsPerSecond = 2.5;
/** Drover sends three heartbeats in each timeout. */
const heartbeatsPerTimeout = 3;

function timesOf(hook: LifecycleHook, hooked: Hooked): Finding {
  const { autoScalingGroupName: subject, instances } = hooked.group;
  const { lifecycleHookName, heartbeatTimeoutSeconds } = hook;
  const times = timesText(hook);
  const perSecond = (instances.length * heartbeatsPerTimeout) / heartbeatTimeoutSeconds;
  if (heartbeatTimeoutSeconds < shortestAdvisedSeconds) {
    const message = `${times}; a wait survives no longer without Drover: two minutes or more survive a killed function`;
    return { verdict: 'advice', subject, message, command: commandFor(lifecycleHookName, hooked) };
  }
  if (perSecond <= heartbeatsPerSecond || heartbeatTimeoutSeconds >= longestHeartbeatTimeoutSeconds)
    return { verdict: 'ok', subject, message: times };
  const needed = Math.ceil((instances.length * heartbeatsPerTimeout) / heartbeatsPerSecond / 60);
  const minutes = Math.min(needed, longestHeartbeatTimeoutSeconds / 60);
  return {
    verdict: 'advice',
    subject,
    message: `${times}; if its ${instances.length} instances terminate at once, their heartbeats are ${perSecond.toFixed(1)} calls a second, and AWS may refuse more than a few: a timeout of ${durationText(minutes * 60)} needs fewer`,
    command: `drover hooks install ${shellWord(subject)} --heartbeat ${durationText(minutes * 60)} --cluster ${shellWord(hooked.names.clusterName)}`,
  };
}

const timesText = (hook: LifecycleHook): string =>
  `${hook.lifecycleHookName}: a heartbeat within ${durationText(hook.heartbeatTimeoutSeconds)}, ${durationText(hook.globalTimeoutSeconds)} at most, then ${hook.defaultResult}`;

/** Without it an instance of etcd is in service before its member serves. */
function launchHook({ group, hooks: all, names }: Hooked): readonly Finding[] {
  const { etcdLaunchHookName: name } = names;
  const isThere = all.some((hook) => hook.lifecycleHookName === name && hook.transition === 'launching');
  if (roleOf(group) !== 'etcd' || isThere) return [];
  const { autoScalingGroupName: subject } = group;
  return [
    {
      verdict: 'fix',
      subject,
      message: `it has no hook ${name}: its instances are in service before their members serve`,
      command: putHookCommand(subject, { hookName: name, transition: 'LAUNCHING', result: 'ABANDON' }),
    },
  ];
}

/** The hook on launching instances. Nothing breaks without it; members of etcd need not be nodes. */
function joiningHook({ group, hooks: all, names }: Hooked): readonly Finding[] {
  const { joiningHookName: name } = names;
  const { autoScalingGroupName: subject } = group;
  const hook = all.find((one) => one.lifecycleHookName === name);
  if (!hook) return roleOf(group) === 'etcd' && !isRepaired(group) ? [] : [unwaited(group, names)];
  if (hook.transition === 'launching') return [{ verdict: 'ok', subject, message: timesText(hook) }];
  const message = `its hook ${name} is for terminating instances: Drover completes it for none`;
  return [{ verdict: 'fix', subject, message, command: removeHookCommand(subject, name) }];
}

const isRepaired = ({ tags }: Hooked['group']): boolean => readRepair(tags).rules.length > 0;

function unwaited(group: Hooked['group'], { clusterName, joiningHookName }: HookNames): Finding {
  const { autoScalingGroupName: subject } = group;
  // Repair goes on once the replacement is in service.
  const message = isRepaired(group)
    ? `it asks for repair and has no hook ${joiningHookName}: another node may be replaced before the replacement of the first is Ready`
    : `it has no hook ${joiningHookName}: its instances are in service before their nodes are Ready`;
  const command = `drover hooks install ${shellWord(subject)} --joining --cluster ${shellWord(clusterName)}`;
  return { verdict: 'advice', subject, message, command };
}

/** Events of hooks with other names never reach Drover: their waits last until they time out. */
const strangers = ({ group, hooks: all, names }: Hooked): readonly Finding[] =>
  all
    .map(({ lifecycleHookName }) => lifecycleHookName)
    .filter((name) => name.startsWith('drover-'))
    .filter((name) => !namesOfHooks(names).includes(name))
    .map((name) => ({
      verdict: 'fix',
      subject: group.autoScalingGroupName,
      message: `its hook ${name} has none of the names whose events reach Drover: its waits last until they time out`,
      command: removeHookCommand(group.autoScalingGroupName, name),
    }));
