import { type AccessFlags, readsScaleApi } from '../access/flags.ts';
import type { CliContext } from '../context.ts';
import type { BeginLook } from '../pointer/point.ts';
import type { ScaleApi } from '../scale-api/client.ts';

/** The managed groups and their nodes, from the scale API or read directly. */
export interface GroupReads extends Pick<ScaleApi, 'listGroups' | 'getGroup' | 'listInstances'> {
  readonly beginLook: BeginLook;
}

/** Chooses the way by the flags and the environment. */
export async function groupReadsOf(flags: AccessFlags, context: CliContext): Promise<GroupReads> {
  if (!readsScaleApi(flags, context)) return (await import('./direct.ts')).directGroups(flags, context);
  const { scaleApiOf } = await import('../scale-api/client.ts');
  const api = scaleApiOf(flags, context);
  // The API is asked once the list is there: a list that fails costs one request.
  const beginLook: BeginLook = () => async () => {
    const { problems, unknown } = await api.readStatus();
    return { problems, isWhole: unknown.length === 0 };
  };
  return { ...api, beginLook };
}
