import { CreateSubnetCommand, CreateVpcCommand } from '@aws-sdk/client-ec2';
import type { Answer } from '../../../real/account/answers.ts';
import { type AccountClients, createAccountClients } from '../../../real/account/clients.ts';
import { type FixtureAnswer, toFixture } from '../../../real/account/fixtures.ts';
import { supervised } from '../../../real/account/supervised.ts';
import { createSandbox } from '../../../src/sandbox.ts';
import type { AccountArea } from './account-area.ts';
import { recordCases } from './case-recorder.ts';

/** No time passes during the calls of a case: the five calls a second of Route 53 would be over at once. */
export const timings = { route53: { requestsPerSecond: 1000 } };

/** Runs a case in a sandbox of its own, on virtual time, and gives what the sandbox answered to it. */
export async function replayCase(
  { run }: Pick<AccountArea, 'run'>,
  sentence: string,
): Promise<readonly FixtureAnswer[]> {
  const sandbox = createSandbox({ region: 'eu-west-1', timings });
  const { region } = sandbox.account;
  const answers = new Map<string, FixtureAnswer>();
  const { record, during } = recordCases((answer: Answer) => {
    const kept = toFixture(answer);
    if (answer.case !== undefined) answers.set(JSON.stringify(kept), kept);
  });
  const clients = supervised(createAccountClients({ ...sandbox.aws(), region, maxAttempts: 1 }), {
    run: '00000000',
    ledger: { add: () => undefined },
    // The names of cases have the prefix of a run only in its processes.
    isOfRun: () => true,
    onAnswer: record,
  });
  const vpcId = await makeVpc(clients);
  await run(sentence, {
    clients,
    imageId: 'ami-0123456789abcdef0',
    instanceType: 't4g.nano',
    vpcId,
    region,
    now: () => sandbox.clock.now(),
    record,
    during,
    pass: (seconds) => sandbox.pass(seconds),
    close: async () => undefined,
  });
  return [...answers.values()];
}

/** A VPC with two subnets, as a run makes them. */
async function makeVpc({ ec2 }: AccountClients): Promise<string> {
  const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: '10.255.0.0/16' }));
  const VpcId = Vpc?.VpcId ?? '';
  for (const [CidrBlock, AvailabilityZone] of [
    ['10.255.0.0/20', 'eu-west-1a'],
    ['10.255.16.0/20', 'eu-west-1b'],
  ])
    await ec2.send(new CreateSubnetCommand({ VpcId, CidrBlock, AvailabilityZone }));
  return VpcId;
}
