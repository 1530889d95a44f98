import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { openAtOrNear } from '../../src/wire/ports.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const open = (port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    servers.push(server);
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

test('a port that is in use is replaced by a free one, and named', async () => {
  const taken = await open(0);
  const { opened, takenPort } = await openAtOrNear(taken, open);
  expect(takenPort).toBe(taken);
  expect(opened).not.toBe(taken);
});

test('a free port is used as requested', async () => {
  const port = await open(0);
  servers.splice(0).forEach((server) => server.close());
  expect(await openAtOrNear(port, open)).toEqual({ opened: port });
});

test('the error for a privileged port says what to do; other errors are passed on unchanged', async () => {
  const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));
  await expect(openAtOrNear(80, failing('EACCES'))).rejects.toThrow('take 1024 or above');
  await expect(openAtOrNear(80, failing('EMFILE'))).rejects.toThrow('EMFILE');
});
