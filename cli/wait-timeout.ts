import { Option } from 'commander';
import { durationSeconds } from './durations.ts';

/** `--timeout` of a command that waits with `--wait`. */
export const waitTimeout = (): Option =>
  new Option('--timeout <duration>', 'how long to wait; 0: without end')
    .argParser(durationSeconds)
    .default(1800, '30m');
