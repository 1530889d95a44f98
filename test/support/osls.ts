import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { OslsCommand } from './osls-process.ts';

export interface OslsRun {
  readonly code: number | null;
  readonly output: string;
}

/** A copy of the deployment in a folder of its own, because osls empties `.serverless`. Its runs share one process, one after the other. */
export interface DeploymentCopy extends AsyncDisposable {
  readonly directory: string;
  /** Writes deploy/stages/STAGE.yml. */
  writeStage(stage: string, yaml: string): Promise<void>;
  /** Runs osls with no more of the environment than is given. */
  run(parameters: readonly string[], environment?: Readonly<Record<string, string>>): Promise<OslsRun>;
  /** The template of the stage `prod` with these lines in its file. @throws Error with what osls says */
  packageStage(yaml: string): Promise<unknown>;
}

export async function copyDeployment(): Promise<DeploymentCopy> {
  const directory = await mkdtemp(join(tmpdir(), 'drover-deployment-'));
  for (const copied of ['serverless.yml', 'package.json', 'deploy'])
    await cp(copied, join(directory, copied), { recursive: true });
  for (const linked of ['node_modules', 'scripts', 'dist'])
    await symlink(join(process.cwd(), linked), join(directory, linked));
  const osls = startOsls(directory);
  const writeStage: DeploymentCopy['writeStage'] = (stage, yaml) =>
    writeFile(join(directory, 'deploy', 'stages', `${stage}.yml`), yaml);
  const run: DeploymentCopy['run'] = (parameters, environment = {}) =>
    runIn(osls, { directory, parameters, environment });
  return {
    directory,
    writeStage,
    run,
    packageStage: async (yaml) => {
      await writeStage('prod', yaml);
      const { code, output } = await run(['package', '--stage', 'prod']);
      if (code !== 0) throw new Error(output);
      const template = join(directory, '.serverless', 'cloudformation-template-update-stack.json');
      return JSON.parse(readFileSync(template, 'utf8')) as unknown;
    },
    [Symbol.asyncDispose]: async () => {
      osls.kill();
      await rm(directory, { recursive: true });
    },
  };
}

const startOsls = (directory: string): ChildProcess =>
  fork(join(import.meta.dirname, 'osls-process.ts'), {
    env: {
      PATH: process.env.PATH,
      HOME: directory,
      // Compiled once for all copies.
      SLS_SCHEMA_CACHE_BASE_DIR: resolve('node_modules', '.cache', 'osls'),
      SLS_TELEMETRY_DISABLED: '1',
      SLS_NOTIFICATIONS_MODE: 'off',
    },
  });

const runIn = (osls: ChildProcess, command: OslsCommand): Promise<OslsRun> =>
  new Promise((answer, reject) => {
    const ended = (code: number | null): void =>
      reject(new Error(`osls ended with ${code} in ${command.parameters.join(' ')}`));
    osls.once('exit', ended);
    osls.once('message', (run) => {
      osls.off('exit', ended);
      answer(run as OslsRun);
    });
    osls.send(command);
  });
