import { messageOf } from '../../shared/base/message-of.ts';
import { describePause } from '../../shared/passes/pause.ts';
import { oneLine } from '../plain-text.ts';
import type { PauseResult } from './carry-out.ts';
import type { WaitingInstance } from './waiting.ts';

export interface PauseOutcome {
  readonly dryRun: boolean;
  readonly results: readonly PauseResult[];
  readonly waiting: readonly WaitingInstance[];
}

/** A line for each group, and one for each instance that waits. */
export function pauseText({ dryRun, results, waiting }: PauseOutcome): string {
  const lines = [
    ...results.filter(({ failure }) => failure === undefined).map((result) => changeLine(result, dryRun)),
    ...waiting.map(waitingLine),
  ];
  return lines.map((line) => `${oneLine(line)}\n`).join('');
}

function changeLine(result: PauseResult, dryRun: boolean): string {
  const { autoScalingGroupName: name, before } = result;
  switch (result.kind) {
    case 'set':
      return dryRun ? `would pause ${name}` : `paused ${name}`;
    case 'remove':
      return `${dryRun ? 'would resume' : 'resumed'} ${name}, which was ${before ? describePause(before) : 'not paused'}`;
    case 'none':
      return before ? `${name} is ${describePause(before)} already` : `${name} is not paused`;
  }
}

const waitingLine = ({ instance, hold }: WaitingInstance): string =>
  `${instance.instanceId}${instance.node ? ` (node ${instance.node.name})` : ''} of ${instance.group?.autoScalingGroupName ?? 'no group'} ${hold.words}`;

/** The same for programs. */
export function pauseJson({ dryRun, results, waiting }: PauseOutcome): object {
  return {
    dryRun,
    groups: results.map((result) => ({
      autoScalingGroupName: result.autoScalingGroupName,
      change: result.failure === undefined ? result.kind : 'failed',
      ...(result.kind === 'set' && { value: result.value }),
      ...(result.before && { before: result.before }),
      ...(result.failure !== undefined && { reason: messageOf(result.failure) }),
    })),
    waiting: waiting.map(({ instance, hold }) => ({
      instanceId: instance.instanceId,
      node: instance.node?.name ?? null,
      autoScalingGroupName: instance.group?.autoScalingGroupName ?? null,
      lifecycleState: instance.member?.lifecycleState ?? null,
      heldUntil: hold.until === undefined ? null : new Date(hold.until).toISOString(),
      reason: hold.words,
    })),
  };
}
