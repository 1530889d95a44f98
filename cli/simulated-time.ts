import { CliError, exitCodes } from './exit-codes.ts';

/** Simulated time: what it was at a moment of this machine's, and how many times as fast it passes. */
export interface SimulatedTime {
  /** Epoch milliseconds. */
  readonly simulatedAt: number;
  /** Epoch milliseconds of this machine. */
  readonly realAt: number;
  readonly speed: number;
}

/** The variable with the time of a sandbox that runs at another speed. */
export const clockVariable = 'DROVER_CLOCK';

export const formatSimulatedTime = ({ simulatedAt, realAt, speed }: SimulatedTime): string =>
  [simulatedAt, realAt, speed].join(',');

/**
 * What time it is for a command: the machine's, or that of a sandbox whose time passes faster. Without it, all ages and ends that a command
 * shows of such a sandbox would be wrong.
 *
 * @throws CliError if the variable was not written by a sandbox.
 */
export function timeIn(environment: Readonly<Record<string, string | undefined>>, realNow: number): number {
  const text = environment[clockVariable];
  if (text === undefined || text === '') return realNow;
  const [simulatedAt = NaN, realAt = NaN, speed = NaN, ...more] = text.split(',').map(Number);
  const now = Math.floor(simulatedAt + (realNow - realAt) * speed);
  if (more.length > 0 || !Number.isSafeInteger(now) || !(speed > 0))
    throw new CliError(
      `${clockVariable} is not a time of the sandbox: run \`unset ${clockVariable}\``,
      exitCodes.usage,
    );
  return now;
}
