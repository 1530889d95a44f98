import { connect, createServer } from 'node:net';

/** A socket of Unix at `path` that leads to a port of the loopback address. */
export async function openBridge(path: string, port: number): Promise<{ readonly close: () => void }> {
  const server = createServer((socket) => {
    const inside = connect(port, '127.0.0.1');
    socket.pipe(inside).pipe(socket);
    socket.on('error', () => inside.destroy());
    inside.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, () => resolve()));
  return { close: () => void server.close() };
}
