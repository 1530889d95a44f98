import { createAwsFront, createIam, createIamApi, createSts } from '@drover/cloud-sandbox/aws';
import { createRandom } from '@drover/cloud-sandbox/simulation';
import { createManualClock } from '@drover/cloud-sandbox/test/aws/support/manual-clock.ts';
import type { Clock } from '../../shared/base/clock.ts';
import type { SendHttp } from '../../shared/net/http.ts';

const accountId = '123456789012';

/** The simulated STS behind plain HTTP, with a user whose signatures it knows, on time that a test moves. */
export function createStsWorld() {
  const clock = createManualClock();
  return { ...stsOn(clock), clock };
}

/** The same on another clock: that of this machine, for programs of others. */
export function stsOn(clock: Clock) {
  const iam = createIam({ clock, random: createRandom(3), accountId });
  /** Operations that IAM refuses. */
  const refused = new Set<string>();
  const accessKeyId = 'AKIAQ3EGR6KXEXAMPLE2';
  const secretAccessKey = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
  iam.putUser({ userName: 'ann', policies: [], accessKeyId, secretAccessKey });
  const front = createAwsFront({
    services: [
      createSts({ iam, clock, random: createRandom(4), region: 'eu-west-1' }),
      createIamApi({ iam, accountId }),
    ],
    findIdentity: iam.findIdentity,
    authorize: ({ operation }) =>
      refused.has(operation) ? `not authorized to perform: sts:${operation}` : undefined,
    clock,
    random: createRandom(4),
  });
  const sent: string[] = [];
  const sendHttp: SendHttp = async ({ method, url, headers, body = '' }) => {
    sent.push(new URL(url).host);
    const { pathname, searchParams, host } = new URL(url);
    const answer = await front.handle({
      method,
      path: pathname,
      query: [...searchParams],
      headers: { host, ...headers },
      body: Buffer.from(body),
    });
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: '',
      bytes: Buffer.from(answer.body),
    };
  };
  return {
    iam,
    refused,
    sendHttp,
    /** The hosts that were asked. */
    sent,
    accessKeyId,
    secretAccessKey,
    arn: `arn:aws:iam::${accountId}:user/ann`,
    environment: { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey },
  };
}
