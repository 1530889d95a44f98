import { appendFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { usedSeconds } from './calibration.ts';
import type { FileCpu } from './file-cpu.ts';
import { type CpuLimits, type CpuVerdict, judgeCpu } from './judge.ts';

/**
 * Before there were projects, `npm test` took some 550 s in these seconds, in which the fixed work takes 11 ms: the sum is half of that, since plans, holds for pods,
 * rolls and reports came. The limit of a file is what makes the next slow one noticed.
 */
const limits: CpuLimits = { fileSeconds: 8, sumSeconds: 275, calibrationSeconds: 0.011 };
/** Counting coverage takes a third more. */
const coverageFactor = 1.4;

/**
 * Prints what the files of the fast project cost, and fails the run if a file or their sum costs too much. No test bears that, so it also
 * goes into a file beside the report, from which .ci/run names it at its end.
 */
export function createCpuReporter(): Reporter {
  let factor = 1;
  let isMerging = false;
  return {
    onInit: ({ config }) => {
      factor = config.coverage.enabled ? coverageFactor : 1;
      isMerging = config.mergeReports !== undefined;
    },
    onTestRunEnd: (modules) => {
      const files = modules.flatMap((module) => cpuOf(module));
      if (files.length === 0 || isMerging) return;
      const calibrations = files.flatMap((file) => file.calibrations);
      const verdict = judgeCpu(
        { files, mainSeconds: usedSeconds(), calibrations },
        { ...limits, fileSeconds: limits.fileSeconds * factor, sumSeconds: limits.sumSeconds * factor },
      );
      report(verdict);
      if (verdict.problems.length === 0) return;
      process.exitCode = 1;
      const { DROVER_TEST_REPORT: testReport } = process.env;
      if (testReport) appendFileSync(`${testReport}.limits`, `${verdict.problems.join('\n')}\n`);
    },
  };
}

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
