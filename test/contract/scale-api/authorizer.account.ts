import { request } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { text } from 'node:stream/consumers';
import { DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { AssumeRoleCommand } from '@aws-sdk/client-sts';
import { readSettings } from '@drover/cloud-sandbox/real/account/settings.ts';
import {
  accountWorld,
  type OpenAccount,
  openAccount,
} from '@drover/cloud-sandbox/test/contract/support/account.ts';
import { contract } from '@drover/cloud-sandbox/truth/contract.ts';
import { type Caller, callerRoleName, stackNames } from '../../../scripts/account/release-stack.ts';
import { type AuthorizerWorld, authorizerCases, type Credentials, signed } from './authorizer-cases.ts';

const settings = readSettings(process.env);

/** The address of the API, and who answers at it: API Gateway, or an account on the wire that tells its APIs apart by their host. */
async function placeOf({ clients }: OpenAccount): Promise<{ readonly host: string; readonly url: string }> {
  const { run = '', endpoint } = settings ?? {};
  const { Stacks: [stack] = [] } = await clients.cloudformation.send(
    new DescribeStacksCommand({ StackName: stackNames(run).release }),
  );
  const output = (key: string): string =>
    stack?.Outputs?.find(({ OutputKey }) => OutputKey === key)?.OutputValue ?? '';
  if (endpoint === undefined) return { host: new URL(output('HttpApiUrl')).host, url: output('HttpApiUrl') };
  return { host: `${output('HttpApiId')}.execute-api.localhost:${new URL(endpoint).port}`, url: endpoint };
}

const sendTo =
  (url: string): AuthorizerWorld['send'] =>
  async ({ method, path, headers, body }) => {
    const answer = Promise.withResolvers<{ readonly status: number; readonly body: string }>();
    const send = url.startsWith('https:') ? requestSecurely : request;
    const sent = send(new URL(path, url), { method, headers }, (response) => {
      text(response).then(
        (content) => answer.resolve({ status: response.statusCode ?? 0, body: content }),
        answer.reject,
      );
    });
    sent.on('error', answer.reject);
    sent.end(body);
    return await answer.promise;
  };

/** How long a new role may be unknown to STS and to API Gateway: IAM is eventually consistent. */
const tries = 12;
const secondsBetween = 10;

async function assume({ clients, pass }: OpenAccount, caller: Caller): Promise<Credentials> {
  const { run = '', accountId = '' } = settings ?? {};
  const RoleArn = `arn:aws:iam::${accountId}:role/${callerRoleName(run, caller)}`;
  for (let left = tries; ; left -= 1)
    try {
      const assumed = new AssumeRoleCommand({ RoleArn, RoleSessionName: 'case' });
      const {
        AccessKeyId = '',
        SecretAccessKey = '',
        SessionToken,
      } = (await clients.sts.send(assumed)).Credentials ?? {};
      return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken };
    } catch (error) {
      if (left === 0 || !(error instanceof Error && error.name === 'AccessDenied')) throw error;
      await pass(secondsBetween);
    }
}

/** Waits until the gateway knows the rights of the callers, so that a refusal is about the request. */
async function open(signal: AbortSignal): Promise<AuthorizerWorld> {
  const account = openAccount(signal);
  const { host, url } = await placeOf(account);
  const world: AuthorizerWorld = {
    host,
    region: account.region,
    credentialsOf: (caller) => assume(account, caller),
    send: sendTo(url),
    now: () => Date.now(),
  };
  for (const caller of ['viewer', 'stranger'] as const)
    for (let left = tries; left > 0; left -= 1) {
      const { status, body } = await world.send(await signed(world, { caller }));
      if (status !== 403 || !body.includes('"message":"Forbidden"')) break;
      await account.pass(secondsBetween);
    }
  return world;
}

contract({ ...accountWorld, area: 'Authorizer of the scale API', cases: authorizerCases, open });
