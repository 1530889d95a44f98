import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AccountClients, createAccountClients } from '@drover/cloud-sandbox/real/account/clients.ts';
import { groupKind } from '@drover/cloud-sandbox/real/account/kinds.ts';
import type { Ledger } from '@drover/cloud-sandbox/real/account/ledger.ts';
import { supervised } from '@drover/cloud-sandbox/real/account/supervised.ts';
import type { Place } from '../options.ts';
import { measureRates, type Rate } from './rates.ts';
import { renderRates } from './table.ts';

export interface RatesRun extends Place {
  readonly run: string;
  readonly ledger: Ledger;
  /** The supervised clients of the run. */
  readonly clients: AccountClients;
  /** A file for what was measured. */
  readonly report: string;
  readonly signal: AbortSignal;
  /** The suite is ended after this time. */
  readonly minutes: number;
  readonly say: (line: string) => void;
}

/** AWS deletes the groups of earlier suites for some minutes. */
const secondsForGroups = 900;
const secondsBetween = 10;

/**
 * The suite `rates`: measures, prints a table and writes it.
 *
 * @returns nothing that failed: what AWS answers is a finding, not a failure
 * @throws what `measureRates` throws, and an error if it is interrupted or takes too long
 */
export async function runRates(options: RatesRun): Promise<readonly string[]> {
  const { run, ledger, speed, say, report, minutes } = options;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(minutes * 60_000)]);
  const wait = (seconds: number): Promise<void> => sleep((seconds * 1000) / speed, undefined, { signal });
  await untilDeleted(options, wait);
  // Each call is one attempt: the SDK would repeat refused ones, and hide the bucket.
  const { autoscaling: client } = supervised(createAccountClients({ ...options, maxAttempts: 1 }), {
    run,
    ledger,
  });
  const rates: Rate[] = [];
  const onMeasured = (rate: Rate): void => {
    rates.push(rate);
    say(`Measured ${rate.operation}`);
  };
  const now = (): number => Date.now() * speed;
  try {
    await measureRates({ client, now, wait, signal, onMeasured });
  } finally {
    mkdirSync(dirname(report), { recursive: true });
    writeFileSync(report, `${JSON.stringify(rates, undefined, 2)}\n`);
    if (rates.length > 0) say(renderRates(rates));
  }
  return [];
}

/** Waits for the groups of this run. Another one stays, and `measureRates` refuses it. */
async function untilDeleted(
  { clients, run }: RatesRun,
  wait: (seconds: number) => Promise<void>,
): Promise<void> {
  for (let seconds = 0; seconds < secondsForGroups; seconds += secondsBetween) {
    if ((await groupKind.list(clients, { run })).length === 0) return;
    await wait(secondsBetween);
  }
}
