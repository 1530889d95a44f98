import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestCredential } from '@drover/cloud-sandbox/real/test-authority.ts';
import type { stsOn } from '../../../support/sts-world.ts';

/** The simulated STS on a port of this machine, for programs of others. */
export async function serveSts(
  { sendHttp }: Pick<ReturnType<typeof stsOn>, 'sendHttp'>,
  { certificate, key }: TestCredential,
  { address = '127.0.0.1', port = 0 } = {},
): Promise<{ readonly port: number; readonly requests: () => number; close(): void } & { server: Server }> {
  let requests = 0;
  const server = createServer({ cert: certificate, key }, (request, response) => {
    requests += 1;
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    void sendHttp({
      method: 'GET',
      url: `https://${headers['host']}${request.url}`,
      headers,
      timeoutMilliseconds: 10_000,
    }).then(
      ({ status, bytes = new Uint8Array() }) => response.writeHead(status).end(bytes),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, resolve);
  });
  return {
    server,
    port: (server.address() as AddressInfo).port,
    requests: () => requests,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
