import { createAwsFront, createIam, createSts } from '@drover/cloud-sandbox/aws';
import { createRandom } from '@drover/cloud-sandbox/simulation';
import { createManualClock } from '@drover/cloud-sandbox/test/aws/support/manual-clock.ts';
import type { SendHttp } from '../../shared/net/http.ts';

const accountId = '123456789012';

/** The simulated STS behind plain HTTP, with a user whose signatures it knows. */
export function createStsWorld() {
  const clock = createManualClock();
  const iam = createIam({ clock, random: createRandom(3), accountId });
  const accessKeyId = 'AKIAQ3EGR6KXEXAMPLE2';
  const secretAccessKey = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
  iam.putUser({ userName: 'ann', policies: [], accessKeyId, secretAccessKey });
  const front = createAwsFront({
    services: [createSts({ iam })],
    findIdentity: iam.findIdentity,
    authorize: () => undefined,
    clock,
    random: createRandom(4),
  });
  const sendHttp: SendHttp = async ({ method, url, headers }) => {
    const { pathname, searchParams, host } = new URL(url);
    const answer = await front.handle({
      method,
      path: pathname,
      query: [...searchParams],
      headers: { host, ...headers },
      body: new Uint8Array(),
    });
    return { status: answer.statusCode, headers: {}, body: '', bytes: Buffer.from(answer.body) };
  };
  return {
    clock,
    iam,
    sendHttp,
    accessKeyId,
    secretAccessKey,
    arn: `arn:aws:iam::${accountId}:user/ann`,
    environment: { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey },
  };
}
