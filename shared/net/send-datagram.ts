import type { Socket } from 'node:dgram';

export interface DatagramTarget {
  /** IPv4: no name is looked up. */
  readonly address: string;
  readonly port: number;
}

/** Hands a datagram to the machine and returns. What cannot be sent is lost, and `onLost` is called, at once or later. */
export type SendDatagram = (
  datagram: Uint8Array,
  target: DatagramTarget,
  onLost: (error: Error) => void,
) => void;

/** Sends over one socket, which is opened by the first datagram and keeps no process from ending. */
export function datagramSender(): SendDatagram {
  let socket: Socket | undefined;
  return (datagram, { address, port }, onLost) => {
    try {
      socket ??= open((error) => {
        socket = undefined;
        onLost(error);
      });
      socket.send(datagram, port, address, (error) => {
        if (error) onLost(error);
      });
    } catch (error) {
      onLost(error instanceof Error ? error : new Error('no datagram can be sent', { cause: error }));
    }
  };
}

/**
 * Without a listener an error of the socket, such as one file too many, would end the process. The socket is closed then, and the next
 * datagram opens another one. node:dgram is loaded only when tracing is on.
 */
function open(onBroken: (error: Error) => void): Socket {
  const socket = process.getBuiltinModule('node:dgram').createSocket({
    type: 'udp4',
    // Nothing is looked up, so that nothing is sent later than it has to be.
    lookup: (host, _options, callback) => callback(null, host, 4),
  });
  socket.on('error', (error) => {
    socket.close();
    onBroken(error);
  });
  return socket.unref();
}
