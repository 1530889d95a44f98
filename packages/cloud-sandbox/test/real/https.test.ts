import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { sendHttps } from '../../real/https.ts';

it('A server that takes a request and says nothing is a TimeoutError: who waits until it is ready asks again', async () => {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const asked = sendHttps({ method: 'GET', url, headers: {}, timeoutMilliseconds: 20 });
  await expect(asked).rejects.toMatchObject({ name: 'TimeoutError', message: 'nothing came for 20 ms' });
  server.close();
});
