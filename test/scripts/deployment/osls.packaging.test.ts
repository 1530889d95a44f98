import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { copyDeployment, type DeploymentCopy } from '../../support/osls.ts';
import { answerOf } from './support/fake-stack.ts';

let copy: DeploymentCopy;
let server: Server;
let called: string[];
beforeEach(() => {
  called = [];
});
beforeAll(async () => {
  copy = await copyDeployment();
  await copy.writeStage('prod', 'cluster: another\n');
  const stack = { stackName: 'drover-prod', tags: { 'drover.dev/cluster': 'prod' } };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    called.push(new URLSearchParams(body).get('Action') ?? `${request.method} ${request.url}`);
    const { statusCode = 403, xml = '' } = answerOf(stack, body) ?? {};
    response.writeHead(statusCode, { 'content-type': 'text/xml' }).end(xml);
  };
  server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.close();
  await copy[Symbol.asyncDispose]();
});

const account = () => ({
  AWS_ACCESS_KEY_ID: 'AKIATEST',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  SLS_AWS_REQUEST_MAX_RETRIES: '0',
});
/** osls asks for the account by itself, at any moment. */
const relevant = () => called.filter((action) => action !== 'GetCallerIdentity');

test('`serverless deploy` of another cluster ends before it changes anything', async () => {
  const { code, output } = await copy.run(['deploy', '--stage', 'prod', '--region', 'eu-north-1'], account());
  expect(output).toContain('the stack drover-prod serves the cluster prod, and the stage names another');
  expect(code).toBe(1);
  expect(relevant()).toEqual(['DescribeStacks']);
});

test('`serverless deploy --param` ends before it calls AWS', async () => {
  const parameters = ['deploy', '--stage', 'prod', '--region', 'eu-north-1', '--param', 'network=outside'];
  const { code, output } = await copy.run(parameters, account());
  expect(output).toContain('the next deploy would not know --param network=outside');
  expect(code).toBe(1);
  expect(relevant()).toEqual([]);
});

test('`serverless remove` asks for the waiting instances of the cluster in the stack’s tag', async () => {
  const { code } = await copy.run(['remove', '--stage', 'prod', '--region', 'eu-north-1'], account());
  expect(code).toBe(1);
  expect(relevant()).toContain('DescribeAutoScalingGroups');
  expect(relevant()).not.toContain('DeleteStack');
});

test('without a region `serverless deploy` ends before it calls AWS', async () => {
  const { code, output } = await copy.run(['deploy', '--stage', 'prod'], account());
  expect(output).toContain('The region is missing');
  expect(code).toBe(1);
  expect(relevant()).toEqual([]);
});
