import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const refusal =
  '<ErrorResponse><Error><Code>AccessDenied</Code><Message>no</Message></Error></ErrorResponse>';
const jsonRefusal = JSON.stringify({ __type: 'AccessDeniedException', message: 'no' });

/**
 * An AWS on loopback that refuses each call at once, so that the first event of a function ends with its first calls. It speaks HTTP:
 * the handshake of TLS is in no figure.
 */
export async function refuseEverything(): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    const isJson = request.headers['x-amz-target'] !== undefined;
    response.writeHead(400, { 'x-amzn-requestid': '1' });
    request.resume();
    request.on('end', () => response.end(isJson ? jsonRefusal : refusal));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
