import type { CliContext } from './context.ts';
import { CliError, exitCodes } from './exit-codes.ts';

/** The context of a command that Ctrl-C ends at a safe point. */
export interface InterruptibleContext extends CliContext {
  readonly interrupted: AbortSignal;
}

type Interrupted = Pick<InterruptibleContext, 'interrupted'>;

/**
 * Runs a command that Ctrl-C must not end in the middle of a change. The first Ctrl-C ends it at its next safe point, the second ends the
 * process at once.
 *
 * @throws CliError `interrupted` once Ctrl-C was pressed, also where the command was done before its next safe point.
 */
export async function interruptible(
  context: CliContext,
  run: (context: InterruptibleContext) => Promise<void>,
): Promise<void> {
  const controller = new AbortController();
  const stopListening = context.onInterrupt?.(() => {
    context.stderr.write('ending at the next safe point; Ctrl-C again ends at once\n');
    controller.abort();
  });
  try {
    await run({ ...context, interrupted: controller.signal });
  } catch (error) {
    // Each of several changes reports its own state.
    if (controller.signal.aborted && error instanceof AggregateError)
      throw new CliError(error.message, exitCodes.interrupted);
    throw error;
  } finally {
    stopListening?.();
  }
  if (controller.signal.aborted) throw interruption('everything was done');
}

/**
 * A safe point between two changes. `state` says what was done and what was not.
 *
 * @throws CliError `interrupted`
 */
export function endIfInterrupted({ interrupted }: Interrupted, state: string): void {
  if (interrupted.aborted) throw interruption(state);
}

/**
 * Waits for something that may be given up at any moment: a read or a pause.
 *
 * @throws CliError `interrupted` as soon as Ctrl-C is pressed.
 */
export async function unlessInterrupted<Value>(
  work: Promise<Value>,
  context: Interrupted,
  state: string,
): Promise<Value> {
  const { interrupted } = context;
  endIfInterrupted(context, state);
  const { promise: end, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(interruption(state));
  interrupted.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, end]);
  } finally {
    interrupted.removeEventListener('abort', onAbort);
  }
}

/** The chunks of a stream. Throws CliError `interrupted` as soon as Ctrl-C is pressed, so that what stores them keeps nothing. */
export async function* chunksUnlessInterrupted<Chunk>(
  chunks: AsyncIterable<Chunk>,
  context: Interrupted,
  state: string,
): AsyncGenerator<Chunk> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await unlessInterrupted(iterator.next(), context, state);
      if (done) return;
      yield value;
    }
  } finally {
    // Not awaited: a stream that hangs ends only after its read. The command ends with the first failure.
    iterator.return?.().catch(() => undefined);
  }
}

const interruption = (state: string): CliError =>
  new CliError(`interrupted: ${state}`, exitCodes.interrupted);
