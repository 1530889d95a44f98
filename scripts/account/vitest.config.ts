import { readSettings } from '@drover/cloud-sandbox/real/account/settings.ts';
import { truthReporter } from '@drover/cloud-sandbox/truth/reporter.ts';
import { defineConfig } from 'vitest/config';

const settings = readSettings(process.env);
const json: [string, Record<string, unknown>][] = settings ? [['json', { outputFile: settings.report }]] : [];
const isAws = settings !== undefined && settings.endpoint === undefined;

// A run that was killed must not go on making things while it is swept. The suite is a process group of its own.
if (settings !== undefined) {
  process.stdin.once('close', () => process.kill(-process.pid, 'SIGKILL'));
  process.stdin.resume();
  process.stdin.unref();
}

/** The suites of `npm run account`, which starts them. A simulated account leaves nothing in docs/truth.md. */
export default defineConfig({
  test: {
    include: ['{test,packages/*/test}/**/*.account.ts'],
    // Files share the limits of the account: the instances of one case are gone before those of the next come.
    fileParallelism: false,
    hookTimeout: 300_000,
    reporters: ['default', ...json, ...(isAws ? [truthReporter] : [])],
  },
});
