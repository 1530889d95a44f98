/**
 * What an instance in a network namespace reaches, led to the sandbox outside through sockets of Unix, which pass the border: the metadata
 * service, and Parameter Store behind TLS.
 */
import { readFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';

const [folder = ''] = process.argv.slice(2);

/** Passes bytes on both ways; an end that breaks ends the other one. */
function pass(socket: Socket, name: string): void {
  const outside = connect(join(folder, name));
  for (const [one, other] of [
    [socket, outside],
    [outside, socket],
  ] as const) {
    one.pipe(other);
    one.on('error', () => other.destroy());
  }
}

const listening = (server: Server, port: number, address: string): Promise<void> =>
  new Promise((resolve, reject) => server.once('error', reject).listen(port, address, () => resolve()));

const tls = {
  key: readFileSync(join(folder, 'server.key')),
  cert: readFileSync(join(folder, 'server.crt')),
};
await Promise.all([
  listening(
    createServer((socket) => pass(socket, 'metadata.sock')),
    80,
    '169.254.169.254',
  ),
  listening(
    createTlsServer(tls, (socket) => pass(socket, 'aws.sock')),
    443,
    '127.0.0.1',
  ),
]);
process.stdout.write('ready\n');
