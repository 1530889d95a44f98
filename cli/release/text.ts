import { jsonText } from '../json-text.ts';
import { oneLine } from '../plain-text.ts';
import type { RoomJson } from '../room/text.ts';
import type { ReleaseResult } from './carry-out.ts';
import type { PlannedRelease } from './plan.ts';

const subjectOf = ({ wait, nodes = [] }: PlannedRelease): string =>
  `${wait.instanceId}${nodes.length > 0 ? ` (node ${nodes.join(', ')})` : ''} of ${wait.autoScalingGroupName}`;

/** A line for each wait, and one for each risk. */
export const planText = (planned: readonly PlannedRelease[]): string =>
  planned
    .flatMap((one) => [planLine(one), ...one.risks.map((risk) => `  ${risk}`)])
    .map((line) => `${line.startsWith('  ') ? '  ' : ''}${oneLine(line.trim())}\n`)
    .join('');

function planLine(one: PlannedRelease): string {
  const { wait, kind, effect } = one;
  const subject = `${subjectOf(one)} is in ${wait.lifecycleState}`;
  if (kind === 'foreign') return `${subject}: ${effect}`;
  const hooks = wait.hooks.map(({ lifecycleHookName }) => lifecycleHookName).join(', ');
  const word = kind === 'needs-word' ? 'give --etcd-members to complete' : 'CONTINUE for';
  return `${subject}: ${word} ${hooks}: ${effect}`;
}

/** What was done with one instance. */
export function resultLine(result: ReleaseResult): string {
  const { outcome, completed, reason, kind } = result;
  const subject = subjectOf(result);
  const words = {
    released: `released ${subject} from ${completed.join(', ')}`,
    ended: `${subject} was not released: ${reason}`,
    held: `${subject} was not released: ${reason}`,
    failed: `${subject} was not released: ${reason}`,
    'not-done': `${subject} was not released: ${kind === 'needs-word' ? 'it is a member of etcd, and --etcd-members is not given' : result.effect}`,
  }[outcome];
  return `${oneLine(words)}\n`;
}

/**
 * The same for programs.
 *
 * @param room only with --plan: null if it is unknown, or if no node goes.
 */
export const releaseJson = (
  results: readonly ReleaseResult[],
  { done, room }: { readonly done: boolean; readonly room?: RoomJson | null },
): string =>
  jsonText({
    done,
    ...(room !== undefined && { room }),
    instances: results.map(({ wait, nodes, pods, kind, effect, risks, outcome, completed, reason }) => ({
      instanceId: wait.instanceId,
      autoScalingGroupName: wait.autoScalingGroupName,
      lifecycleState: wait.lifecycleState,
      hooks: wait.hooks.map(({ lifecycleHookName }) => lifecycleHookName),
      otherHooks: wait.otherHooks,
      etcdMember: wait.isEtcdMember,
      nodes: nodes ?? null,
      pods: pods ?? null,
      plan: kind,
      effect,
      risks,
      outcome,
      completed,
      ...(reason !== undefined && { reason }),
    })),
  });
