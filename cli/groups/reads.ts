import { type AccessFlags, readsScaleApi } from '../access/flags.ts';
import type { CliContext } from '../context.ts';
import type { ScaleApi } from '../scale-api/client.ts';

/** The managed groups and their nodes, from the scale API or read directly. */
export type GroupReads = Pick<ScaleApi, 'listGroups' | 'getGroup' | 'listInstances'>;

/** Chooses the way by the flags and the environment. */
export async function groupReadsOf(flags: AccessFlags, context: CliContext): Promise<GroupReads> {
  if (readsScaleApi(flags, context))
    return (await import('../scale-api/client.ts')).scaleApiOf(flags, context);
  return (await import('./direct.ts')).directGroups(flags, context);
}
