/** `npm run account`: the contract suites with an AWS account as one more world. */
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { createAccountClients } from '@drover/cloud-sandbox/real/account/clients.ts';
import { fileLedger } from '@drover/cloud-sandbox/real/account/ledger.ts';
import { type Leftover, listMarked, sweep } from '@drover/cloud-sandbox/real/account/sweep.ts';
import { compareWithSandbox, readAnswers, renderComparison } from './compare.ts';
import { deploy } from './deploy.ts';
import { expirationIn, profileProblemIn, redirectIn } from './environment.ts';
import { passedIn, writeFixtures } from './fixtures.ts';
import { interruption, outliveReaders } from './interruption.ts';
import { type CommandLine, help, type Place, readCommandLine } from './options.ts';
import { planRun, renderPlan } from './plan.ts';
import { runRates } from './rates/run-rates.ts';
import { planDeployment, releaseTemplateIn } from './release-stack.ts';
import { describeRound, run } from './run.ts';
import { runSuite } from './run-suite.ts';
import { sweepCommand } from './sweep-command.ts';

const { stdout, stderr } = process;
const say = (line: string): void => void stdout.write(`${line}\n`);
const instanceType = 't4g.nano';
const folder = 'reports/account';

type Running = Extract<CommandLine, { kind: 'run' }>;
type Sweeping = Extract<CommandLine, { kind: 'sweep' }>;

const clientsOf = ({ region, endpoint, profile }: Place) =>
  createAccountClients({ region, endpoint, profile });
/** The time of a simulated account. */
const waitIn =
  ({ speed }: Place) =>
  (seconds: number) =>
    sleep((seconds * 1000) / speed);

const textOf = ({ kind, id, error }: Leftover): string =>
  `  ${kind}${id === undefined ? '' : ` ${id}`}${error === undefined ? '' : `: ${error}`}`;

function reportLeft(left: readonly Leftover[], command: string): void {
  if (left.length === 0) return;
  stderr.write(`Left in the account:\n${left.map(textOf).join('\n')}\nRun again: ${command}\n`);
  process.exitCode = 1;
}

async function runAll(options: Running): Promise<void> {
  const plan = planRun(options);
  if (plan.isRefused) {
    stderr.write(renderPlan(plan));
    process.exitCode = 1;
    return;
  }
  const id = randomBytes(4).toString('hex');
  const sweeping = sweepCommand({ ...options, run: id }, { isSure: true });
  const signal = interruption(() => stderr.write(`Not cleaned up. Run: ${sweeping}\n`));
  const fileFor = (name: string): string => resolve(folder, `${id}-${name}`);
  const ledger = resolve(folder, `${id}.jsonl`);
  const answers = fileFor('answers.jsonl');
  const { region, endpoint, profile, speed, only, release } = options;
  if (options.suites.some(({ deploysRelease }) => deploysRelease)) releaseTemplateIn(release);
  const result = await run({
    ...options,
    run: id,
    signal,
    say,
    now: Date.now,
    wait: waitIn(options),
    openClients: () => clientsOf(options),
    openLedger: () => fileLedger(ledger),
    confirm: async () => {
      say(`It costs at most $${plan.dollars.toFixed(2)}, and ends within ${plan.minutes} minutes`);
      return options.yes;
    },
    deployRelease: (clients, accountId) =>
      deploy(clients, planDeployment(release, { run: id, accountId }), {
        region,
        endpoint,
        signal,
        say,
        wait: waitIn(options),
      }),
    runSuite: (suite, { accountId, network, clients }) => {
      if (suite.name === 'rates') {
        const settings = { ...options, run: id, ledger: fileLedger(ledger), report: fileFor('rates.json') };
        return runRates({ ...settings, clients, signal, minutes: suite.minutes, say });
      }
      const report = fileFor(`${suite.name}.json`);
      const settings = {
        ...network,
        accountId,
        release,
        run: id,
        region,
        endpoint,
        profile,
        instanceType,
        ledger,
        answers,
        report,
        speed,
      };
      return runSuite(suite, { settings, only, signal });
    },
  });
  if (result.kind === 'refused') {
    refuse(result.why);
    return;
  }
  for (const failure of result.failures) stderr.write(`Failed: ${failure}\n`);
  if (result.failures.length > 0) process.exitCode = 1;
  reportLeft(result.left, sweeping);
  if (options.fixtures !== undefined) {
    const passed = options.suites.flatMap(({ name }) => passedIn(fileFor(`${name}.json`)));
    const files = writeFixtures(options.fixtures, readAnswers(answers), passed);
    say(files.length === 0 ? 'No fixture has changed' : `Fixtures: ${files.join(', ')}`);
  }
  if (options.compare && !signal.aborted) {
    say('Running the same cases in the sandbox ...');
    const compared = await compareWithSandbox({ ...options, run: id, instanceType, fileFor, signal });
    stdout.write(renderComparison(compared));
    if (compared.failures.length > 0) process.exitCode = 1;
  }
}

async function sweepAll(options: Sweeping): Promise<void> {
  const { region, run: id, yes } = options;
  const clients = clientsOf(options);
  const scope = { run: id };
  const { Account } = await clients.sts.send(new GetCallerIdentityCommand({}));
  say(`Account ${Account}, region ${region}, ${id === undefined ? 'all runs' : `run ${id}`}`);
  const found = await listMarked({ clients, scope });
  for (const one of found) say(textOf(one));
  if (!yes) {
    say(found.length === 0 ? 'Nothing is left' : 'Nothing was removed: say --yes');
    if (found.length > 0) process.exitCode = 1;
    return;
  }
  const onRound = (round: readonly Leftover[]): void => say(describeRound(round));
  const left = await sweep({ clients, scope, wait: waitIn(options), onRound });
  reportLeft(left, sweepCommand(options, { isSure: true }));
}

async function main(commandLine: CommandLine): Promise<void> {
  if (commandLine.kind === 'help') stdout.write(help);
  else if (commandLine.kind === 'wrong') {
    stderr.write(`${commandLine.message}\n(npm run account -- --help explains)\n`);
    process.exitCode = 2;
  } else if (commandLine.kind === 'plan') {
    const plan = planRun(commandLine);
    stdout.write(commandLine.json ? `${JSON.stringify(plan, undefined, 2)}\n` : renderPlan(plan));
    if (plan.isRefused) process.exitCode = 1;
  } else {
    const problem = await problemOf(commandLine);
    if (problem !== undefined) refuse(problem);
    else if (commandLine.kind === 'run') await runAll(commandLine);
    else await sweepAll(commandLine);
  }
}

/** Why the environment is not one for this command; undefined if it is. */
async function problemOf(commandLine: Running | Sweeping): Promise<string | undefined> {
  const { env } = process;
  const { endpoint, profile } = commandLine;
  if (endpoint === undefined) {
    const redirect = await redirectIn(env, profile);
    if (redirect !== undefined) return redirect;
  }
  const profileProblem = await profileProblemIn(env, profile);
  if (profileProblem !== undefined) return profileProblem;
  const expiration = expirationIn(env, profile);
  if (commandLine.kind === 'sweep' || expiration === undefined) return undefined;
  const { minutes } = planRun(commandLine);
  if (expiration.getTime() >= Date.now() + minutes * 60_000) return undefined;
  return `the credentials expire at ${expiration.toISOString()}, and a run may take ${minutes} minutes with its clean-up: sign in for longer, or say --profile, whose credentials are renewed`;
}

function refuse(why: string): void {
  stderr.write(`Refused: ${why}\n`);
  process.exitCode = 1;
}

outliveReaders();
try {
  await main(readCommandLine(process.argv.slice(2)));
} catch (error) {
  stderr.write(`${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}\n`);
  process.exitCode = 1;
}
