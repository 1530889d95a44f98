import { connect, createServer, type Server, type Socket } from 'node:net';

/** What a load balancer leads to. */
export interface Target {
  readonly host: string;
  readonly port: number;
  /** It is being deregistered: it keeps the connections that it has, and gets no others. */
  readonly isDraining: boolean;
}

/** What stands for a network load balancer: TCP on a port of loopback, led to the healthy ones of its targets in turn. */
export interface LoadBalancer {
  readonly port: number;
  close(): void;
}

const checkMilliseconds = 500;
/** So many checks in a row decide, as with the fewest that AWS permits. */
const threshold = 2;
const closeMilliseconds = 50;

/**
 * Opens it on a free port. As a network load balancer with `deregistration_delay.connection_termination.enabled`, it closes the connections
 * of a target that is no longer registered, and it resets a connection for which there is no healthy target.
 *
 * @param targets those that are registered, read again for each connection
 */
export async function openLoadBalancer(targets: () => readonly Target[]): Promise<LoadBalancer> {
  const health = watchHealth(targets);
  const open = new Map<Socket, string>();
  let turn = 0;
  const server = createServer((client) => {
    const healthy = targets().filter((one) => !one.isDraining && health.isHealthy(one));
    turn += 1;
    const target = healthy[turn % healthy.length];
    if (target === undefined) {
      client.resetAndDestroy();
      return;
    }
    const inside = connect(target);
    for (const [one, other] of [
      [client, inside],
      [inside, client],
    ] as const) {
      open.set(one, keyOf(target));
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => open.delete(one));
    }
  });
  const closeOthers = (): void => {
    const registered = new Set(targets().map(keyOf));
    for (const [socket, key] of open) if (!registered.has(key)) socket.destroy();
  };
  const timer = setInterval(closeOthers, closeMilliseconds);
  await listening(server);
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    close: () => {
      clearInterval(timer);
      health.stop();
      for (const socket of open.keys()) socket.destroy();
      server.close();
    },
  };
}

const keyOf = ({ host, port }: Target): string => `${host}:${port}`;

const listening = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', () => resolve()));

/** Checks of TCP, as the default of a network load balancer is. A new target is unhealthy until checks say otherwise. */
function watchHealth(targets: () => readonly Target[]) {
  const known = new Map<string, { isHealthy: boolean; otherwise: number }>();
  const check = async (target: Target): Promise<void> => {
    const takes = await takesConnections(target);
    const seen = known.get(keyOf(target)) ?? { isHealthy: false, otherwise: 0 };
    known.set(keyOf(target), seen);
    seen.otherwise = takes === seen.isHealthy ? 0 : seen.otherwise + 1;
    if (seen.otherwise < threshold) return;
    seen.isHealthy = takes;
    seen.otherwise = 0;
  };
  const timer = setInterval(() => void Promise.all(targets().map(check)), checkMilliseconds);
  return {
    isHealthy: (target: Target): boolean => known.get(keyOf(target))?.isHealthy === true,
    stop: (): void => clearInterval(timer),
  };
}

const takesConnections = (target: Target): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ ...target, timeout: checkMilliseconds });
    const end = (takes: boolean) => (): void => {
      socket.destroy();
      resolve(takes);
    };
    socket.once('connect', end(true)).once('timeout', end(false)).once('error', end(false));
  });
