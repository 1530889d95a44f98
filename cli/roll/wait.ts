import { messageOf } from '../../shared/base/message-of.ts';
import { findRoll } from '../../shared/roll/change-roll.ts';
import type { ObservedRoll } from '../../shared/roll/observed-roll.ts';
import type { Roll } from '../../shared/roll/roll.ts';
import { changesOnly } from '../changes-only.ts';
import type { CliContext } from '../context.ts';
import { counted } from '../counted.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { interruptible, unlessInterrupted } from '../interruption.ts';
import { jsonLine } from '../json-text.ts';
import type { Text } from '../output.ts';
import { oneLine } from '../plain-text.ts';
import { viewOf } from '../table/column.ts';
import type { RollAccess } from './access.ts';
import type { RollAccessFlags } from './access-flags.ts';
import { observeRoll } from './observe.ts';
import { statusText } from './status-text.ts';

interface Wait {
  readonly access: RollAccess;
  readonly flags: RollAccessFlags & { readonly timeout?: number; readonly json?: true };
}

/** A pass runs each minute, and each step takes minutes. */
const pollMilliseconds = 10_000;

/**
 * Shows the progress of a roll until it has ended. Ctrl-C ends only the command.
 *
 * @throws CliError `failed` if the roll was stopped or aborted, `timedOut` after the timeout, `interrupted` at Ctrl-C.
 */
export const waitForRoll = ({ name, startedAt }: Roll, wait: Wait, context: CliContext): Promise<void> =>
  poll(name, wait, context, (observed) => {
    if (observed === undefined) throw new CliError(`roll ${name} is not there any more`, exitCodes.failed);
    const { state, reason } = observed;
    if (state === 'starting' && context.clock.now() > startedAt + unseenMilliseconds)
      return `no pass has seen roll ${name} for minutes: look for errors of the function roll with drover events`;
    if (state === 'stopped' || state === 'aborted')
      throw new CliError(`roll ${name} is ${state}: ${oneLine(reason)}`, exitCodes.failed);
    return state === 'done';
  });

const unseenMilliseconds = 180_000;

/**
 * Waits until an aborted roll has left nothing behind: no Node has its taint or its mark.
 *
 * @throws CliError `timedOut` after the timeout, `interrupted` at Ctrl-C.
 */
export const waitForAbort = (name: string, wait: Wait, context: CliContext): Promise<void> =>
  poll(
    name,
    wait,
    context,
    (observed) =>
      observed === undefined ||
      (observed.touched.length === 0 && (observed.state === 'aborted' || observed.state === 'done')),
  );

/** Whether it is over; a text is a warning, and it goes on. */
type Judge = (observed: ObservedRoll | undefined) => boolean | string;

async function poll(name: string, { access, flags }: Wait, context: CliContext, judge: Judge): Promise<void> {
  const { clock, stdout, stderr } = context;
  const giveUpAt = flags.timeout ? clock.now() + flags.timeout * 1000 : Infinity;
  const goesOn = `roll ${name} goes on without this command: drover roll status ${name} shows it, drover roll abort ${name} ends it`;
  const warn = changesOnly((message) => stderr.write(`warning: ${oneLine(message)}\n`));
  const show = changesOnly((text) => stdout.write(text));
  await interruptible(context, async (interruptibly) => {
    for (;;) {
      const observed = await observe(name, { access, flags }, context, warn);
      if (observed !== 'unknown') {
        if (observed) show(flags.json ? jsonLine(observed) : textOf(observed, context));
        const verdict = judge(observed);
        if (verdict === true) return;
        if (verdict !== false) warn(verdict);
      }
      if (clock.now() >= giveUpAt)
        throw new CliError(`the timeout has passed; ${goesOn}`, exitCodes.timedOut);
      await unlessInterrupted(context.pause(pollMilliseconds), interruptibly, goesOn);
    }
  });
}

/** `unknown` if AWS or the API server cannot answer at the moment. */
async function observe(
  name: string,
  { access, flags }: Wait,
  context: CliContext,
  warn: (message: string) => void,
): Promise<ObservedRoll | undefined | 'unknown'> {
  try {
    const stored = await findRoll(access.store, name);
    return stored && (await observeRoll(stored, access, flags, context));
  } catch (error) {
    warn(messageOf(error));
    return 'unknown';
  }
}

/** On a terminal the tables; in a pipe one line, so that a roll of hours does not fill a log. */
function textOf(observed: ObservedRoll, { stdout }: CliContext): string {
  if (stdout.isTerminal) return flat(statusText(observed, viewOf(stdout)));
  const { name, state, reason, groups, moving, touched } = observed;
  const parts = groups.map(
    ({ autoScalingGroupName, old, fresh, leaving }) =>
      `${autoScalingGroupName} ${old} old, ${fresh} new, ${leaving} leaving`,
  );
  const left = state === 'aborting' ? [`${counted(touched.length, 'node')} with its taint or mark`] : [];
  return [
    `roll ${name} is ${state}: ${[...parts, ...left].join('; ')}${reason === '' ? '' : ` (${oneLine(reason)})`}`,
    ...moving.map((node) => `  ${node.name} is ${node.state}: ${oneLine(node.why)}`),
    '',
  ].join('\n');
}

const flat = (text: Text): string =>
  typeof text === 'string' ? text : 'style' in text ? text.text : text.map(flat).join('');
