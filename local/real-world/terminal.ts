import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { administratorAccess } from '@drover/cloud-sandbox/aws';
import type { TerminalEnvironment } from '../../cli/env/environment-file.ts';
import { terminalEnvironmentOf } from '../terminal/terminal-environment.ts';
import type { Account } from './account.ts';

/** What commands reach. */
export interface ReachedWorld extends Pick<Account, 'cloud' | 'clock' | 'aws' | 'scaleApi'> {
  readonly controlPlane: { readonly kubeconfig: string };
}

const drover = join(import.meta.dirname, '..', '..', 'cli', 'drover.ts');

/** The variables of an administrator. */
export function environmentOf({
  controlPlane,
  aws,
  scaleApi,
  cloud,
  clock,
}: ReachedWorld): TerminalEnvironment {
  const { accessKeyId, secretAccessKey } = cloud.account.iam.putUser({
    userName: 'you',
    policies: [administratorAccess],
  });
  return terminalEnvironmentOf({
    cloud,
    clock,
    awsUrl: aws.url,
    scaleApiUrl: scaleApi.url,
    kubeconfig: controlPlane.kubeconfig,
    region: cloud.account.region,
    accessKeyId,
    secretAccessKey,
    reachesEtcd: true,
  });
}

/**
 * Runs `drover` in a process of its own, as an administrator.
 *
 * @returns what it has written
 * @throws Error with that, if it does not end with 0
 */
export const runDroverIn = (world: ReachedWorld, words: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, ...environmentOf(world) };
    execFile(process.execPath, [drover, ...words], { env }, (error, stdout, stderr) => {
      if (error) reject(new Error(`drover ${words.join(' ')}: ${stdout}${stderr}`, { cause: error }));
      else resolve(stdout);
    });
  });
