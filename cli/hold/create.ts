import { messageOf } from '../../shared/base/message-of.ts';
import type { Hold } from '../../shared/capacity/holds/hold.ts';
import type { HoldState } from '../../shared/capacity/holds/hold-state.ts';
import { isForPods } from '../../shared/capacity/holds/pod-floor.ts';
import type { PodRequest } from '../../shared/capacity/pod-holds/pod-request.ts';
import type { PodsReading } from '../../shared/capacity/pod-holds/pods-reading.ts';
import { type AccessFlags, usesScaleApi } from '../access/flags.ts';
import { changesOnly } from '../changes-only.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { interruptible, unlessInterrupted } from '../interruption.ts';
import { jsonText } from '../json-text.ts';
import { oneLine } from '../plain-text.ts';
import type { PodFlags } from '../pod-request/flags.ts';
import { readPodRequest } from '../pod-request/read-request.ts';
import { ScaleApiError } from '../scale-api/api-error.ts';
import { type Holds, holdsOf } from './holds.ts';
import { changedHold, holdJson, holdText, podsNowJson, podsNowText } from './text.ts';
import { holdEnd, type UntilFlags } from './until.ts';

export interface CreateFlags extends AccessFlags, UntilFlags, PodFlags {
  readonly name?: string;
  readonly raiseMaxSize?: true;
  readonly wait?: true;
  /** Seconds; 0 for no timeout. */
  readonly timeout: number;
  readonly dryRun?: true;
  readonly json?: true;
}

interface RequestedSize {
  readonly group: string;
  /** Undefined if the flags ask for pods. */
  readonly nodes: number | undefined;
}

/** Creates a hold, or with `--dry-run` shows what it would be. */
export async function create(
  { group, nodes }: RequestedSize,
  flags: CreateFlags,
  context: CliContext,
): Promise<void> {
  const pods = await podsInstead(nodes, flags, context);
  const wanted = {
    autoScalingGroupName: group,
    name: flags.name ?? nameOf(context.environment.USER ?? context.environment.LOGNAME),
    nodes: nodes ?? 0,
    ...(pods && { pods }),
    raiseMaxSize: flags.raiseMaxSize === true,
    end: holdEnd(flags),
  };
  const holds = await holdsOf(flags, context);
  const dryRun = flags.dryRun === true;
  const change = await holds.create(wanted, { dryRun });
  const hold = changedHold(change, wanted, context.clock.now());
  if (!hold) return;
  const isNew = change.kind === 'created';
  const now = dryRun ? await planned(hold, { holds, flags }, context) : undefined;
  if (!flags.json || !flags.wait || dryRun) print({ hold, isNew, now }, flags, context);
  if (flags.wait && !dryRun) await waitForHold({ hold, holds, flags }, context);
}

/** @throws CliError `usage` unless exactly one of nodes and pods is asked for. */
async function podsInstead(
  nodes: number | undefined,
  flags: CreateFlags,
  context: CliContext,
): Promise<PodRequest | undefined> {
  if (nodes !== undefined && flags.forPods)
    throw new CliError('give either a number of nodes or --for-pods', exitCodes.usage);
  const pods = await readPodRequest(flags, context);
  if (nodes === undefined && pods === undefined)
    throw new CliError(
      'give the lowest number of nodes, or --for-pods (drover hold create --help explains)',
      exitCodes.usage,
    );
  return pods;
}

function print(
  {
    hold,
    isNew,
    now,
  }: { readonly hold: Hold; readonly isNew: boolean; readonly now: PodsReading | undefined },
  { json, dryRun }: CreateFlags,
  { clock, stdout }: CliContext,
): void {
  const text = `${holdText(hold, isNew ? (hold.createdAt ?? clock.now()) : clock.now())}${isNew ? '' : ': it already exists'}`;
  stdout.write(
    json
      ? jsonText({ ...holdJson(hold), ...(now && { now: podsNowJson(hold, now) }), done: !dryRun && isNew })
      : `${text}${dryRun ? ' (dry run)' : ''}\n${now ? `${oneLine(podsNowText(hold, now))}\n` : ''}`,
  );
}

/** What prewarm would find for a hold for pods that was not made; undefined over the scale API, which reads no pods. */
async function planned(
  hold: Hold,
  { holds, flags }: { readonly holds: Holds; readonly flags: CreateFlags },
  context: CliContext,
): Promise<PodsReading | undefined> {
  if (!isForPods(hold) || usesScaleApi(flags)) return undefined;
  const { podsNow } = await import('./pods-now.ts');
  const listed = await holds.list(hold.autoScalingGroupName);
  const others = listed.flatMap((one) =>
    'hold' in one && one.state !== 'over' && one.hold.name !== hold.name ? [one.hold] : [],
  );
  return await podsNow(hold, others, { flags, context });
}

/** The name of a hold from the name of a user. Other characters become dashes. */
const nameOf = (user: string | undefined): string =>
  user
    ?.replaceAll(/[^A-Za-z0-9.-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 64) || 'manual';

const pollMilliseconds = 5000;

interface Wait {
  readonly hold: Hold;
  readonly holds: Pick<Holds, 'stateOf'>;
  readonly flags: CreateFlags;
}

/**
 * Waits until the nodes of a hold are Ready, and prints each change. If AWS or the scale API does not respond for a while, a warning is printed
 * and the call repeated.
 *
 * @throws CliError `timedOut` after the timeout, `interrupted` at Ctrl-C, and `failed` if the hold ends before.
 */
const waitForHold = (wait: Wait, context: CliContext): Promise<void> =>
  interruptible(context, async (interruptibly) => {
    const { hold, flags } = wait;
    const giveUpAt = flags.timeout > 0 ? context.clock.now() + flags.timeout * 1000 : Infinity;
    const warn = changesOnly((message) => context.stderr.write(`warning: ${oneLine(message)}\n`));
    const show = changesOnly((text) => context.stdout.write(text));
    const textOf = ({ state, reason }: HoldState): string =>
      flags.json ? `${JSON.stringify({ ...holdJson(hold), state, reason })}\n` : `${state}: ${reason}\n`;
    for (;;) {
      const observed = await observe(wait, (error) => warn(messageOf(error)));
      if (observed) show(textOf(observed));
      if (observed?.state === 'met') return;
      if (observed?.state === 'over')
        throw new CliError(`hold ${hold.name} ${endedText(hold)}`, exitCodes.failed);
      if (context.clock.now() >= giveUpAt)
        throw new CliError(
          `the timeout has passed${observed ? `: ${observed.reason}` : ''}; hold ${hold.name} remains`,
          exitCodes.timedOut,
        );
      await unlessInterrupted(
        context.pause(pollMilliseconds),
        interruptibly,
        `hold ${hold.name} remains; drover hold end ${hold.autoScalingGroupName} ${hold.name} ends it`,
      );
    }
  });

const endedText = ({ pods }: Hold): string => {
  if (pods === undefined) return 'has ended before its nodes were Ready';
  return pods.endsOnceBound
    ? 'has ended: all pods of its Job had a node at one read, or it was ended'
    : 'has ended before its pods had room';
};

/** Undefined if AWS or the scale API cannot answer at the moment. */
async function observe(
  { hold, holds }: Wait,
  warn: (error: unknown) => void,
): Promise<HoldState | undefined> {
  try {
    return await holds.stateOf(hold);
  } catch (error) {
    if (error instanceof ScaleApiError && !error.isPassing) throw error;
    warn(error);
    return undefined;
  }
}
