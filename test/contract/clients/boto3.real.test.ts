import { join } from 'node:path';
import { clients, program } from '@drover/cloud-sandbox/real/programs.ts';
import { type Cases, contract } from '@drover/cloud-sandbox/truth/contract.ts';
import { afterAll, beforeAll } from 'vitest';
import { interrupt, type StartedSandbox, startSandbox } from '../../local/wire/support/started-sandbox.ts';
import { runClient } from './run-client.ts';
import { versionOf } from './versions.ts';

/** By what it says: the function of `boto3/checks.py` that holds it. */
const checks = {
  'paginators come to everything once: Auto Scaling, Parameter Store, S3, Route 53, EC2': 'paginators',
  'waiters end when an instance runs and is gone, a change is in sync, a bucket is there, and say when they gave up':
    'waiters',
  'times are times in each protocol, in documents and in headers': 'timestamps',
  'errors are the exceptions of each service, with status and request id': 'errors',
  'resources are found, filled, listed and deleted in bulk: EC2, SQS, S3': 'resources',
  'a file goes up and down in parts, and a part of it comes alone': 'transfers',
  'a presigned address is good without keys until it expires, and for nothing else': 'presigned',
  'a wrong secret is refused': 'wrong_secret',
  'a signature by a clock that is wrong is refused, in the code of the service': 'wrong_clock',
  'an instance waits on a hook, is given more time, and goes when the hook is completed': 'lifecycle',
} as const;

let sandbox: StartedSandbox | undefined;
let opened = 0;

// At the speed of life: at any other, signatures of another time are not judged.
beforeAll(async () => {
  if (clients.missing === undefined) sandbox = await startSandbox('--no-story');
}, 60_000);

afterAll(async () => {
  if (sandbox !== undefined) await interrupt(sandbox);
});

async function check(name: string): Promise<void> {
  if (sandbox === undefined) throw new Error('the sandbox does not run');
  const { endpoints, region, accessKeyId, secretAccessKey } = sandbox.ready;
  opened += 1;
  const { code, stderr } = await runClient({
    command: program(clients, 'python3'),
    options: [join(import.meta.dirname, 'boto3/checks.py'), name],
    environment: {
      AWS_ENDPOINT_URL: endpoints.aws,
      AWS_DEFAULT_REGION: region,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      CASE_NAME: `boto3-${opened}`,
    },
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
