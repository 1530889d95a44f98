import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createIam, createS3, createSsm, createSts } from '@drover/cloud-sandbox/aws';
import { createRandom } from '@drover/cloud-sandbox/simulation';
import { createManualClock } from '@drover/cloud-sandbox/test/aws/support/manual-clock.ts';
import {
  accountId,
  createTestFront,
  credentials,
  region,
} from '@drover/cloud-sandbox/test/aws/support/test-front.ts';
import { runCli } from '../../../cli/program.ts';
import { domain, droverAt, temporaryFolder } from './support.ts';

/** A folder of certificates, and a machine that reaches a simulated Parameter Store. */
export async function createBench() {
  const clock = createManualClock();
  const ssm = createSsm({ clock, accountId, region, putAwsEvent: () => undefined });
  const random = createRandom(3);
  const s3 = createS3({ clock, random, accountId, region });
  const sts = createSts({ iam: createIam({ clock, random, accountId }), clock, random, region });
  const { clientOptions, connection } = createTestFront({ services: [ssm, s3, sts], clock });
  const folder = join(temporaryFolder(), 'pki');
  const make = (line: string) => droverAt(clock.now())(`pki ${line} --out ${folder}`);
  await make(`--domain ${domain}`);
  const run = async (line: string) => {
    const written = { out: '', err: '' };
    const code = await runCli(['pki', 'upload', folder, ...line.split(' ').filter(Boolean)], {
      environment: {
        AWS_REGION: region,
        AWS_ACCESS_KEY_ID: credentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      },
      homeDirectory: '/nowhere',
      clock,
      pause: () => Promise.reject(new Error('nothing waits here')),
      stdout: { isTerminal: false, write: (text) => void (written.out += text) },
      stderr: { isTerminal: false, write: (text) => void (written.err += text) },
      readFile: () => Promise.reject(new Error('no file here')),
      runProgram: () => Promise.reject(new Error('no program here')),
      sendHttp: () => Promise.reject(new Error('no network here')),
      awsRequestHandler: clientOptions.requestHandler,
    });
    return { code, ...written };
  };
  const file = (path: string) => readFileSync(join(folder, path), 'utf8');
  const value = (name: string) => ssm.controls.value(name);
  const keyArn = (name: string) => ssm.controls.keyArn(name);
  return { run, make, file, value, keyArn, clock, s3, connection };
}
