import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { type AccountSettings, settingsVariable } from '@drover/cloud-sandbox/real/account/settings.ts';
import * as z from 'zod/mini';
import type { Suite } from './suites.ts';

const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string(),
      status: z.string(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()) }),
      ),
    }),
  ),
});

export interface SuiteProcess {
  readonly settings: AccountSettings;
  /** Only cases whose sentence matches. */
  readonly only?: string | undefined;
  readonly signal: AbortSignal;
  /** Shows nothing of its output. */
  readonly quiet?: boolean;
  /** Instead of those of this process. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/**
 * Runs the cases of a suite in a process of its own, so that no case that hangs or ends the process keeps the clean-up from running
 * (https://github.com/gruntwork-io/terratest/issues/759).
 *
 * @returns what failed
 */
export async function runSuite({ files, minutes }: Suite, options: SuiteProcess): Promise<readonly string[]> {
  const { settings, only, signal } = options;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(minutes * 60_000)]);
  const words = ['run', '--config', 'scripts/account/vitest.config.ts', ...files];
  const filter = only === undefined ? [] : ['--testNamePattern', only];
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', ...words, ...filter], {
    // The pipe ends with this process, and the suite with the pipe: vitest.config.ts.
    stdio: options.quiet === true ? ['pipe', 'ignore', 'ignore'] : ['pipe', 'inherit', 'inherit'],
    env: { ...environmentWith(options.credentials), [settingsVariable]: JSON.stringify(settings) },
    // Ctrl-C in a terminal reaches this process only, which ends the child in order.
    detached: true,
  });
  const kill = (): void => killGroup(child.pid);
  limit.addEventListener('abort', kill, { once: true });
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  limit.removeEventListener('abort', kill);
  if (signal.aborted) return [];
  if (limit.aborted) return [`the suite was ended after ${minutes} minutes`];
  return failuresIn(settings.report, exitCode);
}

/** The environment of this process, without other credentials if these are given. */
function environmentWith(credentials: SuiteProcess['credentials']): NodeJS.ProcessEnv {
  if (credentials === undefined) return process.env;
  const { AWS_PROFILE: _profile, AWS_SESSION_TOKEN: _token, ...others } = process.env;
  const { accessKeyId, secretAccessKey } = credentials;
  return { ...others, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };
}

/** Vitest and its workers. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function failuresIn(report: string, exitCode: number | null): readonly string[] {
  if (!existsSync(report)) return [`Vitest ended with ${exitCode} and left no report`];
  const { testResults } = reportSchema.parse(JSON.parse(readFileSync(report, 'utf8')));
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((one) => one.status === 'failed');
    if (failed.length === 0 && status === 'failed') return [`${name}: ${message}`];
    return failed.map(
      ({ fullName, failureMessages }) => `${fullName}: ${failureMessages[0]?.split('\n')[0]}`,
    );
  });
  return failures.length === 0 && exitCode !== 0 ? [`Vitest ended with ${exitCode}`] : failures;
}
