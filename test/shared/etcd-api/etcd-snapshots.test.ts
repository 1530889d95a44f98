import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEtcdSnapshots } from '../../../shared/etcd-api/etcd-snapshots.ts';
import type { GatewayRequest } from '../../../shared/etcd-api/http.ts';
import { endpointAt, testCredentials } from './support.ts';

const endpoint = endpointAt('10.0.0.1');

const whole = (database: Uint8Array): Buffer =>
  Buffer.concat([database, createHash('sha256').update(database).digest()]);

const linesFor = (content: Uint8Array, frameBytes: number): string => {
  const frames = Array.from({ length: Math.ceil(content.length / frameBytes) }, (_, index) =>
    content.subarray(index * frameBytes, (index + 1) * frameBytes),
  );
  return frames
    .map((blob) => `${JSON.stringify({ result: { blob: Buffer.from(blob).toString('base64') } })}\n`)
    .join('');
};

/** What the member sends, in pieces of so many bytes; an error breaks off the part before it. */
async function receive(
  sent: string,
  { status = 200, pieceBytes = 100, error }: { status?: number; pieceBytes?: number; error?: Error } = {},
) {
  const requests: GatewayRequest[] = [];
  async function* chunks() {
    const bytes = Buffer.from(sent);
    for (let start = 0; start < bytes.length; start += pieceBytes)
      yield bytes.subarray(start, start + pieceBytes);
    if (error) throw error;
  }
  const snapshots = createEtcdSnapshots({
    stream: async (request) => {
      requests.push(request);
      return { status, chunks: chunks() };
    },
    credentials: async () => testCredentials,
  });
  const received: Uint8Array[] = [];
  const outcome = (async () => {
    for await (const chunk of snapshots.stream(endpoint)) received.push(chunk);
    return Buffer.concat(received);
  })();
  return { outcome, received, requests };
}

describe('a snapshot stream', () => {
  it('yields the database and its hash, however the stream is cut into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 2000 }),
        fc.integer({ min: 1, max: 700 }),
        fc.integer({ min: 1, max: 700 }),
        async (database, frameBytes, pieceBytes) => {
          const content = whole(database);
          const { outcome } = await receive(linesFor(content, frameBytes), { pieceBytes });
          expect(await outcome).toEqual(content);
        },
      ),
    );
  });

  it('fails if a single byte differs', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), fc.nat(), async (database, place) => {
        const content = whole(database);
        const index = place % content.length;
        content[index] = (content[index] ?? 0) ^ 1;
        const { outcome } = await receive(linesFor(content, 64));
        await expect(outcome).rejects.toThrow('SHA-256');
      }),
    );
  });

  it('fails if the end is missing', async () => {
    const content = whole(Buffer.alloc(500, 7));
    for (const length of [0, 10, 32, 500, 531])
      await expect((await receive(linesFor(content.subarray(0, length), 64))).outcome).rejects.toThrow(
        'SHA-256',
      );
  });

  it('limits the time without data, not the total time', async () => {
    const { outcome, requests } = await receive(linesFor(whole(Buffer.from('x')), 64));
    await outcome;
    expect(requests[0]).toMatchObject({ method: 'POST', url: `${endpoint.url}/v3/maintenance/snapshot` });
    expect(requests[0]?.headers).not.toHaveProperty('grpc-timeout');
  });

  it('yields the data before a break, then fails with the reason', async () => {
    const begun = linesFor(Buffer.alloc(200, 1), 100);
    const broken = `${begun}{"error":{"code":14,"message":"etcdserver: server stopped"}}\n`;
    const { outcome, received } = await receive(broken);
    await expect(outcome).rejects.toThrow('etcdserver: server stopped');
    expect(Buffer.concat(received)).toEqual(Buffer.alloc(200, 1));
    const cut = await receive(begun, { error: Object.assign(new Error('aborted'), { code: 'ECONNRESET' }) });
    await expect(cut.outcome).rejects.toMatchObject({ name: 'EtcdError', code: 'no-quorum' });
  });

  it('refuses a line that is cut, malformed or too long', async () => {
    const content = linesFor(whole(Buffer.alloc(500, 7)), 64);
    await expect((await receive(content.slice(0, -20))).outcome).rejects.toThrow('not JSON');
    await expect((await receive('{"blob":"AA=="}\n')).outcome).rejects.toThrow('unexpected form');
    await expect((await receive('x'.repeat(2_000_000), { pieceBytes: 65_536 })).outcome).rejects.toThrow(
      'more than 1048576 bytes',
    );
  });

  it('fails with the message of a member that refuses to make a snapshot', async () => {
    const message = 'etcdserver: permission denied';
    const { outcome } = await receive(JSON.stringify({ code: 7, message }), { status: 403 });
    await expect(outcome).rejects.toMatchObject({
      code: 'denied',
      message: expect.stringContaining(message),
    });
  });
});
