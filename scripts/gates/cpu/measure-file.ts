import { readFileSync } from 'node:fs';
import { afterAll, beforeAll } from 'vitest';
import { calibrate, usedSeconds } from './calibration.ts';
import type { FileCpu } from './file-cpu.ts';

/** The CPU seconds of the ended children of this process. Only Linux says; elsewhere 0. */
function secondsOfChildren(): number {
  if (process.platform !== 'linux') return 0;
  // After the name of the program, in brackets: proc_pid_stat(5) counts cutime and cstime in hundredths of a second.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

const total = (): number => usedSeconds() + secondsOfChildren();

/** Of this worker, over its files: each is charged with what was used since the last one. */
interface Worker {
  charged: number;
  loaded: number;
  calibrated: number;
}
const key = Symbol.for('drover.cpu');
const holder = globalThis as typeof globalThis & { [key]?: Worker };
const worker = (holder[key] ??= { charged: 0, loaded: 0, calibrated: Number.NEGATIVE_INFINITY });

/** Often enough to see how a busy machine changes, and seldom enough to cost little. */
const secondsBetweenCalibrations = 2;

function calibrations(): readonly number[] {
  const now = usedSeconds();
  if (now - worker.calibrated < secondsBetweenCalibrations) return [];
  const isFirst = worker.calibrated < 0;
  worker.calibrated = now;
  // The first one compiles the work.
  if (isFirst) calibrate();
  return [calibrate(), calibrate(), calibrate()];
}

beforeAll(() => {
  worker.loaded = total();
});

// Vitest wants a pattern for the fixtures, of which there are none.
// oxlint-disable-next-line no-empty-pattern
afterAll(({}, { file }) => {
  file.meta.cpu = {
    seconds: total() - worker.loaded,
    loadSeconds: worker.loaded - worker.charged,
    calibrations: calibrations(),
  } satisfies FileCpu;
  worker.charged = total();
});
