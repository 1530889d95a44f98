import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { clients, program } from '../../../real/programs.ts';
import { runClient } from '../../../real/run-client.ts';
import { type Cases, contract } from '../../../truth/contract.ts';
import { type ClientsSandbox, openClientsSandbox } from './furnished-sandbox.ts';
import { versionOf } from './versions.ts';

/** The function of `boto3/checks.py` that tests each sentence. */
const checks = {
  'paginators come to everything once: Auto Scaling, Parameter Store, S3, Route 53, EC2': 'paginators',
  'waiters end when an instance runs and is gone, a change is in sync, a bucket is there, and say when they gave up':
    'waiters',
  'times are times in each protocol, in documents and in headers': 'timestamps',
  'errors are the exceptions of each service, with status and request id': 'errors',
  'resources are found, filled, listed and deleted in bulk: EC2, SQS, S3': 'resources',
  'a file is uploaded and downloaded in parts, and one part can be downloaded': 'transfers',
  'a presigned address is good without keys until it expires, and for nothing else': 'presigned',
  'a wrong secret is refused': 'wrong_secret',
  'a signature by a clock that is wrong is refused, in the code of the service': 'wrong_clock',
  'an instance waits on a hook, is given more time, and goes when the hook is completed': 'lifecycle',
} as const;

let sandbox: ClientsSandbox | undefined;
let opened = 0;

// At the speed of life: at any other, signatures of another time are not judged.
beforeAll(async () => {
  if (clients.missing === undefined) sandbox = await openClientsSandbox({ speed: 1 });
});

afterAll(async () => {
  await sandbox?.close();
});

async function check(name: string): Promise<void> {
  if (sandbox === undefined) throw new Error('the sandbox does not run');
  opened += 1;
  const { code, stderr } = await runClient({
    command: program(clients, 'python3'),
    options: [join(import.meta.dirname, 'boto3/checks.py'), name],
    environment: { ...sandbox.awsEnvironment, CASE_NAME: `boto3-${opened}` },
    timeoutSeconds: 200,
  });
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${stderr}`);
}

const cases: Cases<undefined> = Object.fromEntries(
  Object.entries(checks).map(([sentence, name]) => [sentence, () => check(name)]),
);

contract({
  area: 'boto3',
  world: `boto3 ${versionOf('boto3')}`,
  cases,
  open: () => undefined,
  // Half of them wait for instances.
  concurrent: true,
  timeoutSeconds: 240,
  missing: clients.missing,
});
