import { CreateVpcCommand } from '@aws-sdk/client-ec2';
import { PutRolePolicyCommand } from '@aws-sdk/client-iam';
import { CreateHostedZoneCommand, type VPCRegion } from '@aws-sdk/client-route-53';
import { CreateQueueCommand } from '@aws-sdk/client-sqs';
import { createAccountClients } from '@drover/cloud-sandbox/real/account/clients.ts';
import { markTag } from '@drover/cloud-sandbox/real/account/mark.ts';
import { sweep } from '@drover/cloud-sandbox/real/account/sweep.ts';
import { expect, test } from 'vitest';
import { measureRates } from '../../scripts/account/rates/rates.ts';
import { suites } from '../../scripts/account/suites.ts';
import { type Cut, createAccountOfRuns } from '../support/account-of-runs.ts';

const trustPolicy = {
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'lambda.amazonaws.com' } }],
};

type Account = ReturnType<typeof createAccountOfRuns>;

const sweepAll = ({ clients, wait }: Account) => sweep({ clients: clients(), scope: {}, wait });

/** How many calls a whole run makes: the clean-up, too. */
async function callsOfARun(): Promise<number> {
  const account = createAccountOfRuns();
  await account.begin();
  return account.calls();
}

test('a run with the rights of its plan makes one of each kind, and leaves nothing', async () => {
  const account = createAccountOfRuns();
  const { result, entries, said } = await account.begin();
  expect(result).toEqual({ kind: 'done', failures: [], left: [] });
  expect(entries.filter(({ event }) => event === 'made')).toHaveLength(16);
  expect(entries.map(({ event }) => event).at(-1)).toBe('clean');
  expect(said).toContain('Nothing is left');
  expect(await account.leftInAccount()).toEqual([]);
});

test('the ledger has each resource before the call that makes it', async () => {
  const { entries } = await createAccountOfRuns().begin();
  const made = entries.flatMap((entry, index) => (entry.event === 'made' ? [index] : []));
  for (const index of made) expect(entries[index - 1]).toMatchObject({ ...entries[index], event: 'intent' });
});

/** Reads and the creations that follow them. After these calls the clean-up lists and removes, again and again. */
const callsBeforeCleanUp = 58;

test.each([
  ['before', 0],
  ['after', 1],
  ['killed-before', 2],
  ['killed-after', 3],
] as const)('a run that is cut at any call (%s) leaves nothing once it is swept', async (how, turn) => {
  const calls = await callsOfARun();
  const whole = Array.from({ length: calls }, (_, index) => index + 1);
  // Each call of the clean-up is cut in one of the four ways, each call before it in all of them.
  for (const at of whole.filter((call) => call <= callsBeforeCleanUp || call % 4 === turn)) {
    const account = createAccountOfRuns();
    const { result } = await begun(account, { at, how });
    if (how.startsWith('killed')) expect(result, `call ${at}`).toBeUndefined();
    // The clean-up of a run that lives on is enough. It is swept only if it was killed.
    else expect(await account.leftInAccount(), `call ${at}`).toEqual([]);
    expect(await sweepAll(account), `call ${at}`).toEqual([]);
    expect(await account.leftInAccount(), `call ${at}`).toEqual([]);
  }
  expect(calls).toBeGreaterThan(50);
});

/** The first reads of a run may fail: then it has made nothing. */
async function begun(account: Account, cut: Cut): ReturnType<Account['begin']> {
  try {
    return await account.begin(cut);
  } catch (error) {
    expect(await account.leftInAccount()).toEqual([]);
    return { result: { kind: 'refused', why: String(error) }, entries: [], said: [] };
  }
}

test.each(['before', 'killed-after'] as const)(
  'a measurement of rates that is cut at any call (%s) leaves nothing once it is swept',
  async (how) => {
    // Reads, and some calls of the measurement.
    for (const at of [...Array.from({ length: 28 }, (_, index) => index + 1), 60, 200]) {
      const account = createAccountOfRuns();
      const { clock } = account.sandbox;
      const began = account.begin(
        { at, how },
        {
          suites: suites.filter(({ name }) => name === 'rates'),
          runSuite: async (_suite, { clients: { autoscaling: client } }) => {
            await measureRates({ client, now: () => clock.now(), wait: account.wait });
            return [];
          },
        },
      );
      const result = await began.then(
        (run) => run.result,
        () => undefined,
      );
      if (at > 28 && how === 'before') expect(result, `call ${at}`).toMatchObject({ kind: 'done', left: [] });
      expect(await sweepAll(account), `call ${at}`).toEqual([]);
      expect(await account.leftInAccount(), `call ${at}`).toEqual([]);
    }
  },
);

test('a run that loses its network for a hundred calls, at any time, leaves nothing', async () => {
  const calls = await callsOfARun();
  for (let at = 15; at <= calls; at += 6) {
    const account = createAccountOfRuns();
    const { result } = await begun(account, { at, how: 'after', calls: 100 });
    if (result?.kind === 'done') expect(result.left, `call ${at}`).toEqual([]);
    expect(await account.leftInAccount(), `call ${at}`).toEqual([]);
  }
});

test('a run whose network does not come back says that it does not know what is left, and a later sweep removes it', async () => {
  const account = createAccountOfRuns();
  const { result, entries } = await account.begin({ at: 32, how: 'before', calls: 9999 }, { sweepRounds: 5 });
  expect(result).toMatchObject({
    kind: 'done',
    left: expect.arrayContaining([{ kind: 'VPC', error: expect.stringContaining('socket hang up') }]),
  });
  expect(entries.map(({ event }) => event)).not.toContain('clean');
  expect(await account.leftInAccount()).not.toEqual([]);
  expect(await sweepAll(account)).toEqual([]);
  expect(await account.leftInAccount()).toEqual([]);
});

test('a run that is interrupted begins no further suite, and cleans up', async () => {
  const account = createAccountOfRuns();
  const interrupted = new AbortController();
  const begun: string[] = [];
  const { result } = await account.begin(undefined, {
    signal: interrupted.signal,
    runSuite: async ({ name }) => {
      begun.push(name);
      interrupted.abort();
      return [];
    },
  });
  expect(begun).toEqual(['hooks']);
  expect(result).toEqual({ kind: 'done', failures: ['interrupted'], left: [] });
  expect(await account.leftInAccount()).toEqual([]);
});

test('a run that is interrupted while it looks or asks makes nothing', async () => {
  const account = createAccountOfRuns();
  const interrupted = new AbortController();
  const { result, entries } = await account.begin(undefined, {
    signal: interrupted.signal,
    confirm: async () => {
      interrupted.abort();
      return true;
    },
  });
  expect(result).toEqual({ kind: 'refused', why: 'nothing was made: interrupted' });
  expect(entries).toEqual([]);
  expect(await account.leftInAccount()).toEqual([]);
});

test.each([
  [
    'Auto Scaling group',
    (account: Account) => account.sandbox.addGroup({ autoScalingGroupName: 'theirs', size: 0 }),
    /group theirs/,
  ],
  [
    'instance',
    (account: Account) =>
      void account.sandbox.account.ec2.operations.RunInstances({ MinCount: 1, MaxCount: 1 }),
    /instance i-/,
  ],
  [
    'EKS cluster',
    (account: Account) =>
      void account.sandbox.account.eks.operations.CreateCluster({
        name: 'theirs',
        roleArn: 'arn:aws:iam::123456789012:role/eks',
        resourcesVpcConfig: {},
      }),
    /cluster theirs/,
  ],
])(
  'a region with an %s that no run has made is refused before anything is made',
  async (_what, add, named) => {
    const account = createAccountOfRuns();
    add(account);
    const before = await account.leftInAccount();
    const { result, entries } = await account.begin();
    expect(result).toMatchObject({ kind: 'refused', why: expect.stringMatching(named) });
    expect(entries).toEqual([]);
    expect(await account.leftInAccount()).toEqual(before);
  },
);

test('a run that another one may still use the region of is refused, with the command that removes its resources', async () => {
  const account = createAccountOfRuns();
  await account.begin({ at: 30, how: 'killed-after' });
  const { result } = await account.begin();
  expect(result).toMatchObject({
    kind: 'refused',
    why: expect.stringMatching(/remove it with --yes: npm run account -- --sweep --region eu-west-1$/),
  });
});

test('nothing is made unless account and region are confirmed', async () => {
  const account = createAccountOfRuns();
  const { result, said } = await account.begin(undefined, { confirm: async () => false });
  expect(result).toMatchObject({ kind: 'refused' });
  expect(said).toEqual(['Account 123456789012, region eu-west-1, run abcd1234']);
  expect(await account.leftInAccount()).toEqual([]);
});

test('a sweep removes nothing that no run has marked: no names of a stage that is called account, no public zones', async () => {
  const account = createAccountOfRuns();
  const others = createAccountClients({ ...account.sandbox.aws(), maxAttempts: 1 });
  account.sandbox.addGroup({ autoScalingGroupName: 'theirs', size: 1 });
  await account.sandbox.pass(60);
  await others.ec2.send(new CreateVpcCommand({ CidrBlock: '10.9.0.0/16' }));
  for (const QueueName of [
    'drover-accounts-of-others',
    'drover-account-draining-queue',
    'drover-account-events',
  ])
    await others.sqs.send(new CreateQueueCommand({ QueueName }));
  await others.ec2.send(
    new CreateVpcCommand({
      CidrBlock: '10.10.0.0/16',
      TagSpecifications: [{ ResourceType: 'vpc', Tags: [{ Key: markTag, Value: 'by hand' }] }],
    }),
  );
  const Name = 'drover-account-abcd1234-www.example.com';
  await others.route53.send(new CreateHostedZoneCommand({ Name, CallerReference: Name }));
  const before = await account.leftInAccount();
  expect(await sweepAll(account)).toEqual([]);
  expect(await account.leftInAccount()).toEqual(before);
});

test('a run in another region is neither refused for nor swept', async () => {
  const account = createAccountOfRuns();
  const others = createAccountClients({ ...account.sandbox.aws(), maxAttempts: 1 });
  const Name = 'drover-account-ffff9999-zone.internal';
  const VPC = { VPCId: 'vpc-elsewhere', VPCRegion: 'us-east-1' as VPCRegion };
  await others.route53.send(new CreateHostedZoneCommand({ Name, VPC, CallerReference: Name }));
  const RoleName = 'drover-account-ffff9999-role';
  account.sandbox.account.iam.putRole({ roleName: RoleName, policies: [], trustPolicy });
  const { result } = await account.begin();
  expect(result).toEqual({ kind: 'done', failures: [], left: [] });
  expect(await account.leftInAccount()).toEqual([RoleName, `${Name}.`]);
  await sweepAll(account);
  expect(await account.leftInAccount()).toEqual([`${Name}.`]);
});

test.each(['drover-account-abcd1234-role', 'drover-account-draining'])(
  'the rights of a plan give no right to the role %s, which has no boundary',
  async (RoleName) => {
    const account = createAccountOfRuns();
    account.sandbox.account.iam.putRole({ roleName: RoleName, policies: [], trustPolicy });
    const allowed = { Effect: 'Allow', Action: '*', Resource: '*' };
    const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement: [allowed] });
    const given = account
      .clients()
      .iam.send(new PutRolePolicyCommand({ RoleName, PolicyName: 'all', PolicyDocument }));
    await expect(given).rejects.toThrow(/not authorized/);
  },
);

test('a sweep of one run leaves those of others', async () => {
  const account = createAccountOfRuns();
  await account.begin({ at: 30, how: 'killed-after' });
  await account.sandbox.pass(60);
  const before = await account.leftInAccount();
  const options = { clients: account.clients(), wait: account.wait };
  expect(await sweep({ ...options, scope: { run: 'ffff9999' } })).toEqual([]);
  expect(await account.leftInAccount()).toEqual(before);
});

test('a sweep says what it cannot remove, and why', async () => {
  const account = createAccountOfRuns();
  const others = createAccountClients({ ...account.sandbox.aws(), maxAttempts: 1 });
  const { Vpc } = await others.ec2.send(
    new CreateVpcCommand({
      CidrBlock: '10.255.0.0/16',
      TagSpecifications: [{ ResourceType: 'vpc', Tags: [{ Key: markTag, Value: 'abcd1234' }] }],
    }),
  );
  account.sandbox.account.ec2.operations.CreateSubnet({
    VpcId: Vpc?.VpcId,
    CidrBlock: '10.255.0.0/20',
  });
  const left = await sweep({ clients: account.clients(), scope: {}, wait: account.wait, rounds: 3 });
  expect(left).toEqual([{ kind: 'VPC', id: Vpc?.VpcId, error: expect.stringContaining('has dependencies') }]);
});
