import { createIam } from '@drover/cloud-sandbox/aws';
import { createHttpApi, createIamAuthorizer } from '@drover/cloud-sandbox/lambda';
import { createRandom } from '@drover/cloud-sandbox/simulation';
import { contract } from '@drover/cloud-sandbox/truth/contract.ts';
import { callers } from '../../../scripts/account/release-stack.ts';
import { sendToHttpApi } from '../../cli/run-drover.ts';
import { createScaleApiWorld, context as lambdaContext } from '../../shared/scale-api/scale-api-world.ts';
import { type AuthorizerWorld, authorizerCases } from './authorizer-cases.ts';

const accountId = '123456789012';
const region = 'eu-west-1';
const host = `sandbox.execute-api.${region}.amazonaws.com`;

const document = (statement: object) => ({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', ...statement }],
});
const roleArnOf = (caller: string): string => `arn:aws:iam::${accountId}:role/${caller}`;

/** The scale API behind an HTTP API, and the roles of the callers. */
function simulated(): AuthorizerWorld {
  const world = createScaleApiWorld({ principals: `viewer=${roleArnOf('viewer')}` });
  const { clock } = world.cloud;
  const random = createRandom(3);
  const iam = createIam({ clock, random, accountId });
  const trustPolicy = document({ Action: 'sts:AssumeRole', Principal: { Service: 'lambda.amazonaws.com' } });
  for (const [roleName, { mayInvoke }] of Object.entries(callers))
    iam.putRole({
      roleName,
      policies: mayInvoke ? [document({ Action: 'execute-api:Invoke', Resource: '*' })] : [],
      trustPolicy,
    });
  const route = {
    routeKey: 'ANY /{proxy+}',
    functionArn: 'scale-api',
    authorizationType: 'AWS_IAM' as const,
    timeoutMilliseconds: 30_000,
  };
  const api = createHttpApi({
    wiring: { accountId, region, routes: [route] },
    lambda: {
      invoke: async (_, event) => ({ kind: 'succeeded', result: await world.handler(event, lambdaContext) }),
    },
    clock,
    random,
    authorize: createIamAuthorizer({ iam, clock, signingClock: clock }),
  });
  const send = sendToHttpApi(api);
  return {
    host,
    region,
    now: () => clock.now(),
    credentialsOf: async (caller) =>
      iam.issueCredentials({ roleArn: roleArnOf(caller), sessionName: 'case', durationSeconds: 3600 }),
    send: async ({ method, path, headers, body }) =>
      await send({
        method,
        url: `https://${host}${path}`,
        headers,
        timeoutMilliseconds: 30_000,
        ...(body !== undefined && { body }),
      }),
  };
}

contract({ area: 'Authorizer of the scale API', world: 'sandbox', cases: authorizerCases, open: simulated });
