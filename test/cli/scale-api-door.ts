import { administratorAccess, createIam } from '@drover/cloud-sandbox/aws';
import { createHttpApi, createIamAuthorizer } from '@drover/cloud-sandbox/lambda';
import { createRandom } from '@drover/cloud-sandbox/simulation';
import type { SendHttp } from '../../shared/net/http.ts';
import { createScaleApiWorld, context as lambdaContext } from '../shared/scale-api/scale-api-world.ts';
import { runDrover, sendToHttpApi } from './run-drover.ts';

const endpoint = 'https://sandbox.execute-api.eu-west-1.amazonaws.com';
const accountId = '123456789012';

/** `drover` before the scale API, with API Gateway and its IAM authorizer between them; time passes when a command waits. */
export function createScaleCli() {
  const world = createScaleApiWorld();
  const { cloud } = world;
  const random = createRandom(3);
  const iam = createIam({ clock: cloud.clock, random, accountId });
  const user = iam.putUser({ userName: 'operator', policies: [administratorAccess] });
  const route = {
    routeKey: 'ANY /{proxy+}',
    functionArn: 'scale-api',
    authorizationType: 'AWS_IAM' as const,
    timeoutMilliseconds: 30_000,
  };
  const api = createHttpApi({
    wiring: { accountId, region: 'eu-west-1', routes: [route] },
    lambda: {
      invoke: async (_, event) => ({ kind: 'succeeded', result: await world.handler(event, lambdaContext) }),
    },
    clock: cloud.clock,
    random,
    authorize: createIamAuthorizer({ iam, clock: cloud.clock, signingClock: cloud.clock }),
  });

  const machine = { outage: 0, onPause: () => {} };
  const send = sendToHttpApi(api);
  const sendHttp: SendHttp = async (request) => {
    if (machine.outage-- > 0) throw new Error('connect ECONNREFUSED');
    return await send(request);
  };
  const drover = (line: string, environment: Readonly<Record<string, string>> = {}) =>
    runDrover(line, {
      environment: {
        DROVER_API_URL: endpoint,
        AWS_ACCESS_KEY_ID: user.accessKeyId,
        AWS_SECRET_ACCESS_KEY: user.secretAccessKey,
        ...environment,
      },
      clock: cloud.clock,
      pause: async (milliseconds) => {
        cloud.advance(milliseconds / 1000);
        machine.onPause();
      },
      sendHttp,
    });
  return { ...world, drover, machine };
}
