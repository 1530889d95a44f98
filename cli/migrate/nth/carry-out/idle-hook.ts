import { describeHooks } from '../../../../shared/aws/auto-scaling.ts';
import type { LifecycleHook } from '../../../../shared/groups/group.ts';
import type { AdoptAccess } from '../../../adopt/access.ts';
import { CliError, exitCodes } from '../../../exit-codes.ts';
import type { Step } from '../plan/step.ts';
import { deleteHook, putWholeHook } from './changes.ts';
import { waitingIn } from './members.ts';

interface Deleting {
  readonly access: Pick<AdoptAccess, 'autoScaling' | 'ec2'>;
  /** The command that goes on. */
  readonly command: string;
}

/**
 * Deletes a hook unless an instance may wait on it: Auto Scaling ends such waits at once (API reference, DeleteLifecycleHook). An instance that
 * begins to wait in this moment waits on a hook of the heirs too. If the last of these was deleted at the same time, as by a run in the other
 * direction, the hook comes back.
 *
 * @throws CliError if the hook stays or had to come back.
 */
export async function deleteIdleHook(
  group: string,
  { lifecycleHookName: name, heirs }: Extract<Step, { kind: 'delete-hook' }>,
  { access, command }: Deleting,
): Promise<void> {
  const { client } = access.autoScaling;
  const hooks = await describeHooks(client, group);
  const hook = hooks.find(({ lifecycleHookName }) => lifecycleHookName === name);
  if (hook === undefined) return;
  if (!hasHeir(hooks, hook, heirs)) throw withoutHeir(group, heirs, { hook, command, state: 'has no' });
  const { held } = await waitingIn(group, [hook.transition], access);
  if (held.length > 0)
    throw new CliError(
      `${group} still has hook ${name}, because an instance waits: ${held.join(', ')}. ${command} goes on`,
      exitCodes.failed,
    );
  await deleteHook(client, group, name);
  if (heirs.length === 0 || hasHeir(await describeHooks(client, group), hook, heirs)) return;
  await putWholeHook(client, group, hook);
  throw withoutHeir(group, heirs, { hook, command, state: 'has again that hook, because it lost' });
}

const hasHeir = (
  hooks: readonly LifecycleHook[],
  { transition }: LifecycleHook,
  heirs: readonly string[],
): boolean =>
  heirs.length === 0 ||
  hooks.some((one) => one.transition === transition && heirs.includes(one.lifecycleHookName));

const withoutHeir = (
  group: string,
  heirs: readonly string[],
  {
    hook: { lifecycleHookName, transition },
    command,
    state,
  }: { readonly hook: LifecycleHook; readonly command: string; readonly state: string },
): CliError =>
  new CliError(
    `hook ${lifecycleHookName}: ${group} ${state} ${heirs.join(' or ')} on ${transition} instances: they would go undrained. ${command} plans it again`,
    exitCodes.failed,
  );
