import { InvalidArgumentError, Option } from 'commander';
import type { CliContext } from '../context.ts';
import { durationSeconds } from '../durations.ts';
import type { RegisterCommand } from '../register.ts';
import { type CapacityChange, type ScaleApi, scaleApiOf } from '../scale-api/client.ts';
import { type ScaleApiFlags, withScaleApiFlags } from '../scale-api/flags.ts';
import { jsonProgress, plainProgress } from './progress.ts';
import { changeText } from './text.ts';
import { waitForCapacity } from './wait.ts';

const help = `
Examples:
  drover scale workers 5
  drover scale workers 5 --wait                    until five nodes are Ready
  drover scale workers 2 --wait --timeout 1h       until what has to go is drained and gone
  drover scale workers 2 --dry-run
  drover scale workers 5 --wait --json | jq -r .reason

Exit codes:
  0  done
  1  failed or refused: the message says why
  2  the command line is wrong
  4  the given time is over and the group is not there yet; the change stands`;

interface ScaleFlags extends ScaleApiFlags {
  readonly wait?: true;
  readonly timeout: number;
  readonly dryRun?: true;
  readonly json?: true;
}

const timeoutOption = (): Option =>
  new Option('--timeout <duration>', 'how long to wait; 0: without end')
    .argParser(durationSeconds)
    .default(1800, '30m');

/** `drover scale GROUP N`: the desired capacity of a managed group, through the scale API. */
export const registerScale: RegisterCommand = (program, context) => {
  withScaleApiFlags(program.command('scale'))
    .description('set the desired number of instances of a managed group')
    .argument('<group>', 'the name of the group')
    .argument('<number>', 'how many instances, from its MinSize to its MaxSize', capacityArgument)
    .option('--wait', 'wait until the nodes are Ready, or drained and gone')
    .addOption(timeoutOption())
    .option('--dry-run', 'say what would happen and change nothing')
    .option('--json', 'print JSON: one object, or one per line with --wait')
    .addHelpText('after', help)
    .action(
      async (name: string, number: number, flags: ScaleFlags) =>
        await scale({ name, number }, flags, context),
    );
};

/** @throws InvalidArgumentError, which commander turns into a usage error. */
function capacityArgument(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError('write a whole number, such as 5');
  return Number(text);
}

interface Wish {
  readonly name: string;
  readonly number: number;
}

async function scale({ name, number }: Wish, flags: ScaleFlags, context: CliContext): Promise<void> {
  const api = scaleApiOf(flags, context);
  if (flags.dryRun) {
    const plan = await api.planCapacity(name, number);
    context.stdout.write(
      flags.json ? `${JSON.stringify(plan, null, 2)}\n` : `${changeText(plan)} (dry run)\n`,
    );
    return;
  }
  const change = await api.setCapacity(name, number);
  if (flags.wait) await watch(api, change, flags, context);
  else context.stdout.write(flags.json ? `${JSON.stringify(change, null, 2)}\n` : `${changeText(change)}\n`);
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
  await waitForCapacity({ api, change, progress, ...(giveUpAt !== undefined && { giveUpAt }) }, context);
}
