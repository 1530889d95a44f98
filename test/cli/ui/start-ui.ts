import { onTestFinished } from 'vitest';
import { type RunningUi, runUi } from './run-ui.ts';

/** Starts `drover ui`; it ends with the test. */
export async function startUi(...started: Parameters<typeof runUi>): Promise<RunningUi> {
  const ui = await runUi(...started);
  onTestFinished(async () => {
    await ui.interrupt();
  });
  return ui;
}
