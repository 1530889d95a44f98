import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { clientOptions, miniStack, running } from '@drover/cloud-sandbox/real/emulators/emulators.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { releasedDirectory, releasedTemplate } from '../../support/released.ts';
import { startAccountCommand } from './support/account-command.ts';

const isMissing = miniStack.missing !== undefined;
const startMiniStack = running(miniStack);
let folder: string;

interface Template {
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties?: object }>>;
}

/** The release without its alarms over several metrics, which MiniStack refuses. */
beforeAll(async () => {
  if (isMissing) return;
  folder = mkdtempSync(join(tmpdir(), 'account-'));
  const template = (await releasedTemplate()) as Template;
  const isKnown = ({ Type, Properties = {} }: Template['Resources'][string]): boolean =>
    Type !== 'AWS::CloudWatch::Alarm' || !('Metrics' in Properties);
  const Resources = Object.fromEntries(Object.entries(template.Resources).filter(([, one]) => isKnown(one)));
  cpSync(join(releasedDirectory, 'functions'), join(folder, 'functions'), { recursive: true });
  writeFileSync(join(folder, 'drover-0.0.0.template.json'), JSON.stringify({ ...template, Resources }));
});
afterAll(() => {
  if (!isMissing) rmSync(folder, { recursive: true });
});

async function start(...flags: readonly string[]) {
  const { url } = await startMiniStack();
  const place = { endpoint: url, region: 'us-east-1', speed: 999, accessKeyId: 'x', secretAccessKey: 'x' };
  return startAccountCommand(place, '--suite', 'api', '--release', folder, ...flags);
}

/** Stacks and queues of the account. */
async function left(): Promise<readonly unknown[]> {
  const options = clientOptions(await startMiniStack());
  const { Stacks = [] } = await new CloudFormationClient(options).send(new DescribeStacksCommand({}));
  const { QueueUrls = [] } = await new SQSClient(options).send(new ListQueuesCommand({}));
  return [...Stacks, ...QueueUrls];
}

test.skipIf(isMissing)(
  'a run with MiniStack as the account deploys the release, passes what MiniStack decides, and leaves nothing',
  async () => {
    const run = await start('--yes', '--only', 'intake|hook-notifications|schedules|without a signature');
    expect(await run.ended, run.text()).toBe(0);
    expect(run.text()).toMatch(/Making the stack drover-account-\w{8}-release.*Tests .*7 passed/s);
    expect(run.text()).toMatch(/Left: 2 x stack, 15 x queue.*Nothing is left\nNothing is left/s);
    expect(run.ledger()).toMatch(/"made","kind":"bucket".*"made","kind":"stack".*"clean"/s);
    expect(await left()).toEqual([]);
    run.forget();
  },
);

test.skipIf(isMissing)(
  'a run that is killed while its stack is made leaves nothing after a sweep from elsewhere',
  async () => {
    const run = await start('--yes');
    await eventually(() => expect(run.text()).toMatch(/Making the stack .*-release/));
    run.child.kill('SIGKILL');
    expect(await run.ended).toBe('SIGKILL');
    expect(await left()).not.toEqual([]);
    const sweep = await start('--sweep', '--yes');
    expect(await sweep.ended, sweep.text()).toBe(0);
    expect(await left()).toEqual([]);
    run.forget();
  },
);

test.skipIf(isMissing)(
  'a stack that cannot be made is a failure with the reason of CloudFormation, and leaves nothing',
  async () => {
    const whole = await start('--yes', '--release', releasedDirectory);
    expect(await whole.ended).toBe(1);
    expect(whole.text()).toMatch(/Failed: DeployError: .*-release is CREATE_FAILED: .*metric math/);
    expect(await left()).toEqual([]);
    whole.forget();
  },
);

test('a folder that is not a release is refused before the account is asked', async () => {
  const place = {
    endpoint: 'http://127.0.0.1:1',
    region: 'us-east-1',
    speed: 1,
    accessKeyId: 'x',
    secretAccessKey: 'x',
  };
  const run = startAccountCommand(place, '--suite', 'api', '--release', tmpdir(), '--yes');
  expect(await run.ended).toBe(1);
  expect(run.text()).toMatch(/^ReleaseFolderError: .* is not a release: run npm run release/);
});
