import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { budget, deployment } from '@drover/cloud-sandbox/test/kubernetes/support.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from './etcd/snapshots/support.ts';
import { createKeyboard } from './keyboard.ts';
import { createCliWorld } from './support.ts';

describe('Ctrl-C', () => {
  it('ends a drain between two reads, and names the command that goes on and the one that takes it back', async () => {
    const keyboard = createKeyboard();
    let pauses = 0;
    const world = createCliWorld({
      context: {
        onInterrupt: keyboard.onInterrupt,
        pause: async (milliseconds) => {
          world.seconds(milliseconds / 1000);
          pauses += 1;
          if (pauses === 3) keyboard.pressCtrlC();
          await Promise.resolve();
        },
      },
    });
    await world.create('/apis/apps/v1/namespaces/default/deployments', deployment('web', 4, { grace: 10 }));
    await world.create(
      '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
      budget('web', 'web', { minAvailable: 4 }),
    );
    const { code, out, err } = await world.run('drain', 'node-1');
    expect(code).toBe(130);
    expect(out).not.toMatch(/is drained/);
    expect(err).toMatch(
      /ending at the next safe point; Ctrl-C again ends at once\n[^]*drover: interrupted: node node-1 is not drained: drover drain node-1 goes on, and kubectl uncordon node-1 lets pods on it again\n$/,
    );
    expect(pauses).toBe(3);
    expect(keyboard.isHeld()).toBe(false);
  });

  it('ends a drain that waits for an API server', async () => {
    const keyboard = createKeyboard();
    let isAway = false;
    const world = createCliWorld({
      beforeRequest: ({ method }) => {
        if (method === 'PATCH') isAway = true;
        else if (isAway) throw new Error('connection refused');
      },
      context: {
        onInterrupt: keyboard.onInterrupt,
        pause: async () => {
          keyboard.pressCtrlC();
          await new Promise(() => undefined);
        },
      },
    });
    const { code, err } = await world.run('drain', 'node-1');
    expect(code).toBe(130);
    expect(err).toMatch(/interrupted: node node-1 is not drained/);
  });

  it('pressed twice ends a process at once that waits for an answer it needs', {}, async () => {
    const { child, requested } = await atHangingBucket('snapshots --prune --days 1 --keep 1');
    await requested('DELETE');
    child.kill('SIGINT');
    await once(child.stderr, 'data');
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([null, 'SIGINT']);
  });

  it('after SIGTERM ends a process at once that waits for an answer it needs', {}, async () => {
    const { child, requested } = await atHangingBucket('snapshots --prune --days 1 --keep 1');
    await requested('DELETE');
    child.kill('SIGTERM');
    await once(child.stderr, 'data');
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([null, 'SIGINT']);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'ends a process with 130 that waits for a read, although the server never answers: %s',
    async (signal) => {
      const file = join(temporaryFolder(), 'snapshot.db');
      const line = `restore --domain etcd.example.internal --member i-0123456789abcdef0 --out ${file}`;
      const { child, requested } = await atHangingBucket(line);
      await requested('HEAD');
      const texts: string[] = [];
      child.stderr.on('data', (text: Buffer) => texts.push(String(text)));
      child.kill(signal);
      expect(await once(child, 'close')).toEqual([130, null]);
      expect(texts.join('')).toMatch(/interrupted: \S+snapshot.db was not written, and nothing else/);
    },
  );
});

/** A process of `drover etcd` at a bucket that lists two snapshots, and answers nothing else. */
async function atHangingBucket(line: string) {
  const seen = new Map(
    ['HEAD', 'DELETE'].map((method) => [method, Promise.withResolvers<undefined>()] as const),
  );
  const server = createServer(({ method = '' }, response) => {
    if (method === 'GET') response.setHeader('x-amz-request-id', 'EXAMPLE').end(listing);
    else seen.get(method)?.resolve(undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on a port');
  const child = spawn(
    process.execPath,
    [
      join(import.meta.dirname, '../../cli/drover.ts'),
      'etcd',
      ...line.split(' '),
      '--cluster',
      'c',
      '--bucket',
      'prod-etcd',
    ],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...process.env,
        AWS_REGION: 'eu-west-1',
        AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
        AWS_SECRET_ACCESS_KEY: 'example',
        AWS_ENDPOINT_URL: `http://127.0.0.1:${address.port}`,
      },
    },
  );
  onTestFinished(() => {
    child.kill('SIGKILL');
    server.closeAllConnections();
    server.close();
  });
  return { child, requested: (method: string) => seen.get(method)?.promise };
}

const snapshotsAt = ['2024-01-02T00:00:00', '2024-01-01T00:00:00'].map(
  (time) =>
    `<Contents><Key>drover/c/etcd/9a3f/${time}.000Z-7.db</Key><Size>20512</Size><LastModified>${time}.000Z</LastModified></Contents>`,
);

const listing = `<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated>${snapshotsAt.join('')}</ListBucketResult>`;
