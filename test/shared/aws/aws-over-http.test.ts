import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { awsOverHttp } from '../../../shared/aws/aws-over-http.ts';
import type { AwsHttpRequest } from '../../../shared/aws/connection.ts';
import type { HttpRequest } from '../../../shared/net/http.ts';
import { sendHttp } from '../../../shared/net/send-http.ts';

const request: AwsHttpRequest = {
  method: 'POST',
  protocol: 'http:',
  hostname: '127.0.0.1',
  port: 4566,
  path: '/base',
  query: {},
  headers: { host: '127.0.0.1:4566', 'content-type': 'text/plain' },
  body: 'Action=X',
};

const bytes = Buffer.from('text');
const headers = { 'x-amzn-requestid': '1' };

/** A handler on an HTTP that answers everything with this status; what was sent is kept. */
function handlerAnswering(status: number) {
  const sent: HttpRequest[] = [];
  const { handle } = awsOverHttp(async (one) => {
    sent.push(one);
    return { status, headers, body: '', bytes };
  });
  return { handle, sent };
}

describe('a request to AWS', () => {
  it('goes to the signed address, and leaves the Host header to the HTTP client', async () => {
    const { handle, sent } = handlerAnswering(200);
    expect(await handle(request)).toEqual({ response: { statusCode: 200, headers, body: bytes } });
    expect(sent).toMatchObject([{ method: 'POST', url: 'http://127.0.0.1:4566/base', body: 'Action=X' }]);
    expect(sent[0]?.headers).toEqual({ 'content-type': 'text/plain' });
  });

  it('has the query encoded as in the signature', async () => {
    const { handle, sent } = handlerAnswering(200);
    await handle({ ...request, method: 'GET', query: { name: '\\052.a b+c' }, body: '' });
    expect(sent[0]?.url).toBe('http://127.0.0.1:4566/base?name=%5C052.a%20b%2Bc');
  });

  it('is sent once, because the SDK retries', async () => {
    const { handle, sent } = handlerAnswering(503);
    expect((await handle(request)).response.statusCode).toBe(503);
    expect(sent).toHaveLength(1);
  });

  it('fails after five seconds of silence, or after the timeout of its operation', async () => {
    const { handle, sent } = handlerAnswering(200);
    await handle(request);
    await handle(request, { requestTimeout: 90_000 });
    expect(sent).toMatchObject([
      { timeoutOf: 'silence', timeoutMilliseconds: 5000 },
      { timeoutOf: 'silence', timeoutMilliseconds: 90_000 },
    ]);
  });

  it('does not wait for the nine other requests of its batch', async () => {
    const unanswered: ServerResponse[] = [];
    const server = createServer((_, response) => {
      unanswered.push(response);
      if (unanswered.length === 10) for (const one of unanswered) one.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const { handle } = awsOverHttp(sendHttp);
    const batch = Array.from({ length: 10 }, () => handle({ ...request, port }, { requestTimeout: 2000 }));
    await expect(Promise.all(batch)).resolves.toHaveLength(10);
  });

  it('carries bytes unchanged', async () => {
    const { handle, sent } = handlerAnswering(200);
    const body = Buffer.from([0, 255, 128]);
    await handle({ ...request, body });
    expect(sent[0]?.bytes).toBe(body);
    expect(sent[0]?.body).toBeUndefined();
  });
});
