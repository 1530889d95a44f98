import { refusalOf } from '../../shared/aws/errors.ts';
import { durationText } from '../../shared/base/duration.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import { isThrottled, isUnavailable } from '../../shared/kubernetes/status.ts';
import { changesOnly } from '../changes-only.ts';
import { endIfInterrupted, type InterruptibleContext, unlessInterrupted } from '../interruption.ts';
import { oneLine } from '../plain-text.ts';

/** A step of a trial that did not do what it should, for the operator. The remedy is a sentence or a command. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure';
  readonly remedy: string | undefined;

  constructor(message: string, remedy?: string) {
    super(message);
    this.remedy = remedy;
  }
}

/** The judgement of one read: it is done, with what was found; or what it waits for. */
export type Verdict<Found> = { readonly done: Found } | { readonly waits: string };

export interface Wait<Seen, Found> {
  readonly withinSeconds: number;
  readonly everySeconds?: number;
  readonly look: () => Promise<Seen>;
  /** @throws StepFailure if it cannot be done any more. */
  readonly judge: (seen: Seen) => Verdict<Found>;
  /** What is added to the failure if the time is over. */
  readonly advice?: () => string | Promise<string>;
  /** What the operator can do about that failure. */
  readonly remedy?: string;
}

export interface WaitContext
  extends Pick<InterruptibleContext, 'clock' | 'pause' | 'interrupted' | 'stderr'> {
  readonly say: (text: string) => void;
}

/**
 * Reads until it is done. If AWS or the API server does not answer for a while, a warning is printed and it is read again.
 *
 * @throws StepFailure of the judge, or once the time is over. An error that does not pass, or that lasts until then. CliError `interrupted` at Ctrl-C.
 */
export async function until<Seen, Found>(wait: Wait<Seen, Found>, context: WaitContext): Promise<Found> {
  const { look, judge, withinSeconds, everySeconds = 5, advice, remedy } = wait;
  const { clock, stderr } = context;
  const giveUpAt = clock.now() + withinSeconds * 1000;
  const warn = changesOnly((message) => stderr.write(`warning: ${oneLine(message)}\n`));
  const say = changesOnly(context.say);
  let reason = '';
  for (;;) {
    try {
      const verdict = judge(await look());
      if ('done' in verdict) return verdict.done;
      reason = verdict.waits;
      say(reason);
    } catch (error) {
      if (!isPassing(error) || clock.now() >= giveUpAt) throw error;
      warn(messageOf(error));
      await pauseFor(everySeconds, context);
      continue;
    }
    if (clock.now() >= giveUpAt)
      throw new StepFailure(
        [`after ${durationText(withinSeconds)}: ${reason}`, ...(await advised(advice))].join('; '),
        remedy,
      );
    await pauseFor(everySeconds, context);
  }
}

async function advised(advice: Wait<unknown, unknown>['advice']): Promise<readonly string[]> {
  try {
    return advice ? [await advice()] : [];
  } catch (error) {
    return [messageOf(error)];
  }
}

/**
 * Makes a change that may be made twice, and repeats it for a minute if there is no answer. Ctrl-C never abandons a change that was sent: it could
 * arrive after the clean-up.
 *
 * @throws what the last attempt throws. CliError `interrupted` at Ctrl-C between two attempts.
 */
export async function persist<Result>(change: () => Promise<Result>, context: WaitContext): Promise<Result> {
  const { clock, stderr } = context;
  const giveUpAt = clock.now() + persistSeconds * 1000;
  const warn = changesOnly((message) => stderr.write(`warning: ${oneLine(message)}\n`));
  for (;;) {
    endIfInterrupted(context, stopped);
    try {
      return await change();
    } catch (error) {
      if (!isPassing(error) || clock.now() >= giveUpAt) throw error;
      warn(messageOf(error));
    }
    await pauseFor(5, context);
  }
}

const persistSeconds = 60;

/** @throws CliError `interrupted` as soon as Ctrl-C is pressed. */
export const pauseFor = (seconds: number, context: WaitContext): Promise<void> =>
  unlessInterrupted(context.pause(seconds * 1000), context, stopped);

const stopped = 'the trial ends here';

/** No answer, a busy server, too many calls, also as the cause of another error: the next call may succeed. */
function isPassing(error: unknown): boolean {
  const refusal = refusalOf(error);
  if ((refusal !== undefined && refusal !== 'denied') || isThrottled(error) || isUnavailable(error))
    return true;
  return error instanceof Error && error.cause !== undefined && isPassing(error.cause);
}
