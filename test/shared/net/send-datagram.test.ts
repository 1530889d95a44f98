import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { datagramSender } from '../../../shared/net/send-datagram.ts';

async function listen() {
  const got: string[] = [];
  const socket = createSocket('udp4').on('message', (message) => got.push(message.toString()));
  onTestFinished(() => void socket.close());
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { got, target: { address: '127.0.0.1', port: socket.address().port } };
}

const bytes = (text: string): Uint8Array => Buffer.from(text);

describe('a datagram', () => {
  it('arrives, and so do the next ones', async () => {
    const { got, target } = await listen();
    const lost: Error[] = [];
    const send = datagramSender();
    for (const text of ['one', 'two', 'three']) send(bytes(text), target, (error) => lost.push(error));
    await expect.poll(() => got).toEqual(['one', 'two', 'three']);
    expect(lost).toEqual([]);
  });

  it('that is too long is lost, which is said, and the next one arrives', async () => {
    const { got, target } = await listen();
    const lost: Error[] = [];
    const send = datagramSender();
    send(new Uint8Array(70_000), target, (error) => lost.push(error));
    send(bytes('next'), target, (error) => lost.push(error));
    await expect.poll(() => got).toEqual(['next']);
    expect(lost).toMatchObject([{ code: 'EMSGSIZE' }]);
  });

  it('to a port that no socket can have throws nothing', () => {
    const lost: Error[] = [];
    datagramSender()(bytes('x'), { address: '127.0.0.1', port: 70_000 }, (error) => lost.push(error));
    expect(lost).toMatchObject([{ code: 'ERR_SOCKET_BAD_PORT' }]);
  });

  it('for which the machine has no socket is lost, which is said; the socket is closed, and the next one arrives', async () => {
    const { got, target } = await listen();
    const module = join(import.meta.dirname, '../../../shared/net/send-datagram.ts');
    const code = `
      import { closeSync, openSync } from 'node:fs';
      import { subscribe } from 'node:diagnostics_channel';
      import 'node:dgram';
      import { datagramSender } from ${JSON.stringify(module)};
      let closed = 0;
      subscribe('udp.socket', ({ socket }) => socket.on('close', () => (closed += 1)));
      const send = datagramSender();
      const lost = [];
      const onLost = ({ code }) => void lost.push(code);
      const files = [];
      try { for (;;) files.push(openSync('/dev/null')); } catch {}
      send(Buffer.from('lost'), ${JSON.stringify(target)}, onLost);
      await new Promise(setImmediate);
      for (const file of files) closeSync(file);
      send(Buffer.from('next'), ${JSON.stringify(target)}, onLost);
      console.log(JSON.stringify({ lost, closed }));`;
    const node = [process.execPath, '--input-type=module', '-e', code];
    const run = promisify(execFile)('sh', ['-c', 'ulimit -n 200 && exec "$@"', 'sh', ...node]);
    expect(JSON.parse((await run).stdout)).toEqual({ lost: ['EMFILE'], closed: 1 });
    await expect.poll(() => got).toEqual(['next']);
  });

  it('is handed to the machine before the caller goes on, because an environment may freeze then', async () => {
    const { got, target } = await listen();
    const module = join(import.meta.dirname, '../../../shared/net/send-datagram.ts');
    const code = `
      import { subscribe } from 'node:diagnostics_channel';
      import { datagramSender } from ${JSON.stringify(module)};
      let sockets = 0;
      subscribe('udp.socket', () => (sockets += 1));
      const send = datagramSender();
      for (const text of ['one', 'two']) send(Buffer.from(text), ${JSON.stringify(target)}, () => {});
      console.log(sockets);
      process.exit();`;
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]);
    expect((await run).stdout).toBe('1\n');
    await expect.poll(() => got).toEqual(['one', 'two']);
  });

  it('keeps no process from ending, though nothing listens', async () => {
    const { target } = await listen();
    const module = join(import.meta.dirname, '../../../shared/net/send-datagram.ts');
    const code = `
      import { datagramSender } from ${JSON.stringify(module)};
      const send = datagramSender();
      for (let i = 0; i < 3; i += 1) send(Buffer.from('x'), { address: '127.0.0.1', port: ${target.port + 1} }, () => {});
      console.log('ended');`;
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
      timeout: 20_000,
    });
    expect((await run).stdout).toBe('ended\n');
  });
});
