import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll } from 'vitest';
import type { Answer } from '../../../real/account/answers.ts';
import { type AccountClients, createAccountClients } from '../../../real/account/clients.ts';
import { groupKind, zoneKind } from '../../../real/account/kinds.ts';
import { fileLedger } from '../../../real/account/ledger.ts';
import { readSettings } from '../../../real/account/settings.ts';
import { supervised } from '../../../real/account/supervised.ts';
import { type CaseRecorder, recordCases } from './case-recorder.ts';

const settings = readSettings(process.env);

/** The account of the run that has started this process. */
export interface OpenAccount extends CaseRecorder {
  readonly clients: AccountClients;
  /** What instances are launched with. */
  readonly imageId: string;
  readonly instanceType: string;
  readonly vpcId: string;
  readonly region: string;
  /** Milliseconds since any beginning, as fast as the account's time passes. */
  readonly now: () => number;
  /** Lets seconds pass. Rejects once the case has timed out: it ends then. */
  readonly pass: (seconds: number) => Promise<void>;
  /**
   * Ends the groups and zones of a case, which cost. The rest costs nothing, and goes with the run. A case that has timed out ends nothing more:
   * the next one has begun, and what is there may be its own. The next one's end, or that of the file, removes what is left.
   */
  readonly close: () => Promise<void>;
}

/** The world of a contract: AWS itself, or a simulated account on the wire that stands in for it in tests. */
export const accountWorld = {
  world: settings?.endpoint === undefined ? 'AWS' : 'account on the wire',
  missing: settings === undefined ? 'npm run account -- --help' : undefined,
  /** Instances take minutes, and a case may wait for several of them in turn. One waits 53 minutes for the global timeout of a hook. */
  timeoutSeconds: 4200,
};

let opened: ReturnType<typeof open> | undefined;

/**
 * The account for one case; its clients are those of all cases of a file.
 *
 * @param signal of the case: aborted when it times out
 */
export function openAccount(signal: AbortSignal): OpenAccount {
  opened ??= open();
  const { pass, close, ...account } = opened;
  return { ...account, pass: (seconds) => pass(seconds, signal), close: () => close(signal) };
}

/** Polls give the same answer again and again. */
function recordEachOnce(file: string): (answer: Answer) => void {
  const known = new Set<string>();
  return (answer) => {
    const line = JSON.stringify(answer);
    if (!known.has(line)) appendFileSync(file, `${line}\n`);
    known.add(line);
  };
}

function open() {
  if (settings === undefined) throw new Error('this suite is started by npm run account');
  const { run, region, endpoint, profile, ledger, speed, instanceType } = settings;
  const { imageId = '', vpcId = '' } = settings;
  const { record, during } = recordCases(recordEachOnce(settings.answers));
  const now = (): number => speed * Date.now();
  const clients = supervised(createAccountClients({ region, endpoint, profile }), {
    run,
    ledger: fileLedger(ledger),
    onAnswer: record,
  });
  const close = async (signal?: AbortSignal): Promise<void> => {
    for (const { list, remove } of [groupKind, zoneKind])
      for (const id of signal?.aborted ? [] : await list(clients, { run }))
        if (!signal?.aborted) await remove(clients, id);
  };
  afterAll(() => close());
  const pass = (seconds: number, signal: AbortSignal) =>
    sleep((seconds * 1000) / speed, undefined, { signal });
  return { clients, imageId, instanceType, vpcId, region, now, record, during, pass, close };
}
