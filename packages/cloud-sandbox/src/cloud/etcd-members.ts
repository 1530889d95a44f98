import type { SimulatedInstance } from '../aws/ec2/model.ts';
import { resolve as resolveIn } from '../dns/resolve.ts';
import type { EtcdFlags, Resolve } from '../etcd/flags.ts';
import type { EtcdCertificates } from '../etcd/gateway/certificates.ts';
import type { StreamGateway } from '../etcd/gateway-request.ts';
import type { EtcdInstance } from '../etcd/machines.ts';
import { createEtcdWorld, type EtcdWorld } from '../etcd/world.ts';
import type { SendHttp } from '../net/http.ts';
import type { Account } from './account.ts';

/** Where members run: in the simulation, or as processes of etcd itself. */
export interface EtcdMachines {
  readonly boot: (instanceId: string, instance: EtcdInstance) => void;
  readonly vanish: (instanceId: string) => void;
  /** Carries requests to their client ports. */
  readonly send: SendHttp;
  readonly stream: StreamGateway;
}

/** Which instances run etcd, and what their user data starts it with. */
export interface EtcdUserData {
  readonly runsOn: (instance: SimulatedInstance) => boolean;
  /** Undefined if the instance does not know yet, and looks again. */
  readonly flags: (instance: SimulatedInstance, account: Account) => EtcdFlags | undefined;
}

export interface EtcdMembersOptions {
  readonly account: Account;
  /** Undefined if no instance runs etcd. */
  readonly userData?: EtcdUserData;
  readonly certificates?: EtcdCertificates;
  /** Defaults to the simulated ones. */
  readonly machines?: EtcdMachines;
  /** From the instance running to its user data looking for the flags. */
  readonly bootSeconds?: number;
}

export interface EtcdMembers {
  /** The simulated members; empty if other members are given. */
  readonly world: EtcdWorld;
  readonly send: SendHttp;
  readonly stream: StreamGateway;
  readonly resolve: Resolve;
}

/** How often the user data asks again, and how soon systemd starts an etcd again that has ended. */
const pollSeconds = 5;

/** etcd on the instances whose user data runs it: it waits for its flags, starts, and goes with the instance. Its data is on the root volume. */
export function runEtcdMembers(options: EtcdMembersOptions): EtcdMembers {
  const { account, userData = noEtcd, bootSeconds = 10, certificates } = options;
  const { clock, random, ec2 } = account;
  const resolve: Resolve = (name, type) =>
    resolveIn(account.route53.controls.served(), { name, type }).answers.flatMap((answer) => {
      if (answer.type !== type) return [];
      if (answer.type !== 'SRV') return [answer.data];
      const { priority = 0, weight = 0, port, target } = answer.data;
      return [`${priority} ${weight} ${port} ${target}`];
    });
  const world = createEtcdWorld({ clock, random, resolve, ...(certificates && { certificates }) });
  const machines: EtcdMachines = options.machines ?? {
    boot: (instanceId, instance) => world.boot(instanceId, instance),
    vanish: (instanceId) => world.vanish(instanceId),
    send: world.door.send,
    stream: world.door.stream,
  };
  /** Never starts without flags at first; an etcd that has data starts again whatever the flags say. */
  const start = (instance: SimulatedInstance): void => {
    if (instance.state !== 'running') return;
    if (!userData.flags(instance, account)) {
      clock.after(pollSeconds * 1000, () => start(instance));
      return;
    }
    machines.boot(instance.instanceId, {
      address: instance.privateIpAddress,
      dataDirectory: instance.instanceId,
      flags: () => userData.flags(instance, account) ?? withoutFlags(instance.instanceId),
      restartSeconds: pollSeconds,
    });
  };
  ec2.onInstanceStateChange((instance) => {
    if (!userData.runsOn(instance)) return;
    if (instance.state === 'running') clock.after(bootSeconds * 1000, () => start(instance));
    if (instance.state === 'shutting-down') machines.vanish(instance.instanceId);
  });
  ec2.onRootVolumeReplaced((instance, replacementBootSeconds) => {
    if (!userData.runsOn(instance)) return;
    machines.vanish(instance.instanceId);
    clock.after((replacementBootSeconds + bootSeconds) * 1000, () => start(instance));
  });
  return { world, resolve, send: machines.send, stream: machines.stream };
}

const noEtcd: EtcdUserData = { runsOn: () => false, flags: () => undefined };

/** An etcd with data needs none of them. */
const withoutFlags = (instanceId: string): EtcdFlags => ({
  name: instanceId,
  initialClusterState: 'existing',
  peerUrl: 'https://127.0.0.1:2380',
  clientUrl: 'https://127.0.0.1:2379',
});
