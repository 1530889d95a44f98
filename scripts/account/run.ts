import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import type { AccountClients } from '@drover/cloud-sandbox/real/account/clients.ts';
import type { Ledger } from '@drover/cloud-sandbox/real/account/ledger.ts';
import { supervised } from '@drover/cloud-sandbox/real/account/supervised.ts';
import { type Leftover, sweep } from '@drover/cloud-sandbox/real/account/sweep.ts';
import { inspect, refusalFor } from './guard.ts';
import { makeNetwork, type Network } from './network.ts';
import type { Suite } from './suites.ts';

/** The machine that a run happens on. */
export interface RunHost {
  readonly now: () => number;
  readonly wait: (seconds: number) => Promise<void>;
  readonly say: (line: string) => void;
}

/** What became of a run. Only `done` without failures is a success. */
export type RunResult =
  | { readonly kind: 'refused'; readonly why: string }
  | {
      readonly kind: 'done';
      /** What failed or was cut off; empty if all suites passed. */
      readonly failures: readonly string[];
      /** What the sweep could not remove, or not list. */
      readonly left: readonly Leftover[];
    };

/** What a suite finds in the account. */
export interface SuitePlace {
  readonly accountId: string;
  /** Undefined unless a suite of the run launches instances. */
  readonly network: Network | undefined;
  readonly clients: AccountClients;
}

export interface RunOptions extends RunHost {
  readonly run: string;
  readonly region: string;
  /** For the command that the refusal names. */
  readonly profile?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly speed?: number | undefined;
  readonly suites: readonly Suite[];
  /** New clients: those that make something are supervised, those that look and remove are not. */
  readonly openClients: () => AccountClients;
  /** For the run once its account is known, and nothing is made yet. */
  readonly openLedger: (accountId: string) => Ledger;
  /** Whether to go on, now that the account is known. */
  readonly confirm: (accountId: string) => Promise<boolean>;
  /** Deploys the release, for suites that need it. */
  readonly deployRelease: (clients: AccountClients, accountId: string) => Promise<void>;
  /** Resolves to what failed; rejects if it is cut off. */
  readonly runSuite: (suite: Suite, place: SuitePlace) => Promise<readonly string[]>;
  /** Aborted by Ctrl-C: no further suite begins, and the clean-up runs. */
  readonly signal: AbortSignal;
  readonly sweepRounds?: number;
}

/** @throws what AWS answers to the first reads, before anything is made. */
export async function run(options: RunOptions): Promise<RunResult> {
  const { region, openClients, say, signal } = options;
  const plain = openClients();
  const { Account: accountId = '' } = await plain.sts.send(new GetCallerIdentityCommand({}));
  say(`Account ${accountId}, region ${region}, run ${options.run}`);
  const why = refusalFor(await inspect(plain), options);
  if (why !== undefined) return { kind: 'refused', why };
  if (!(await options.confirm(accountId))) return { kind: 'refused', why: 'nothing was made: say --yes' };
  if (signal.aborted) return { kind: 'refused', why: 'nothing was made: interrupted' };
  const ledger = options.openLedger(accountId);
  ledger.add({ event: 'begin', run: options.run, accountId, region, at: timeOf(options) });
  const clients = supervised(openClients(), { run: options.run, ledger });
  const failures = await failuresOf(options, { clients, accountId });
  say(signal.aborted ? 'Interrupted: cleaning up ...' : 'Cleaning up ...');
  const left = await cleanUp(options);
  if (left.length === 0) ledger.add({ event: 'clean', at: timeOf(options) });
  return { kind: 'done', failures, left };
}

const timeOf = ({ now }: RunHost): string => new Date(now()).toISOString();

/** Whatever ends a suite, the clean-up comes next: so nothing is thrown here. */
async function failuresOf(
  options: RunOptions,
  { clients, accountId }: Pick<SuitePlace, 'clients' | 'accountId'>,
): Promise<readonly string[]> {
  const failures: string[] = [];
  try {
    const launches = options.suites.some((suite) => suite.launches);
    const network = launches ? await makeNetwork(clients) : undefined;
    for (const suite of options.suites) {
      if (options.signal.aborted) break;
      if (suite.deploysRelease) await options.deployRelease(clients, accountId);
      if (options.signal.aborted) break;
      failures.push(...(await options.runSuite(suite, { accountId, network, clients })));
    }
  } catch (error) {
    if (error !== options.signal.reason)
      failures.push(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  }
  if (options.signal.aborted) failures.push('interrupted');
  return failures;
}

/** Clients of its own: the run's may be what failed. */
const cleanUp = ({
  run: id,
  openClients,
  wait,
  say,
  sweepRounds,
}: RunOptions): Promise<readonly Leftover[]> =>
  sweep({
    clients: openClients(),
    scope: { run: id },
    wait,
    ...(sweepRounds !== undefined && { rounds: sweepRounds }),
    onRound: (found) => say(describeRound(found)),
  });

/** A line for one round of a sweep. */
export function describeRound(found: readonly Leftover[]): string {
  if (found.length === 0) return 'Nothing is left';
  const byKind = Map.groupBy(found, ({ kind }) => kind);
  return `Left: ${[...byKind].map(([kind, ofKind]) => `${ofKind.length} x ${kind}`).join(', ')}`;
}
