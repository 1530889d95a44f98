import { parseDurationSeconds } from '../../shared/base/duration.ts';
import {
  type AutoScalingGroup,
  findTerminatingHook,
  type LifecycleHook,
  roleOf,
} from '../../shared/groups/group.ts';
import { leavingTags } from '../../shared/groups/group-settings.ts';
import { durationText } from '../durations.ts';

export interface HookNames {
  readonly leavingHookName: string;
  readonly etcdHookName: string;
}

/** What is wrong with the hooks of a managed group: sentences for the operator. Pure. */
export function hookProblems(
  group: Pick<AutoScalingGroup, 'tags'>,
  hooks: readonly LifecycleHook[],
  names: HookNames,
): readonly string[] {
  const needed = hookNeeded(group, names);
  const ours = findTerminatingHook(hooks, names.leavingHookName);
  return [
    findTerminatingHook(hooks, needed) ? undefined : missing(hooks, needed),
    ours && abandonsBesideEtcd(ours, hooks, names),
    ours && holdsTooShort(group, ours),
  ].filter((problem) => problem !== undefined);
}

/** Members of etcd need not be nodes. If they are, the sweep finds that they lack the hook of a node. */
export const hookNeeded = (group: Pick<AutoScalingGroup, 'tags'>, names: HookNames): string =>
  roleOf(group) === 'etcd' ? names.etcdHookName : names.leavingHookName;

const missing = (hooks: readonly LifecycleHook[], name: string): string =>
  hooks.some((hook) => hook.lifecycleHookName === name)
    ? `its hook ${name} is for launching instances: those that terminate go undrained`
    : `it has no hook ${name}: its instances terminate undrained`;

/** ABANDON ends the other waits of a terminating instance too. */
export const standsBesideEtcd = (hooks: readonly LifecycleHook[], { etcdHookName }: HookNames): boolean =>
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
