import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import {
  createTestAuthority,
  type TestAuthority,
  type TestCredential,
} from '@drover/cloud-sandbox/real/test-authority.ts';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayRequest, streamHttps } from '../../../shared/etcd-api/http.ts';

let authority: TestAuthority;
let member: TestCredential;
let close: () => void = () => undefined;

beforeAll(async () => {
  authority = await createTestAuthority();
  member = await authority.issue({ commonName: 'm1', names: ['m1.etcd.test'] });
});

afterEach(() => close());

/** A member that answers in its own way, and a request to it. */
async function serve(answer: (response: ServerResponse) => void): Promise<GatewayRequest> {
  const { certificate: cert, key } = member;
  const server = createServer({ cert, key, ca: authority.certificate, requestCert: true }, (_, response) =>
    answer(response),
  );
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  const client = await authority.issue({ commonName: 'drover' });
  const { port } = server.address() as AddressInfo;
  return {
    method: 'POST',
    url: `https://127.0.0.1:${port}/v3/maintenance/snapshot`,
    headers: {},
    body: '{}',
    timeoutMilliseconds: 5000,
    tls: {
      certificateAuthority: authority.certificate,
      clientCertificate: client.certificate,
      clientKey: client.key,
      serverName: 'm1.etcd.test',
    },
  };
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const chunk of chunks) pieces.push(chunk);
  return Buffer.concat(pieces).toString();
}

describe('a stream over HTTPS', () => {
  it('yields the answer in chunks as they arrive', async () => {
    const request = await serve((response) => {
      response.write('one\n');
      response.end('two\n');
    });
    const { status, chunks } = await streamHttps(request);
    expect(status).toBe(200);
    expect(await textOf(chunks)).toBe('one\ntwo\n');
  });

  it('fails if the member disconnects', async () => {
    const request = await serve((response) => {
      response.write('one\n');
      response.socket?.destroySoon();
    });
    const { chunks } = await streamHttps(request);
    await expect(textOf(chunks)).rejects.toThrow();
  });

  it('fails if no more data arrives in time', async () => {
    const request = await serve((response) => {
      response.write('one\n');
    });
    const { chunks } = await streamHttps({ ...request, timeoutMilliseconds: 1500 });
    await expect(textOf(chunks)).rejects.toThrow('no data for 1500 ms');
  });

  it('refuses a member with an untrusted certificate', async () => {
    const request = await serve((response) => response.end());
    const stranger = await createTestAuthority('another authority');
    const tls = { ...request.tls, certificateAuthority: stranger.certificate };
    await expect(streamHttps({ ...request, tls })).rejects.toThrow(/certificate/);
  });
});
