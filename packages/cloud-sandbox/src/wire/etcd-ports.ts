import type { EtcdDoor } from '../etcd/door.ts';
import { type EtcdServerOptions, serveEtcdMember } from '../etcd/wire/server.ts';
import type { EtcdWorld } from '../etcd/world.ts';
import { openAtOrNear } from './ports.ts';
import { assignSlots, type Slots } from './slots.ts';

type World = Pick<EtcdWorld, 'running' | 'door'>;

/** The client ports of etcd's members; they stay the same while members come and go. */
export interface EtcdPorts {
  /** `https://127.0.0.1:4571`, ... */
  readonly urls: readonly string[];
  /** Wanted ports that are in use. */
  readonly takenPorts: readonly number[];
  close(): Promise<void>;
}

export interface EtcdPortsOptions {
  /** 0: any that is free. */
  readonly ports: readonly number[];
  readonly tls: EtcdServerOptions['tls'];
  readonly world: () => Promise<World>;
}

/** Opens the client ports of etcd members, with mutual TLS. A port without a member cuts connections off. */
export async function openEtcdPorts({ ports, tls, world }: EtcdPortsOptions): Promise<EtcdPorts> {
  const answer = createSlotAnswer(ports.length, world);
  const opened = await Promise.all(
    ports.map((wanted, index) =>
      openAtOrNear(wanted, (port) => serveEtcdMember({ answer, instanceId: String(index), tls, port })),
    ),
  );
  return {
    urls: opened.map(({ opened: { url } }) => url),
    takenPorts: opened.flatMap(({ takenPort }) => takenPort ?? []),
    close: async () => {
      await Promise.all(opened.map(({ opened: server }) => server.close()));
    },
  };
}

/** The answer of the member that has the port, by the port's number among them. */
function createSlotAnswer(count: number, world: () => Promise<World>): EtcdDoor['answer'] {
  let slots: Slots = Array.from({ length: count }, () => undefined);
  return async (index, request) => {
    const { running, door } = await world();
    const serving = running().filter(({ serves }) => serves);
    slots = assignSlots(
      slots,
      serving.map(({ instanceId }) => instanceId),
    );
    const instanceId = slots[Number(index)];
    return instanceId === undefined ? undefined : await door.answer(instanceId, request);
  };
}
