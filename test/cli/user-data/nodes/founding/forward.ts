/** Port 2379 of an instance in a network namespace, which leads to an etcd outside through a Unix socket: that crosses the namespace. */
import { connect, createServer } from 'node:net';

const [path = ''] = process.argv.slice(2);

createServer((socket) => {
  const outside = connect(path);
  socket.pipe(outside).pipe(socket);
  socket.on('error', () => outside.destroy());
  outside.on('error', () => socket.destroy());
}).listen(2379, '127.0.0.1');
