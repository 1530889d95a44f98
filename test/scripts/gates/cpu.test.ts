import { expect, it } from 'vitest';
import { fixedWork } from '../../../scripts/gates/cpu/calibration.ts';
import { type CpuUsage, judgeCpu } from '../../../scripts/gates/cpu/judge.ts';

const limits = { fileSeconds: 8, sumSeconds: 20, calibrationSeconds: 0.01 };
const usage: CpuUsage = {
  files: [
    { file: 'one.test.ts', seconds: 3, loadSeconds: 0 },
    { file: 'two.test.ts', seconds: 7, loadSeconds: 0 },
  ],
  mainSeconds: 5,
  calibrations: [0.01],
};

it('a run within its limits has no problem, and its slowest files come first', () => {
  expect(judgeCpu(usage, limits)).toEqual({
    slowness: 1,
    sumSeconds: 15,
    slowest: [
      { file: 'two.test.ts', seconds: 7, loadSeconds: 0 },
      { file: 'one.test.ts', seconds: 3, loadSeconds: 0 },
    ],
    problems: [],
  });
});

it('a file that takes too long is named, with what to do', () => {
  const files = [...usage.files, { file: 'slow.test.ts', seconds: 8.1, loadSeconds: 0 }];
  expect(judgeCpu({ ...usage, files, mainSeconds: 0 }, limits).problems).toEqual([
    'slow.test.ts takes 8.1 s of CPU, more than 8.0 s: make it faster, or move it to another project of vitest.config.ts',
  ]);
});

it('the imports of a file count in the sum, but not for the file: another one would bear them', () => {
  const files = [{ file: 'first.test.ts', seconds: 1, loadSeconds: 9 }];
  expect(judgeCpu({ ...usage, files }, limits)).toMatchObject({ sumSeconds: 15, problems: [] });
});

it('a sum that is too long is a problem, the main process included', () => {
  expect(judgeCpu({ ...usage, mainSeconds: 10.5 }, limits).problems).toEqual([
    'the fast project takes 20.5 s of CPU, more than 20.0 s',
  ]);
});

it('a machine on which the fixed work takes twice as long may take twice as long', () => {
  const slow = { ...usage, calibrations: [0.02], mainSeconds: 25 };
  expect(judgeCpu(slow, limits)).toMatchObject({ slowness: 2, sumSeconds: 17.5, problems: [] });
  expect(judgeCpu({ ...slow, calibrations: [0.01] }, limits).problems).toHaveLength(1);
});

it('one measurement that a collection of garbage disturbed does not excuse a slow file', () => {
  const files = [{ file: 'slow.test.ts', seconds: 9, loadSeconds: 0 }];
  const calibrations = [0.01, 0.01, 0.01, 0.01, 0.2];
  expect(judgeCpu({ files, mainSeconds: 0, calibrations }, limits).problems).toHaveLength(1);
});

it('a fast machine has stricter limits', () => {
  expect(judgeCpu({ ...usage, calibrations: [0.005] }, limits).problems).toHaveLength(2);
});

it('without a measurement of the machine the limits hold as they are', () => {
  expect(judgeCpu({ ...usage, calibrations: [] }, limits).slowness).toBe(1);
});

it('the fixed work is the same each time', () => {
  expect(fixedWork()).toBe(fixedWork());
});
