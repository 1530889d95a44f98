import type { CliContext } from '../context.ts';
import { nextPause, shortestPause } from '../observation/next-pause.ts';
import type { StatusReport } from './report.ts';

export interface Looked {
  readonly report: StatusReport;
  /** AWS or the API server asks for fewer calls. */
  readonly isThrottled: boolean;
}

export interface Watch {
  readonly look: () => Promise<Looked>;
  readonly show: (report: StatusReport) => void;
  /** Shows unchanged reports too: for a screen that is redrawn. */
  readonly everyTime: boolean;
}

/** Looks again every five seconds, or less often while it is asked for fewer calls, until the process is stopped. */
export async function watchStatus(
  { look, show, everyTime }: Watch,
  { clock, pause }: Pick<CliContext, 'clock' | 'pause'>,
): Promise<never> {
  let before = '';
  let milliseconds = shortestPause;
  for (;;) {
    const begin = clock.now();
    const { report, isThrottled } = await look();
    const now = whatMatters(report);
    if (everyTime || now !== before) show(report);
    before = now;
    milliseconds = nextPause(milliseconds, { tookMilliseconds: clock.now() - begin, isThrottled });
    await pause(milliseconds);
  }
}

/** Without what changes while nothing else does: the time, and the renewals of the marks. */
function whatMatters({ leaving, ...report }: StatusReport): string {
  const { joining, repairs, groups, scheduledActions, problems, missing } = report;
  const lines = leaving.map((line) => {
    const { renewedAt: _, ...rest } = line;
    return rest;
  });
  return JSON.stringify([lines, joining, repairs, groups, scheduledActions, problems, missing]);
}
