import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { serverFailure, type Transport } from '../answer.ts';
import { createFrameReader, frame } from './frames.ts';

/** A DNS server on the loopback address, on one port for UDP and TCP. */
export interface DnsDoor {
  readonly port: number;
  /** `127.0.0.1:<port>` */
  readonly address: string;
  close(): Promise<void>;
}

export interface DnsDoorOptions {
  /** 0: any that is free for both. */
  readonly port: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Undefined if there is no answer at all. */
  readonly answer: (message: Buffer, transport: Transport) => Promise<Buffer | undefined>;
  /** Called with the error that `answer` rejects with; the caller gets SERVFAIL. */
  readonly onFault: (error: unknown) => void;
}

const loopback = '127.0.0.1';

/** A port that is free for UDP may be in use for TCP. */
const attempts = 10;

/** Rejects when the port is taken, for one of the two. */
export async function openDnsDoor(options: DnsDoorOptions): Promise<DnsDoor> {
  for (let left = attempts - 1; ; left -= 1) {
    try {
      return await open(options);
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (options.port !== 0 || !isTaken || left === 0) throw error;
    }
  }
}

async function open(options: DnsDoorOptions): Promise<DnsDoor> {
  const { host = loopback } = options;
  const udp = await bindUdp(options.port, host);
  const { port } = udp.address();
  const connections = new Set<Socket>();
  let tcp: Server;
  try {
    tcp = await listenTcp(port, connections, options);
  } catch (error) {
    udp.close();
    throw error;
  }
  serveUdp(udp, options);
  return {
    port,
    address: `${host}:${port}`,
    close: async () => {
      const closed = [once(udp, 'close'), once(tcp, 'close')];
      udp.close();
      tcp.close();
      for (const connection of connections) connection.destroy();
      await Promise.all(closed);
    },
  };
}

async function bindUdp(port: number, host: string): Promise<UdpSocket> {
  const udp = createSocket('udp4');
  const bound = once(udp, 'listening');
  udp.bind(port, host);
  try {
    await bound;
  } catch (error) {
    udp.close();
    throw error;
  }
  return udp;
}

function serveUdp(udp: UdpSocket, options: DnsDoorOptions): void {
  let isOpen = true;
  const reply = async (message: Buffer, caller: RemoteInfo): Promise<void> => {
    const answer = await answerOrFail(message, 'udp', options);
    // A client that has gone meanwhile gets no answer: UDP promises none.
    if (answer && isOpen) udp.send(answer, caller.port, caller.address, () => undefined);
  };
  udp.on('message', (message, caller) => void reply(message, caller).catch(options.onFault));
  udp.on('error', options.onFault);
  udp.on('close', () => {
    isOpen = false;
  });
}

/** More than people and tests need at once. Idle TCP connections do not block UDP. */
const maximumConnections = 256;

async function listenTcp(port: number, connections: Set<Socket>, options: DnsDoorOptions): Promise<Server> {
  const server = createServer((connection) => {
    connections.add(connection);
    connection.on('close', () => connections.delete(connection));
    // A caller that breaks off ends its own connection and nothing else.
    connection.on('error', () => connection.destroy());
    serveConnection(connection, options);
  });
  server.maxConnections = maximumConnections;
  const listening = once(server, 'listening');
  server.listen(port, options.host ?? loopback);
  await listening;
  return server;
}

function serveConnection(connection: Socket, options: DnsDoorOptions): void {
  const read = createFrameReader();
  const reply = async (message: Buffer): Promise<void> => {
    const answer = await answerOrFail(message, 'tcp', options);
    if (answer && connection.writable) connection.write(frame(answer));
    else connection.destroy();
  };
  connection.on('data', (chunk) => {
    for (const message of read(chunk)) void reply(message).catch(options.onFault);
  });
}

async function answerOrFail(
  message: Buffer,
  transport: Transport,
  { answer, onFault }: DnsDoorOptions,
): Promise<Buffer | undefined> {
  try {
    return await answer(message, transport);
  } catch (error) {
    onFault(error);
    return serverFailure(message);
  }
}
