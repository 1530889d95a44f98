import { describe, expect, it } from 'vitest';
import { createAskSts } from '../../../shared/aws/ask-sts.ts';
import { awsOverHttp } from '../../../shared/aws/aws-over-http.ts';
import { readToken } from '../../../shared/identity/read-token.ts';
import type { HttpRequest } from '../../../shared/net/http.ts';
import { presignedUrl, signedAt, tokenOf } from '../identity/tokens.ts';

const token = readToken(tokenOf(await presignedUrl()), { now: signedAt, partition: 'aws' });

/** What is sent for a token, and what comes of the answer. */
async function ask(options: { readonly endpoint?: string } = {}) {
  const requests: HttpRequest[] = [];
  const askSts = createAskSts({
    requestHandler: awsOverHttp(async (request) => {
      requests.push(request);
      return {
        status: 302,
        headers: { location: 'https://evil.example/' },
        body: '',
        bytes: Buffer.from('moved'),
      };
    }),
    clusterId: 'prod',
    ...options,
  });
  if (token.kind !== 'presigned') throw new Error(token.reason);
  return { answer: await askSts(token), requests };
}

describe('a token that is put to STS', () => {
  it('is sent as it was signed, with our own cluster and nothing else', async () => {
    const { requests } = await ask();
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      method: 'GET',
      headers: { 'x-k8s-aws-id': 'prod', accept: 'application/json' },
    });
    const [sent, signed] = [new URL(requests[0]?.url ?? ''), new URL(await presignedUrl())];
    expect([sent.host, sent.pathname]).toEqual([signed.host, '/']);
    expect(Object.fromEntries(sent.searchParams)).toEqual(Object.fromEntries(signed.searchParams));
  });

  it('waits ten seconds in all, and takes an answer of 16 KB', async () => {
    const { requests } = await ask();
    expect(requests[0]).toMatchObject({ longestMilliseconds: 10_000, longestAnswerBytes: 16_384 });
  });

  it('follows no redirect', async () => {
    expect((await ask()).answer).toEqual({ status: 302, body: 'moved' });
  });

  it('keeps the host that was signed where another server is asked', async () => {
    const { requests } = await ask({ endpoint: 'https://127.0.0.1:4443/' });
    expect(requests[0]?.url).toMatch(/^https:\/\/127\.0\.0\.1:4443\/\?/);
    expect(requests[0]?.headers).toMatchObject({ host: 'sts.eu-west-1.amazonaws.com' });
  });
});
