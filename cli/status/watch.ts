import type { CliContext } from '../context.ts';
import type { StatusReport } from './report.ts';

export interface Watch {
  readonly look: () => Promise<StatusReport>;
  readonly show: (report: StatusReport) => void;
  /** Shows unchanged reports too: for a screen that is redrawn. */
  readonly everyTime: boolean;
}

const pauseMilliseconds = 5000;

/** Looks again every five seconds, until the process is stopped. */
export async function watchStatus(
  { look, show, everyTime }: Watch,
  { pause }: Pick<CliContext, 'pause'>,
): Promise<never> {
  let before = '';
  for (;;) {
    const report = await look();
    const now = whatMatters(report);
    if (everyTime || now !== before) show(report);
    before = now;
    await pause(pauseMilliseconds);
  }
}

/** Without what changes while nothing else does: the time, and the renewals of the marks. */
function whatMatters({ leaving, joining, repairs, groups, problems, missing }: StatusReport): string {
  const lines = leaving.map((line) => {
    const { renewedAt: _, ...rest } = line;
    return rest;
  });
  return JSON.stringify([lines, joining, repairs, groups, problems, missing]);
}
