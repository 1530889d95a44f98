import { describe, expect, it } from 'vitest';
import type { AwsHttpRequest } from '../../../shared/aws/request-handler.ts';
import type { HttpRequest, HttpResponse } from '../../../shared/net/http.ts';
import { awsOverHttp } from '../../../shared/runtime/aws-over-http.ts';

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

const broken = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
const answer = (status: number): HttpResponse => ({
  status,
  headers: { 'x-amzn-requestid': '1' },
  body: 'text',
});

/** A handler on HTTP that has these answers in turn; what was sent is kept. */
function handlerWith(...outcomes: readonly (HttpResponse | Error)[]) {
  const sent: HttpRequest[] = [];
  const left = [...outcomes];
  const { handle } = awsOverHttp(async (one) => {
    sent.push(one);
    const outcome = left.shift() ?? new Error('nothing more was expected');
    if (outcome instanceof Error) throw outcome;
    return outcome;
  });
  return { handle, sent };
}

describe('a request to AWS', () => {
  it('goes to the address that was signed, and lets HTTP write the host', async () => {
    const { handle, sent } = handlerWith(answer(200));
    expect(await handle(request)).toEqual({
      response: { statusCode: 200, headers: { 'x-amzn-requestid': '1' }, body: 'text' },
    });
    expect(sent).toMatchObject([{ method: 'POST', url: 'http://127.0.0.1:4566/base', body: 'Action=X' }]);
    expect(sent[0]?.headers).toEqual({ 'content-type': 'text/plain' });
  });

  it('has its query encoded as it was signed', async () => {
    const { handle, sent } = handlerWith(answer(200));
    await handle({ ...request, method: 'GET', query: { name: '\\052.a b+c' }, body: '' });
    expect(sent[0]?.url).toBe('http://127.0.0.1:4566/base?name=%5C052.a%20b%2Bc');
  });

  it.each([
    ['the connection broke', broken],
    ['the server failed', answer(503)],
  ])('is sent once more where %s', async (_, first) => {
    const { handle, sent } = handlerWith(first, answer(200));
    expect((await handle(request)).response.statusCode).toBe(200);
    expect(sent).toHaveLength(2);
  });

  it('fails with the second answer, whatever it is', async () => {
    await expect(handlerWith(answer(503), broken).handle(request)).rejects.toBe(broken);
    expect((await handlerWith(broken, answer(500)).handle(request)).response.statusCode).toBe(500);
  });

  it.each([
    ['a refusal', answer(400)],
    ['a throttle', answer(429)],
  ])('is not sent again after %s', async (_, first) => {
    const { handle, sent } = handlerWith(first);
    await handle(request);
    expect(sent).toHaveLength(1);
  });

  it('is not sent again where nobody answered in time', async () => {
    const late = new Error('no answer within 10000 ms');
    const { handle, sent } = handlerWith(late);
    await expect(handle(request)).rejects.toBe(late);
    expect(sent).toHaveLength(1);
  });
});
