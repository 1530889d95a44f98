import type { Reporter, TestModule } from 'vitest/node';
import { usedSeconds } from './calibration.ts';
import type { FileCpu } from './file-cpu.ts';
import { type CpuLimits, type CpuVerdict, judgeCpu } from './judge.ts';

/**
 * On the machine where the commit before this rule took 648 CPU seconds, and the fixed work 11 ms: the sum is 0.35 of that.
 */
const limits: CpuLimits = { fileSeconds: 8, sumSeconds: 227, calibrationSeconds: 0.011 };

/** Says what the files of the fast project cost, and fails the run if a file or their sum costs too much. */
export const cpuReporter: Reporter = {
  onTestRunEnd: (modules) => {
    const measured = modules.flatMap((module) => cpuOf(module));
    if (measured.length === 0) return;
    const verdict = judgeCpu(
      {
        files: measured,
        mainSeconds: usedSeconds(),
        calibrations: measured.flatMap(({ calibrations }) => calibrations),
      },
      limits,
    );
    report(verdict);
    if (verdict.problems.length > 0) process.exitCode = 1;
  },
};

function cpuOf(module: TestModule): readonly (FileCpu & { readonly file: string })[] {
  const { cpu } = module.meta();
  return cpu === undefined ? [] : [{ file: module.relativeModuleId, ...cpu }];
}

function report({ sumSeconds, slowness, slowest, problems }: CpuVerdict): void {
  const one = slowest.map(({ file, seconds }) => `    ${seconds.toFixed(1)} s ${file}`);
  const lines = [
    `CPU of the fast project: ${sumSeconds.toFixed(0)} s, scaled: this machine takes ${slowness.toFixed(2)} times as long as the one of the limits. The slowest:`,
    ...one,
    ...problems.map((problem) => `CPU limit: ${problem}`),
  ];
  process.stderr.write(`\n${lines.join('\n')}\n`);
}
