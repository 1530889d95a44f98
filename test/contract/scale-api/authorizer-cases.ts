import type { Cases } from '@drover/cloud-sandbox/truth/contract.ts';
import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest } from '@smithy/core/transport';
import { SignatureV4 } from '@smithy/signature-v4';
import { expect } from 'vitest';
import type { Caller } from '../../../scripts/account/release-stack.ts';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

export interface GatewayRequest {
  readonly method: 'GET' | 'PUT';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface AuthorizerWorld {
  /** Of the HTTP API: a part of what is signed. */
  readonly host: string;
  readonly region: string;
  readonly credentialsOf: (caller: Caller) => Promise<Credentials>;
  readonly send: (request: GatewayRequest) => Promise<{ readonly status: number; readonly body: string }>;
  readonly now: () => number;
}

/** What is signed, and how. */
interface Signing {
  readonly caller?: Caller;
  readonly region?: string;
  readonly service?: string;
  /** Other credentials than those of the caller. */
  readonly change?: (credentials: Credentials) => Credentials;
  readonly secondsAgo?: number;
  readonly request?: Partial<GatewayRequest>;
}

export async function signed(world: AuthorizerWorld, signing: Signing = {}): Promise<GatewayRequest> {
  const { caller = 'viewer', region = world.region, service = 'execute-api', secondsAgo = 0 } = signing;
  const { change = (same) => same } = signing;
  const credentials = change(await world.credentialsOf(caller));
  const request: GatewayRequest = { method: 'GET', path: '/groups', headers: {}, ...signing.request };
  const signer = new SignatureV4({ service, region, credentials, sha256: Sha256 });
  const [path = '', query = ''] = request.path.split('?');
  const { headers } = await signer.sign(
    new HttpRequest({
      method: request.method,
      protocol: 'https:',
      hostname: world.host,
      path,
      query: Object.fromEntries(new URLSearchParams(query)),
      headers: { ...request.headers, host: world.host },
      body: request.body,
    }),
    { signingDate: new Date(world.now() - secondsAgo * 1000) },
  );
  return { ...request, headers };
}

type Answer = Awaited<ReturnType<AuthorizerWorld['send']>>;

/** API Gateway refuses: a 403 of the function is a problem document. */
function expectRefusal({ status, body }: Answer): void {
  expect([status, body]).toEqual([403, expect.stringContaining('"message"')]);
  expect(Object.keys(JSON.parse(body) as object)).toEqual(['message']);
}

const refused =
  (signing: Signing) =>
  async (world: AuthorizerWorld): Promise<void> =>
    expectRefusal(await world.send(await signed(world, signing)));

/** The authorizer `AWS_IAM` of the HTTP API before the scale API. */
export const authorizerCases: Cases<AuthorizerWorld> = {
  'a signed request of a role that may invoke the API reaches the function': async (world) => {
    const { status, body } = await world.send(await signed(world));
    expect([status, body]).toEqual([200, expect.stringContaining('"groups"')]);
  },

  'a caller that may invoke the API and has no role in Drover is refused by the function': async (world) => {
    const { status, body } = await world.send(await signed(world, { caller: 'stranger' }));
    expect([status, JSON.parse(body)]).toMatchObject([403, { type: expect.any(String) }]);
  },

  'a request without a signature is refused': async (world) =>
    expectRefusal(await world.send({ method: 'GET', path: '/groups', headers: { host: world.host } })),

  'a role without execute-api:Invoke is refused': refused({ caller: 'uninvited' }),
  'a signature for another region is refused': refused({ region: 'ap-south-2' }),
  'a signature for another service is refused': refused({ service: 'sqs' }),
  'a signature with another secret is refused': refused({
    change: (credentials) => ({ ...credentials, secretAccessKey: 'guessed' }),
  }),
  'the credentials of a role without their session token are refused': refused({
    change: ({ accessKeyId, secretAccessKey }) => ({ accessKeyId, secretAccessKey }),
  }),
  'an access key that does not exist is refused': refused({
    change: (credentials) => ({ ...credentials, accessKeyId: 'ASIAAAAAAAAAAAAAAAAA' }),
  }),
  'a signature of ten minutes ago is refused': refused({ secondsAgo: 600 }),

  'a request whose path was changed after it was signed is refused': async (world) =>
    expectRefusal(await world.send({ ...(await signed(world)), path: '/groups/workers' })),

  'a request whose body was changed after it was signed is refused': async (world) => {
    const request = {
      method: 'PUT',
      path: '/groups/workers/capacity',
      body: '{"desiredCapacity":1}',
    } as const;
    expectRefusal(await world.send({ ...(await signed(world, { request })), body: '{"desiredCapacity":9}' }));
  },
};
