import { durationText, parseDurationSeconds } from '../base/duration.ts';
import { shellWord } from '../base/shell-words.ts';
import {
  type AutoScalingGroup,
  clusterTag,
  findTerminatingHook,
  isManaged,
  type LifecycleHook,
  restoreTagsCommand,
  roleOf,
} from '../groups/group.ts';
import { leavingTags } from '../groups/group-settings.ts';
import type { FoundProblem } from './problem.ts';

/** The names of the hooks that a deployment uses. */
export interface HookNames {
  readonly clusterName: string;
  readonly leavingHookName: string;
  readonly joiningHookName: string;
  readonly etcdHookName: string;
  readonly etcdLaunchHookName: string;
}

type Group = Pick<AutoScalingGroup, 'autoScalingGroupName' | 'tags'>;

/** What is wrong with the hooks of a managed group. Pure. */
export function hookProblems(
  group: Group,
  hooks: readonly LifecycleHook[],
  names: HookNames,
): readonly FoundProblem[] {
  const needed = hookNeeded(group, names);
  const ours = findTerminatingHook(hooks, names.leavingHookName);
  const faults = [
    findTerminatingHook(hooks, needed) ? undefined : { name: needed, message: missing(hooks, needed) },
    ours && faultOf(ours, abandonsBesideEtcd(ours, hooks, names)),
    ours && faultOf(ours, holdsTooShort(group, ours)),
  ];
  return faults.flatMap((fault) =>
    fault
      ? {
          kind: 'hook' as const,
          subject: group.autoScalingGroupName,
          message: fault.message,
          command: commandFor(fault.name, { group, hooks, names }),
        }
      : [],
  );
}

const faultOf = ({ lifecycleHookName: name }: LifecycleHook, message: string | undefined) =>
  message === undefined ? undefined : { name, message };

/** A group that this cluster does not manage, and which instances are Nodes of this cluster. */
export interface ForeignGroup {
  readonly group: Group & Pick<AutoScalingGroup, 'instances'>;
  readonly hooks: readonly LifecycleHook[];
  /** Undefined if the Nodes could not be read. */
  readonly nodeInstanceIds: ReadonlySet<string> | undefined;
}

/**
 * A hook of Drover on a group that this cluster does not manage: instances wait, and nothing drains them or completes their hook. The
 * command that adds the tags of this cluster is given only if the group is certainly part of it: another cluster in the account has hooks of
 * the same names. Pure.
 */
export function foreignHookProblems(foreign: ForeignGroup, names: HookNames): readonly FoundProblem[] {
  const { group, hooks } = foreign;
  if (isManaged(group, names.clusterName)) return [];
  const isOurs = hasTagOf(names.clusterName, group) || hasNodeOf(foreign);
  const owner = ownerOf(group);
  if (!isOurs && owner !== undefined && isManaged(group, owner)) return [];
  return hooks
    .filter(({ lifecycleHookName }) => namesOfHooks(names).includes(lifecycleHookName))
    .map(({ lifecycleHookName, globalTimeoutSeconds }) => ({
      kind: 'hook',
      subject: group.autoScalingGroupName,
      message: `it has Drover’s hook ${lifecycleHookName}, and not the tags of a managed group: each instance waits for up to ${durationText(globalTimeoutSeconds)}, and nothing completes its hook${isOurs ? '' : whoseGroup(foreign, names)}`,
      ...(isOurs && { command: restoreTagsCommand(group, names.clusterName) }),
    }));
}

const hasTagOf = (clusterName: string, { tags }: Group): boolean =>
  tags[clusterTag(clusterName)] !== undefined;

const hasNodeOf = ({ group, nodeInstanceIds }: ForeignGroup): boolean =>
  nodeInstanceIds !== undefined && group.instances.some(({ instanceId }) => nodeInstanceIds.has(instanceId));

/** The cluster whose tag the group has. */
const ownerOf = ({ tags }: Group): string | undefined =>
  Object.keys(tags)
    .find((key) => key.startsWith(clusterTag('')))
    ?.slice(clusterTag('').length);

function whoseGroup({ group, nodeInstanceIds }: ForeignGroup, { clusterName }: HookNames): string {
  const owner = ownerOf(group);
  if (owner !== undefined)
    return `; it has the tag of cluster ${owner}, whose drover status names what it lacks`;
  return nodeInstanceIds === undefined
    ? `; it has the tag of no cluster, and the Nodes of cluster ${clusterName} could not be read`
    : `; it has the tag of no cluster, and none of its instances is a Node of cluster ${clusterName}: tag it again for its cluster, or remove the hook`;
}

export const namesOfHooks = ({
  leavingHookName,
  joiningHookName,
  etcdHookName,
  etcdLaunchHookName,
}: HookNames): readonly string[] => [leavingHookName, joiningHookName, etcdHookName, etcdLaunchHookName];

/**
 * The command that installs or corrects a hook of Drover. A hook for launching instances cannot become one for terminating instances: it is
 * removed, and is missing afterwards.
 */
export function commandFor(
  hookName: string,
  {
    group,
    hooks,
    names,
  }: { readonly group: Group; readonly hooks: readonly LifecycleHook[]; readonly names: HookNames },
): string {
  const subject = group.autoScalingGroupName;
  if (hooks.some((hook) => hook.lifecycleHookName === hookName && hook.transition === 'launching'))
    return removeHookCommand(subject, hookName);
  return hookName === names.etcdHookName
    ? putHookCommand(subject, { hookName, transition: 'TERMINATING', result: 'CONTINUE' })
    : `drover hooks install ${shellWord(subject)} --cluster ${shellWord(names.clusterName)}`;
}

export const removeHookCommand = (group: string, name: string): string =>
  `drover hooks remove ${shellWord(group)} --hook ${shellWord(name)}`;

export const putHookCommand = (
  group: string,
  {
    hookName,
    transition,
    result,
  }: {
    readonly hookName: string;
    readonly transition: 'LAUNCHING' | 'TERMINATING';
    readonly result: 'ABANDON' | 'CONTINUE';
  },
): string =>
  `aws autoscaling put-lifecycle-hook --auto-scaling-group-name ${shellWord(group)} --lifecycle-hook-name ${shellWord(hookName)} --lifecycle-transition autoscaling:EC2_INSTANCE_${transition} --heartbeat-timeout 3600 --default-result ${result}`;

/** Members of etcd need not be nodes. If they are, the sweep finds that they lack the hook of a node. */
export const hookNeeded = (
  group: Pick<AutoScalingGroup, 'tags'>,
  names: Pick<HookNames, 'leavingHookName' | 'etcdHookName'>,
): string => (roleOf(group) === 'etcd' ? names.etcdHookName : names.leavingHookName);

const missing = (hooks: readonly LifecycleHook[], name: string): string =>
  hooks.some((hook) => hook.lifecycleHookName === name)
    ? `its hook ${name} is for launching instances: those that terminate go undrained`
    : `it has no hook ${name}: its instances terminate undrained`;

/** ABANDON ends the other waits of a terminating instance too. */
export const standsBesideEtcd = (
  hooks: readonly LifecycleHook[],
  { etcdHookName }: Pick<HookNames, 'etcdHookName'>,
): boolean =>
  hooks.some((hook) => hook.transition === 'terminating' && hook.lifecycleHookName === etcdHookName);

function abandonsBesideEtcd(
  { defaultResult, lifecycleHookName }: LifecycleHook,
  hooks: readonly LifecycleHook[],
  names: HookNames,
): string | undefined {
  if (defaultResult !== 'ABANDON' || !standsBesideEtcd(hooks, names)) return undefined;
  return `the default result ABANDON of ${lifecycleHookName} would end the wait of ${names.etcdHookName} too: it must be CONTINUE`;
}

/** Only where the group's own tag says how long a drain may take: the deployment's default is not known here. */
function holdsTooShort({ tags }: Pick<AutoScalingGroup, 'tags'>, hook: LifecycleHook): string | undefined {
  const key = 'drover.dev/drain-timeout';
  const value = tags[key] ?? '';
  if (leavingTags[key]?.read(value) === undefined) return undefined;
  const seconds = parseDurationSeconds(value) ?? 0;
  if (seconds <= hook.globalTimeoutSeconds) return undefined;
  return `its drain timeout of ${durationText(seconds)} is longer than the ${durationText(hook.globalTimeoutSeconds)} that ${hook.lifecycleHookName} can hold an instance: give the hook a longer heartbeat timeout`;
}
