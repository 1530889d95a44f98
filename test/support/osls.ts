import { spawn } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export interface OslsRun {
  readonly code: number | null;
  readonly output: string;
}

/** A copy of the deployment in a folder of its own, because osls empties `.serverless`. */
export interface DeploymentCopy extends AsyncDisposable {
  readonly directory: string;
  /** Writes deploy/stages/STAGE.yml. */
  writeStage(stage: string, yaml: string): Promise<void>;
  /** Runs osls with no more of the environment than is given. */
  run(parameters: readonly string[], environment?: Readonly<Record<string, string>>): Promise<OslsRun>;
}

export async function copyDeployment(): Promise<DeploymentCopy> {
  const directory = await mkdtemp(join(tmpdir(), 'drover-deployment-'));
  for (const copied of ['serverless.yml', 'package.json', 'deploy'])
    await cp(copied, join(directory, copied), { recursive: true });
  for (const linked of ['node_modules', 'scripts', 'dist'])
    await symlink(join(process.cwd(), linked), join(directory, linked));
  return {
    directory,
    writeStage: (stage, yaml) => writeFile(join(directory, 'deploy', 'stages', `${stage}.yml`), yaml),
    run: (parameters, environment = {}) => run(directory, parameters, environment),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
}

async function run(
  cwd: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<OslsRun> {
  const child = spawn(process.execPath, ['node_modules/serverless/bin/serverless.js', ...parameters], {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: cwd,
      SLS_TELEMETRY_DISABLED: '1',
      SLS_NOTIFICATIONS_MODE: 'off',
      ...environment,
    },
  });
  const ended = new Promise<number | null>((resolve, reject) =>
    child.on('close', resolve).on('error', reject),
  );
  const [out, error, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, output: `${out}${error}` };
}
