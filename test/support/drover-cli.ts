import { createHttpApi, createIamAuthorizer } from '@drover/cloud-sandbox/lambda';
import { createRandom } from '@drover/cloud-sandbox/simulation';
import type { DroverWorld } from '../../local/world/drover-world.ts';
import { runDrover, sendToHttpApi } from '../cli/run-drover.ts';

const mayInvoke = (resource: string) => ({
  Version: '2012-10-17',
  Statement: [
    { Effect: 'Allow', Action: 'execute-api:Invoke', Resource: `arn:aws:execute-api:*:*:${resource}` },
  ],
});

/** `drover` for a user who may call this API and nothing else of AWS. */
export function droverFor(world: DroverWorld, resource = '*') {
  const { account, clock, lambda, timeline, wiring } = world;
  const user = account.iam.putUser({ userName: 'pipeline', policies: [mayInvoke(resource)] });
  const authorize = createIamAuthorizer({ iam: account.iam, clock, signingClock: clock });
  const api = createHttpApi({ wiring, lambda, clock, random: createRandom(9), authorize });
  return (line: string) =>
    runDrover(line, {
      environment: {
        DROVER_API_URL: `https://${api.apiId}.execute-api.eu-west-1.amazonaws.com`,
        AWS_ACCESS_KEY_ID: user.accessKeyId,
        AWS_SECRET_ACCESS_KEY: user.secretAccessKey,
      },
      clock,
      pause: (milliseconds) => timeline.pass(milliseconds / 1000),
      sendHttp: sendToHttpApi(api),
    });
}
