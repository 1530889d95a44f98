import type { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { removeGroupTag, setGroupTag } from '../../shared/aws/group-tags.ts';
import { pauseTagKey } from '../../shared/passes/pause.ts';
import type { PauseChange } from './plan.ts';

/** A change with its result; `failure`: the error of Auto Scaling. */
export type PauseResult = PauseChange & { readonly failure?: unknown };

/** Makes the changes, each by itself: one group that cannot be changed does not keep the others from it. */
export async function carryOutPause(
  client: AutoScalingClient,
  changes: readonly PauseChange[],
): Promise<readonly PauseResult[]> {
  const results: PauseResult[] = [];
  for (const change of changes) {
    try {
      await apply(client, change);
      results.push(change);
    } catch (failure) {
      results.push({ ...change, failure });
    }
  }
  return results;
}

async function apply(client: AutoScalingClient, change: PauseChange): Promise<void> {
  const tag = { autoScalingGroupName: change.autoScalingGroupName, key: pauseTagKey };
  if (change.value === undefined) await removeGroupTag(client, tag);
  else await setGroupTag(client, { ...tag, value: change.value });
}
