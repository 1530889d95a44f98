import { CliError, exitCodes } from '../exit-codes.ts';
import { type InterruptibleContext, unlessInterrupted } from '../interruption.ts';
import { ScaleApiError } from '../scale-api/api-error.ts';
import type { CapacityChange, CapacityStatus, ScaleApi } from '../scale-api/client.ts';
import type { ScaleProgress } from './progress.ts';

export interface WaitRequest {
  readonly api: Pick<ScaleApi, 'follow'>;
  readonly change: CapacityChange;
  readonly progress: ScaleProgress;
  /** Epoch milliseconds; absent: never. */
  readonly giveUpAt?: number;
}

const pauseMilliseconds = 5000;

/**
 * Follows the link of a change until the group is there. An API that does not answer for a while is reported and asked again.
 *
 * @throws CliError `timedOut` at `giveUpAt`, `failed` when another capacity was set meanwhile.
 * @throws ScaleApiError when the API says no.
 */
export async function waitForCapacity(
  request: WaitRequest,
  context: Pick<InterruptibleContext, 'clock' | 'pause' | 'interrupted'>,
): Promise<void> {
  for (;;) {
    const status = await look(request);
    if (status?.state === 'settled') return;
    if (status?.state === 'superseded') throw new CliError(status.reason, exitCodes.failed);
    if (request.giveUpAt !== undefined && context.clock.now() >= request.giveUpAt)
      throw new CliError(
        `the timeout has passed${status ? `: ${status.reason}` : ''}; the change remains in effect`,
        exitCodes.timedOut,
      );
    await unlessInterrupted(context.pause(pauseMilliseconds), context, 'the change remains in effect');
  }
}

/** Undefined where the API cannot answer just now. */
async function look({ api, change, progress }: WaitRequest): Promise<CapacityStatus | undefined> {
  try {
    const status = await api.follow(change.status);
    progress.looked(status);
    return status;
  } catch (error) {
    if (!(error instanceof ScaleApiError) || !error.isPassing) throw error;
    progress.warned(error.message);
    return undefined;
  }
}
