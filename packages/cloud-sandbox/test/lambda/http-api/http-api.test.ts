import { SQSClient } from '@aws-sdk/client-sqs';
import { HttpRequest } from '@smithy/core/transport';
import { expect, test } from 'vitest';
import { administratorAccess, createIam } from '../../../src/aws/iam/iam.ts';
import type { LambdaHandler } from '../../../src/lambda/function-host.ts';
import type { HttpApiRequest } from '../../../src/lambda/http-api/http.ts';
import { createHttpApi } from '../../../src/lambda/http-api/http-api.ts';
import { createIamAuthorizer } from '../../../src/lambda/http-api/iam-authorizer.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { accountId, createLambdaWorld, elapse, functionArn, region } from '../support/lambda-world.ts';

const mayRead = {
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Action: 'execute-api:Invoke',
      Resource: `arn:aws:execute-api:${region}:${accountId}:*/*/GET/*`,
    },
  ],
};

/** The function of the world behind an HTTP API, with an administrator and a user with read-only access. */
function createApiWorld(handler: LambdaHandler, { timeoutMilliseconds = 5000 } = {}) {
  const world = createLambdaWorld({ create: () => handler });
  const random = createRandom(5);
  const iam = createIam({ clock: world.clock, random, accountId });
  const administrator = iam.putUser({ userName: 'administrator', policies: [administratorAccess] });
  const reader = iam.putUser({ userName: 'reader', policies: [mayRead] });
  const stranger = { ...administrator, secretAccessKey: 'guessed' };
  const api = createHttpApi({
    wiring: {
      accountId,
      region,
      routes: [
        { routeKey: 'ANY /{proxy+}', functionArn, authorizationType: 'AWS_IAM', timeoutMilliseconds },
        { routeKey: 'GET /open', functionArn, authorizationType: 'NONE', timeoutMilliseconds },
      ],
    },
    lambda: world.lambda,
    clock: world.clock,
    random,
    authorize: createIamAuthorizer({ iam, clock: world.clock }),
  });
  return { ...world, api, administrator, reader, stranger };
}

const request = (parts: Partial<HttpApiRequest> = {}): HttpApiRequest => ({
  method: 'GET',
  path: '/groups',
  rawQueryString: '',
  headers: { host: 'api.example' },
  body: new Uint8Array(),
  sourceIp: '127.0.0.1',
  ...parts,
});

/** Signs as every SDK does, for execute-api. */
async function signed(
  unsigned: HttpApiRequest,
  credentials: { readonly accessKeyId: string; readonly secretAccessKey: string },
  signingRegion = region,
): Promise<HttpApiRequest> {
  const { config } = new SQSClient({ region, credentials });
  const scheme = { name: 'sigv4', signingName: 'execute-api', signingRegion, properties: {} };
  const signer = await config.signer(scheme);
  const { headers } = await signer.sign(
    new HttpRequest({
      method: unsigned.method,
      hostname: 'api.example',
      path: unsigned.path,
      query: Object.fromEntries(new URLSearchParams(unsigned.rawQueryString)),
      headers: { ...unsigned.headers },
      body: Buffer.from(unsigned.body),
    }),
  );
  const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...unsigned, headers: Object.fromEntries(lowered) };
}

const textOf = ({ body }: { readonly body: Uint8Array }): string => Buffer.from(body).toString();

test('a signed request becomes an event of payload format 2.0 that names its caller', async () => {
  const events: unknown[] = [];
  const world = createApiWorld(async (event) => {
    events.push(event);
    return { statusCode: 202, headers: { Location: '/groups/workers' }, body: '{"ok":true}' };
  });
  const put = request({
    method: 'PUT',
    path: '/groups/my%20workers/capacity',
    rawQueryString: 'wait=true&tag=a&tag=b',
    headers: { host: 'api.example', 'content-type': 'application/json' },
    body: Buffer.from('{"desiredCapacity":3}'),
  });
  const response = await world.api.handle(
    await signed({ ...put, rawQueryString: 'wait=true' }, world.administrator),
  );
  expect(response).toMatchObject({ status: 202, headers: { location: '/groups/workers' } });
  expect(textOf(response)).toBe('{"ok":true}');
  expect(events).toMatchObject([
    {
      version: '2.0',
      routeKey: 'ANY /{proxy+}',
      rawPath: '/groups/my workers/capacity',
      queryStringParameters: { wait: 'true' },
      pathParameters: { proxy: 'groups/my%20workers/capacity' },
      body: '{"desiredCapacity":3}',
      isBase64Encoded: false,
      requestContext: {
        stage: '$default',
        http: { method: 'PUT', sourceIp: '127.0.0.1' },
        authorizer: { iam: { userArn: `arn:aws:iam::${accountId}:user/administrator` } },
      },
    },
  ]);
});

test('a request without a valid signature is forbidden, and the function is not called', async () => {
  const world = createApiWorld(async () => ({}));
  expect(await world.api.handle(request())).toMatchObject({ status: 403 });
  expect(await world.api.handle(await signed(request(), world.stranger))).toMatchObject({ status: 403 });
  expect(world.reports).toEqual([]);
});

test('a request that is signed for another region is forbidden', async () => {
  const world = createApiWorld(async () => ({}));
  const elsewhere = await signed(request(), world.administrator, 'us-east-1');
  expect(await world.api.handle(elsewhere)).toMatchObject({ status: 403 });
  expect(world.reports).toEqual([]);
});

test('a caller with read permission is forbidden to write', async () => {
  const world = createApiWorld(async () => ({}));
  expect(await world.api.handle(await signed(request(), world.reader))).toMatchObject({ status: 200 });
  const write = await signed(request({ method: 'PUT' }), world.reader);
  expect(await world.api.handle(write)).toMatchObject({ status: 403 });
});

test('a route without an authorizer accepts every caller, and a path without a route is not found', async () => {
  const world = createApiWorld(async () => ({ hello: 'world' }));
  const response = await world.api.handle(request({ path: '/open' }));
  expect(response).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } });
  expect(textOf(response)).toBe('{"hello":"world"}');
  expect(await world.api.handle(request({ path: '/' }))).toMatchObject({ status: 404 });
});

test('a function that fails or returns an invalid answer is an internal error', async () => {
  const failing = createApiWorld(() => Promise.reject(new Error('broken')));
  const failed = await failing.api.handle(request({ path: '/open' }));
  expect([failed.status, textOf(failed)]).toEqual([500, '{"message":"Internal Server Error"}']);
  const nonsense = createApiWorld(async () => ({ statusCode: 'yes' }));
  expect(await nonsense.api.handle(request({ path: '/open' }))).toMatchObject({ status: 500 });
});

test('a function that does not answer in time is a 503', async () => {
  const world = createApiWorld(() => new Promise(() => {}), { timeoutMilliseconds: 3000 });
  const answer = world.api.handle(request({ path: '/open' }));
  await elapse(world.clock, 4);
  expect(await answer).toMatchObject({ status: 503 });
});

test('a binary answer is decoded', async () => {
  const world = createApiWorld(async () => ({
    statusCode: 200,
    body: Buffer.from([1, 2, 3]).toString('base64'),
    isBase64Encoded: true,
  }));
  const response = await world.api.handle(request({ path: '/open' }));
  expect([...response.body]).toEqual([1, 2, 3]);
});
