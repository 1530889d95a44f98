export interface FileUsage {
  readonly file: string;
  readonly seconds: number;
  /** For imports: the first file of a worker bears those that many share, so only the sum counts them. */
  readonly loadSeconds: number;
}

/** What a run of the fast project used. */
export interface CpuUsage {
  readonly files: readonly FileUsage[];
  /** Of the process that starts the workers and transforms the sources. */
  readonly mainSeconds: number;
  /** How long the fixed work took, each time it was measured between files. */
  readonly calibrations: readonly number[];
}

export interface CpuLimits {
  readonly fileSeconds: number;
  readonly sumSeconds: number;
  /** How long the fixed work takes on a machine on which the limits hold as they are. */
  readonly calibrationSeconds: number;
}

export interface CpuVerdict {
  /** How many times slower the machine is than the one on which the limits hold. */
  readonly slowness: number;
  /** Scaled by the slowness. */
  readonly sumSeconds: number;
  readonly slowest: readonly FileUsage[];
  readonly problems: readonly string[];
}

const shown = (seconds: number): string => `${seconds.toFixed(1)} s`;

/** The middle one: a collection of garbage that falls into one measurement does not count. */
function median(numbers: readonly number[]): number | undefined {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
}

/**
 * Compares the CPU time of each file, and of all, with the limits. All seconds are scaled: a machine on which the fixed work takes twice
 * as long may take twice as long for the tests.
 */
export function judgeCpu(usage: CpuUsage, limits: CpuLimits): CpuVerdict {
  const slowness = (median(usage.calibrations) ?? limits.calibrationSeconds) / limits.calibrationSeconds;
  const files = usage.files
    .map(({ file, seconds, loadSeconds }) => ({
      file,
      seconds: seconds / slowness,
      loadSeconds: loadSeconds / slowness,
    }))
    .toSorted((one, other) => other.seconds - one.seconds);
  const sumSeconds = files.reduce(
    (sum, { seconds, loadSeconds }) => sum + seconds + loadSeconds,
    usage.mainSeconds / slowness,
  );
  const tooSlow = files.filter(({ seconds }) => seconds > limits.fileSeconds);
  return {
    slowness,
    sumSeconds,
    slowest: files.slice(0, 5),
    problems: [
      ...tooSlow.map(
        ({ file, seconds }) =>
          `${file} takes ${shown(seconds)} of CPU, more than ${shown(limits.fileSeconds)}: make it faster, or move it to another project of vitest.config.ts`,
      ),
      ...(sumSeconds > limits.sumSeconds
        ? [`the fast project takes ${shown(sumSeconds)} of CPU, more than ${shown(limits.sumSeconds)}`]
        : []),
    ],
  };
}
