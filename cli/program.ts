import { Command, CommanderError } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { registerAdopt } from './adopt/command.ts';
import { registerApply } from './apply/command.ts';
import { registerAuthConfig } from './auth-config/command.ts';
import { isCredentialError } from './caller/credential-errors.ts';
import { registerCompletion } from './completion/command.ts';
import { type CliContext, contextOn, type Machine } from './context.ts';
import { registerCsr } from './csr/command.ts';
import { registerDoctor } from './doctor/command.ts';
import { registerDrain } from './drain/command.ts';
import { registerEnv } from './env/command.ts';
import { registerEtcd } from './etcd/command.ts';
import { registerEvents } from './events/command.ts';
import { CliError, exitCodes } from './exit-codes.ts';
import { registerGroups } from './groups/command.ts';
import { helpFor } from './help-width.ts';
import { registerHold } from './hold/command.ts';
import { registerHooks } from './hooks/command.ts';
import { registerLeave } from './leave/command.ts';
import { listByDefault } from './listing/by-default.ts';
import { registerMigrate } from './migrate/command.ts';
import { registerNodes } from './nodes/command.ts';
import { registerOperatorRole } from './operator-role/command.ts';
import { registerOwnKubeconfig } from './own-kubeconfig/command.ts';
import { registerPause } from './pausing/command.ts';
import { registerPki } from './pki/command.ts';
import { plainBooleans } from './plain-booleans.ts';
import { oneLine } from './plain-text.ts';
import { registerPlan } from './plan/command.ts';
import { registerRbac } from './rbac/command.ts';
import { registerRedrive } from './redrive/command.ts';
import type { RegisterCommand } from './register.ts';
import { registerRelease } from './release/command.ts';
import { registerReport } from './report/command.ts';
import { registerRoll } from './roll/command.ts';
import { registerRotate } from './rotate/command.ts';
import { registerScale } from './scale/command.ts';
import { registerSchedule } from './schedule/command.ts';
import { flagsToGive, isConfigError } from './setting-errors.ts';
import { registerStatus } from './status/command.ts';
import { registerTestAlarm } from './test-alarm/command.ts';
import { registerToken } from './token/command.ts';
import { registerTrial } from './trial/command.ts';
import { registerUi } from './ui/command.ts';
import { registerUninstall } from './uninstall/command.ts';
import { registerUserData } from './user-data/command.ts';

const commands: readonly RegisterCommand[] = [
  registerAdopt,
  registerApply,
  registerAuthConfig,
  registerCompletion,
  registerCsr,
  registerDoctor,
  registerDrain,
  registerEnv,
  registerEtcd,
  registerEvents,
  registerGroups,
  registerHold,
  registerHooks,
  registerOperatorRole,
  registerOwnKubeconfig,
  registerLeave,
  registerMigrate,
  registerNodes,
  registerPause,
  registerPki,
  registerPlan,
  registerRbac,
  registerRedrive,
  registerRelease,
  registerReport,
  registerRoll,
  registerRotate,
  registerTestAlarm,
  registerToken,
  registerTrial,
  registerScale,
  registerSchedule,
  registerStatus,
  registerUi,
  registerUninstall,
  registerUserData,
];

/** The whole program, with its words sent to the context. */
export function createProgram(given: CliContext): Command {
  const context = { ...given };
  const program = new Command('drover')
    .description('A control plane for the nodes of a Kubernetes cluster on EC2 Auto Scaling groups')
    .version(packageJson.version)
    .configureOutput({
      writeOut: (text) => context.stdout.write(helpFor(context.stdout.columns ?? Infinity, text)),
      writeErr: (text) => context.stderr.write(text),
      getOutHasColors: () => context.stdout.isTerminal,
      getErrHasColors: () => context.stderr.isTerminal,
    })
    .exitOverride()
    .enablePositionalOptions()
    .hook('preAction', async (_program, command) => {
      context.environment = await withRegion(given, command);
    });
  for (const register of commands) register(program, context);
  nameOwnHelp(program, 'drover');
  return program;
}

/** The environment with the region of the AWS profile, for a command that needs a region and got none. */
async function withRegion(
  { environment, stderr }: Pick<CliContext, 'environment' | 'stderr'>,
  command: Command,
): Promise<CliContext['environment']> {
  const { region, profile } = command.opts<{ readonly region?: string; readonly profile?: string }>();
  const takesRegion = command.options.some(({ long }) => long === '--region');
  if (!takesRegion || region || environment.AWS_REGION || environment.AWS_DEFAULT_REGION) return environment;
  const { profileReading, profileRegion } = await import('./aws-credentials.ts');
  const found = await profileRegion(environment, profile);
  if (found !== undefined) return { ...environment, AWS_REGION: found };
  // Otherwise the error names only the missing region. Some commands need none.
  const reading = await profileReading(environment, profile);
  if (reading.kind === 'problem') stderr.write(`warning: ${oneLine(reading.reason)}\n`);
  return environment;
}

/** After an error of its command line each command names its own help, which lists its arguments and flags. */
function nameOwnHelp(command: Command, path: string): void {
  command.showHelpAfterError(`(${path} --help explains)`);
  for (const one of command.commands) nameOwnHelp(one, `${path} ${one.name()}`);
}

/**
 * Runs one command line and says how it ended. Errors are for people: one line, with the causes behind it; never a stack,
 * unless DROVER_DEBUG is set.
 */
export async function runCli(args: readonly string[], machine: Machine): Promise<number> {
  const context = contextOn(machine);
  try {
    const program = createProgram(context);
    await program.parseAsync(listByDefault(plainBooleans(args, program), program), { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    // Commander has printed its message already; help and version are not errors.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    context.stderr.write(`drover: ${explain(error, context)}\n`);
    return exitCodeOf(error);
  }
}

/** A setting that is missing or malformed is a wrong command line: a flag gives it. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CliError) return error.exitCode;
  return isConfigError(error) ? exitCodes.usage : exitCodes.failed;
}

function explain(error: unknown, { environment }: CliContext): string {
  if (!(error instanceof Error)) return oneLine(String(error));
  if (environment.DROVER_DEBUG) return error.stack ?? error.message;
  const causes: Error[] = [];
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause)
    if (!isSaid(cause, causes.at(-1) ?? error)) causes.push(cause);
  // A message of ours may be a list; its parts are lines each.
  const message = error instanceof CliError ? error.message : oneLine(error.message);
  const parts = [message, ...causes.map((cause) => oneLine(cause.message))].filter(Boolean);
  if ([error, ...causes].some(isCredentialError)) parts.push(credentialAdvice);
  const remedy = flagsToGive(error);
  if (remedy !== undefined) parts.push(remedy);
  // A sentence that another part follows ends only in a colon.
  return parts.map((part, place) => (place < parts.length - 1 ? part.replace(/\.$/, '') : part)).join(': ');
}

/**
 * Node's own error that ours already contains: of a connection, whose code and server are in ours (`connect ECONNREFUSED 127.0.0.1:4566`), or
 * of a time that is over (`The operation was aborted due to timeout`).
 */
const isSaid = (cause: Error, by: Error): boolean =>
  (by.name === 'TimeoutError' && cause.message.startsWith('The operation was aborted')) ||
  ('code' in cause && typeof cause.code === 'string' && by.message.includes(`(${cause.code})`));

const credentialAdvice = 'check the AWS credentials: aws sts get-caller-identity';
