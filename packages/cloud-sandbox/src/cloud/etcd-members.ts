import { readMemberState } from '../../../../shared/etcd/member-state.ts';
import type { StreamGateway } from '../../../../shared/etcd-api/http.ts';
import type { SendHttp } from '../../../../shared/net/http.ts';
import type { SimulatedInstance } from '../aws/ec2/model.ts';
import { resolve as resolveIn } from '../dns/resolve.ts';
import type { EtcdFlags, Resolve } from '../etcd/flags.ts';
import type { EtcdCertificates } from '../etcd/gateway/certificates.ts';
import type { EtcdInstance } from '../etcd/machines.ts';
import { createEtcdWorld, type EtcdWorld } from '../etcd/world.ts';
import type { Account } from './account.ts';

/** Where members run: in the simulation, or as processes of etcd itself. */
export interface EtcdMachines {
  readonly boot: (instanceId: string, instance: EtcdInstance) => void;
  readonly vanish: (instanceId: string) => void;
  /** Carries requests to their client ports. */
  readonly send: SendHttp;
  readonly stream: StreamGateway;
}

export interface EtcdMembersOptions {
  readonly account: Account;
  readonly clusterName: string;
  /** Under which Drover tells members what to start as. */
  readonly parameterPrefix: string;
  readonly certificates?: EtcdCertificates;
  /** Absent: the simulated ones. */
  readonly machines?: EtcdMachines;
  /** From the instance running to its user data asking for its state. */
  readonly bootSeconds?: number;
}

export interface EtcdMembers {
  /** The simulated members; nobody, where others are given. */
  readonly world: EtcdWorld;
  readonly send: SendHttp;
  readonly stream: StreamGateway;
  readonly resolve: Resolve;
}

/** How often the user data asks again, and how soon systemd starts an etcd again that has ended. */
const pollSeconds = 5;

/** etcd on the instances of the groups with the role `etcd`: it waits for its state, starts, and goes with the instance. */
export function runEtcdMembers(options: EtcdMembersOptions): EtcdMembers {
  const { account, clusterName, bootSeconds = 10, certificates } = options;
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
  const isMember = ({ tags }: SimulatedInstance): boolean =>
    tags.has(`kubernetes.io/cluster/${clusterName}`) && tags.get('drover.dev/role') === 'etcd';

  /** The unit of `drover user-data etcd`: never starts without a state, and with its data whatever the state says. */
  const start = (instance: SimulatedInstance): void => {
    if (instance.state !== 'running') return;
    if (!flagsOf(options, instance.instanceId)) {
      clock.after(pollSeconds * 1000, () => start(instance));
      return;
    }
    machines.boot(instance.instanceId, {
      address: instance.privateIpAddress,
      dataDirectory: instance.instanceId,
      flags: () => flagsOf(options, instance.instanceId) ?? withoutState(instance.instanceId),
      restartSeconds: pollSeconds,
    });
  };
  ec2.onInstanceStateChange((instance) => {
    if (!isMember(instance)) return;
    if (instance.state === 'running') clock.after(bootSeconds * 1000, () => start(instance));
    if (instance.state === 'shutting-down') machines.vanish(instance.instanceId);
  });
  return { world, resolve, send: machines.send, stream: machines.stream };
}

function flagsOf(
  { account, parameterPrefix }: EtcdMembersOptions,
  instanceId: string,
): EtcdFlags | undefined {
  const text = account.ssm.controls.value(`${parameterPrefix}/${instanceId}`);
  if (text === undefined) return undefined;
  const { state, name, peerUrl, clientUrl, discoverySrv, discoverySrvName } = readMemberState(text);
  return {
    name,
    initialClusterState: state,
    peerUrl,
    clientUrl,
    discoverySrv,
    ...(discoverySrvName && { discoverySrvName }),
  };
}

/** Drover has taken the state back while etcd runs: one with data needs none. */
const withoutState = (instanceId: string): EtcdFlags => ({
  name: instanceId,
  initialClusterState: 'existing',
  peerUrl: 'https://127.0.0.1:2380',
  clientUrl: 'https://127.0.0.1:2379',
});
