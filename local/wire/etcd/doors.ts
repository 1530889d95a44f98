import { type EtcdDoor, type EtcdServer, type EtcdWorld, serveEtcdMember } from '@drover/cloud-sandbox/etcd';
import { openAtOrNear } from '@drover/cloud-sandbox/wire';
import type { EtcdPki } from './certificates.ts';
import { type Seats, seat } from './seats.ts';

/** As many ports as the group of the story has members: they stay the same while members come and go. */
export const etcdPorts = 3;

export interface EtcdDoors {
  /** `https://127.0.0.1:4571`, ... */
  readonly urls: readonly string[];
  /** Wanted ports that were somebody else's. */
  readonly takenPorts: readonly number[];
  close(): Promise<void>;
}

/** Opens the client ports of etcd members, with mutual TLS. Where no member sits, a connection is cut off. */
export async function openEtcdDoors(options: {
  /** The first one's; 0: any that are free. */
  readonly basePort: number;
  readonly pki: EtcdPki;
  readonly world: () => Promise<Pick<EtcdWorld, 'running' | 'door'>>;
}): Promise<EtcdDoors> {
  const { basePort, pki } = options;
  const answer = createSeatedAnswer(options.world);
  const open = (index: number) =>
    openAtOrNear(basePort === 0 ? 0 : basePort + index, (port) =>
      serveEtcdMember({
        answer,
        instanceId: String(index),
        tls: { authority: pki.authority, ...pki.server },
        port,
      }),
    );
  const opened = await Promise.all(Array.from({ length: etcdPorts }, (_, index) => open(index)));
  return {
    urls: opened.map(({ opened: { url } }) => url),
    takenPorts: opened.flatMap(({ takenPort }) => takenPort ?? []),
    close: async () => {
      await Promise.all(opened.map(({ opened: server }: { opened: EtcdServer }) => server.close()));
    },
  };
}

/** What the member answers that sits at a port, by the port's number among them. */
function createSeatedAnswer(world: () => Promise<Pick<EtcdWorld, 'running' | 'door'>>): EtcdDoor['answer'] {
  let seats: Seats = Array.from({ length: etcdPorts }, () => undefined);
  return async (index, request) => {
    const { running, door } = await world();
    const serving = running().filter(({ serves }) => serves);
    seats = seat(
      seats,
      serving.map(({ instanceId }) => instanceId),
    );
    const instanceId = seats[Number(index)];
    return instanceId === undefined ? undefined : await door.answer(instanceId, request);
  };
}
