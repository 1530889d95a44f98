import type { TimerClock } from './clock.ts';

export class NoAnswerInTimeError extends Error {
  override readonly name = 'NoAnswerInTimeError';
}

/**
 * The outcome of work that ends within its time.
 *
 * @throws NoAnswerInTimeError when it does not. The work may go on, and its outcome is ignored.
 */
export async function withinTime<Value>(
  clock: TimerClock,
  milliseconds: number,
  work: Promise<Value>,
): Promise<Value> {
  const { promise: timeIsUp, reject } = Promise.withResolvers<never>();
  const timer = clock.after(milliseconds, () =>
    reject(new NoAnswerInTimeError(`no answer within ${milliseconds / 1000} s`)),
  );
  try {
    return await Promise.race([work, timeIsUp]);
  } finally {
    timer.cancel();
  }
}
