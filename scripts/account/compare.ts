import { existsSync, readFileSync } from 'node:fs';
import { type Answer, compareAnswers, type Finding } from '@drover/cloud-sandbox/real/account/answers.ts';
import { createAccountClients } from '@drover/cloud-sandbox/real/account/clients.ts';
import { shapeSchema } from '@drover/cloud-sandbox/real/account/fixtures.ts';
import { fileLedger } from '@drover/cloud-sandbox/real/account/ledger.ts';
import { supervised } from '@drover/cloud-sandbox/real/account/supervised.ts';
import { openSandbox } from '@drover/cloud-sandbox/wire';
import * as z from 'zod/mini';
import { makeNetwork } from './network.ts';
import { runSuite } from './run-suite.ts';
import type { Suite } from './suites.ts';

const answerSchema = z.object({
  area: z.optional(z.string()),
  case: z.optional(z.string()),
  service: z.string(),
  operation: z.string(),
  error: z.optional(z.string()),
  shape: shapeSchema,
});

/** The answers that a run has recorded; none if it was cut off before, and without a last line that it was cut off in. */
export function readAnswers(file: string): readonly Answer[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => answerSchema.parse(JSON.parse(line)));
}

export interface Comparison {
  readonly suites: readonly Suite[];
  readonly run: string;
  readonly region: string;
  readonly only: string | undefined;
  readonly instanceType: string;
  /** A file of the run: its kind. */
  readonly fileFor: (name: string) => string;
  readonly signal: AbortSignal;
}

/** Cases wait for minutes; what they check beside fields and types is not compared here. */
const speed = 30;

/** What a comparison has found. */
export interface Compared {
  /** Cases that failed in the sandbox: it may have answered less to them, and so differ more. */
  readonly failures: readonly string[];
  readonly findings: readonly Finding[];
}

/**
 * Runs the same cases in the sandbox, and says how its answers differ from those that the run has recorded.
 *
 * @throws the reason of the signal: the answers of half a run would differ in what was not asked
 */
export async function compareWithSandbox(comparison: Comparison): Promise<Compared> {
  const { suites, run, region, only, instanceType, fileFor, signal } = comparison;
  const faults: unknown[] = [];
  const failures: string[] = [];
  const sandbox = await openSandbox({ region, speed, onFault: (fault) => faults.push(fault) });
  try {
    const { accessKeyId, secretAccessKey, doors } = sandbox;
    const credentials = { accessKeyId, secretAccessKey };
    const endpoint = doors.aws.url;
    const ledger = fileFor('sandbox.jsonl');
    const clients = createAccountClients({ region, endpoint, credentials });
    const network = await makeNetwork(supervised(clients, { run, ledger: fileLedger(ledger) }));
    const answers = fileFor('sandbox-answers.jsonl');
    // The sandbox reads a release as `wiring`, and deploys none.
    for (const suite of suites.filter(({ files, deploysRelease }) => files.length > 0 && !deploysRelease)) {
      signal.throwIfAborted();
      const failed = await runSuite(suite, {
        settings: {
          ...network,
          accountId: sandbox.cloud.account.accountId,
          run,
          region,
          endpoint,
          instanceType,
          speed,
          answers,
          ledger,
          report: fileFor(`sandbox-${suite.name}.json`),
        },
        only,
        signal,
        quiet: true,
        credentials,
      });
      failures.push(...failed);
    }
    signal.throwIfAborted();
    if (faults.length > 0) throw new AggregateError(faults, 'the sandbox failed');
    const findings = compareAnswers(readAnswers(fileFor('answers.jsonl')), readAnswers(answers));
    return { failures, findings };
  } finally {
    await sandbox.close();
  }
}

/** A comparison for a terminal: what failed comes first, because it makes findings of its own. */
export function renderComparison({ failures, findings }: Compared): string {
  if (failures.length === 0) return renderFindings(findings);
  const lines = failures.map((failure) => `  ${failure}\n`).join('');
  return `Failed in the sandbox, so what follows may only be what it was not asked:\n${lines}${renderFindings(findings)}`;
}

function renderFindings(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'No field, type or error differs from the sandbox\n';
  const lines = findings.map(
    ({ operation, difference, proposal }) => `  ${operation}: ${difference}\n    ${proposal}`,
  );
  return `${findings.length} differences from the sandbox:\n${lines.join('\n')}\n`;
}
