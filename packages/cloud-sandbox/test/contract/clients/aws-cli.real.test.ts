import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { clients } from '../../../real/programs.ts';
import { contract } from '../../../truth/contract.ts';
import { autoScalingCases } from './aws-cli/auto-scaling-cases.ts';
import { type CliWorld, cliWorld } from './aws-cli/cli.ts';
import { ec2Cases } from './aws-cli/ec2-cases.ts';
import { identityCases } from './aws-cli/identity-cases.ts';
import { parameterCases } from './aws-cli/parameter-cases.ts';
import { queueCases, withoutFlag } from './aws-cli/queue-cases.ts';
import { storageCases } from './aws-cli/storage-cases.ts';
import { type ClientsSandbox, openClientsSandbox } from './furnished-sandbox.ts';
import { versionOf } from './versions.ts';

const root = mkdtempSync(join(tmpdir(), 'aws-cli-'));
let sandbox: ClientsSandbox | undefined;
let opened = 0;

beforeAll(async () => {
  if (clients.missing === undefined) sandbox = await openClientsSandbox({ speed: 10 });
});

afterAll(async () => {
  await sandbox?.close();
  rmSync(root, { recursive: true, force: true });
});

function open(): CliWorld {
  if (sandbox === undefined) throw new Error('the sandbox does not run');
  opened += 1;
  const name = `case-${opened}`;
  const directory = join(root, name);
  mkdirSync(directory);
  const environment = { ...sandbox.awsEnvironment, AWS_PAGER: '' };
  return cliWorld(environment, { name, directory, endpoint: sandbox.doors.aws.url });
}

contract({
  area: 'AWS CLI',
  world: `AWS CLI ${versionOf('awscli')}`,
  cases: {
    ...identityCases,
    ...autoScalingCases,
    ...ec2Cases,
    ...parameterCases,
    ...queueCases,
    ...storageCases,
  },
  open,
  // Each call takes most of a second to start Python, and the cases do not share data.
  concurrent: true,
  timeoutSeconds: 240,
  differs: new Map([
    [
      's3 presign makes a URL that reads without credentials until it expires',
      'version 1 of the CLI presigns with Signature Version 2 in this region, which the sandbox does not know: 403',
    ],
  ]),
  notApplicable: new Map([
    [
      withoutFlag,
      'version 1 of the CLI sends SQS to an address of its own (overridesslcommonname.py of its customizations): --endpoint-url says otherwise',
    ],
  ]),
  missing: clients.missing,
});
