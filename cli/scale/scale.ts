import type { CliContext } from '../context.ts';
import { interruptible } from '../interruption.ts';
import { jsonText } from '../json-text.ts';
import { type CapacityChange, type ScaleApi, scaleApiOf } from '../scale-api/client.ts';
import type { ScaleApiFlags } from '../scale-api/flags.ts';
import { jsonProgress, plainProgress } from './progress.ts';
import { changeText } from './text.ts';
import { waitForCapacity } from './wait.ts';

export interface ScaleFlags extends ScaleApiFlags {
  readonly wait?: true;
  readonly raiseMaxSize?: true;
  readonly timeout: number;
  readonly dryRun?: true;
  readonly json?: true;
}

interface Wish {
  readonly name: string;
  readonly number: number;
}

/** Sets the desired capacity, or with `--dry-run` says what the scale API would do. */
export async function scale({ name, number }: Wish, flags: ScaleFlags, context: CliContext): Promise<void> {
  const api = scaleApiOf(flags, context);
  const wish = { desiredCapacity: number, ...(flags.raiseMaxSize && { raiseMaxSize: true }) };
  if (flags.dryRun) {
    const plan = await api.planCapacity(name, wish);
    context.stdout.write(flags.json ? jsonText(plan) : `${changeText(plan)} (dry run)\n`);
    return;
  }
  const change = await api.setCapacity(name, wish);
  if (flags.wait) await watch(api, change, flags, context);
  else context.stdout.write(flags.json ? jsonText(change) : `${changeText(change)}\n`);
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
