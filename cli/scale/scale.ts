import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { type InterruptibleContext, interruptible, unlessInterrupted } from '../interruption.ts';
import { jsonText } from '../json-text.ts';
import { oneLine } from '../plain-text.ts';
import type { RoomFlags } from '../room/flags.ts';
import { ScaleApiError } from '../scale-api/api-error.ts';
import {
  type CapacityChange,
  type CapacityPlan,
  type CapacityStatus,
  type ScaleApi,
  scaleApiOf,
} from '../scale-api/client.ts';
import type { ScaleApiFlags } from '../scale-api/flags.ts';
import { changeText, jsonProgress, plainProgress, type ScaleProgress } from './progress.ts';

export interface ScaleFlags extends ScaleApiFlags, Pick<RoomFlags, 'room' | 'kubeconfig' | 'context'> {
  readonly wait?: true;
  readonly raiseMaxSize?: true;
  readonly timeout: number;
  readonly dryRun?: true;
  readonly json?: true;
}

interface RequestedCapacity {
  readonly name: string;
  readonly number: number;
}

/** Sets the desired capacity, or with `--dry-run` shows what the scale API would do. */
export async function scale(
  { name, number }: RequestedCapacity,
  flags: ScaleFlags,
  context: CliContext,
): Promise<void> {
  const api = scaleApiOf(flags, context);
  const wanted = { desiredCapacity: number, ...(flags.raiseMaxSize && { raiseMaxSize: true }) };
  if (flags.dryRun) return await explain(await api.planCapacity(name, wanted), api, { flags, context });
  const change = await api.setCapacity(name, wanted);
  if (flags.wait) await watch(api, change, flags, context);
  else context.stdout.write(flags.json ? jsonText(change) : `${changeText(change)}\n`);
}

async function explain(
  plan: CapacityPlan,
  api: ScaleApi,
  { flags, context }: { readonly flags: ScaleFlags; readonly context: CliContext },
): Promise<void> {
  const { stdout } = context;
  const { roomOfScale, scaleRoomText } = await import('./room.ts');
  if (flags.json) {
    const room = await roomOfScale({ plan, api, flags }, context);
    const { roomJson } = await import('../room/text.ts');
    stdout.write(jsonText({ ...plan, room: room ? roomJson(room) : null }));
    return;
  }
  // The answer of the API does not wait for what takes longer in a large cluster.
  stdout.write(`${changeText(plan)} (dry run)\n`);
  const room = await roomOfScale({ plan, api, flags }, context);
  for (const line of room ? scaleRoomText(room) : []) stdout.write(`${oneLine(line)}\n`);
}

async function watch(
  api: ScaleApi,
  change: CapacityChange,
  flags: ScaleFlags,
  context: CliContext,
): Promise<void> {
  const progress = flags.json ? jsonProgress(context.stdout) : plainProgress(context.stdout, context.stderr);
  progress.accepted(change);
  const giveUpAt = flags.timeout > 0 ? context.clock.now() + flags.timeout * 1000 : undefined;
  const request = { api, change, progress, ...(giveUpAt !== undefined && { giveUpAt }) };
  await interruptible(context, (interruptibly) => waitForCapacity(request, interruptibly));
}

interface WaitRequest {
  readonly api: Pick<ScaleApi, 'follow'>;
  readonly change: CapacityChange;
  readonly progress: ScaleProgress;
  /** Epoch milliseconds; undefined for no timeout. */
  readonly giveUpAt?: number;
}

const pauseMilliseconds = 5000;

/**
 * Follows the link of a change until the group has the capacity. If the API does not respond for a while, a warning is printed and the call
 * repeated.
 *
 * @throws CliError `timedOut` at `giveUpAt`, `failed` if another capacity was set meanwhile.
 * @throws ScaleApiError if the API refuses.
 */
async function waitForCapacity(
  request: WaitRequest,
  context: Pick<InterruptibleContext, 'clock' | 'pause' | 'interrupted'>,
): Promise<void> {
  for (;;) {
    const status = await observe(request);
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

/** Undefined if the API cannot answer at the moment. */
async function observe({ api, change, progress }: WaitRequest): Promise<CapacityStatus | undefined> {
  try {
    const status = await api.follow(change.status);
    progress.observed(status);
    return status;
  } catch (error) {
    if (!(error instanceof ScaleApiError) || !error.isPassing) throw error;
    progress.warned(error.message);
    return undefined;
  }
}
