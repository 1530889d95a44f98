import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningProcess, startProcess } from '@drover/cloud-sandbox/real/process.ts';
import { kubeadm, kubernetes, program } from '@drover/cloud-sandbox/real/programs.ts';
import { onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { imagePrograms } from '../namespace/image-programs.ts';
import { enterInstance } from '../namespace/instance.ts';
import type { LaunchedInstance } from '../wire-account.ts';

/** kubeadm itself; its first checks find that the instance has no swap, kernel and host name of its own. */
const programs: Readonly<Record<string, string>> = {
  ...imagePrograms,
  kubeadm: `echo "$*" >>/run/kubeadm-calls
[[ $1 != init || $2 == phase ]] || set -- "$@" --ignore-preflight-errors=all
exec ${program(kubeadm, 'kubeadm')} "$@"`,
  kubelet: `exec ${program(kubernetes, 'kubelet')} "$@"`,
};

/** What a kubelet without cgroups can do without: it reads this after the configuration that kubeadm writes. */
const withoutCgroups = {
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  cgroupDriver: 'cgroupfs',
  cgroupsPerQOS: false,
  enforceNodeAllocatable: [],
  failCgroupV1: false,
  failSwapOn: false,
  localStorageCapacityIsolation: false,
  resolvConf: '',
};

/** Flags of kubeadm's own unit for the kubelet; the last one is ours. */
const kubeletFlags = [
  '--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf',
  '--kubeconfig=/etc/kubernetes/kubelet.conf',
  '--config=/var/lib/kubelet/config.yaml',
  '--config-dir=/run/kubelet.d',
];

export interface ControlPlaneMachineOptions {
  /** The private address of the instance. */
  readonly address: string;
  /** For logs. */
  readonly directory: string;
  /** A Unix socket that leads to etcd, which the instance has at 127.0.0.1:2379. */
  readonly etcdSocket: string;
}

/**
 * An instance in namespaces of its own on which kubeadm, the kubelet and the components of a control plane are real. The test starts the
 * kubelet when `systemctl` is called, as systemd would. The containers of this kubelet exist in name only, so the test runs the command of
 * each static pod as a process, as a container engine would.
 */
export async function enterControlPlane(launched: LaunchedInstance, options: ControlPlaneMachineOptions) {
  const { address, directory, etcdSocket } = options;
  const instance = await enterInstance(launched, programs);
  const on = (path: string): string => `/proc/${instance.pid}/root${path}`;
  const running = new Map<string, RunningProcess>();
  const run = (name: string, command: string, flags: readonly string[]): void => {
    const inside = ['--target', String(instance.pid), '--mount', '--net', command, ...flags];
    const logFile = join(directory, `${address}-${name}.log`);
    running.set(name, startProcess({ name, command: 'nsenter', options: inside, logFile }));
  };
  const end = async (name: string): Promise<void> => {
    await running.get(name)?.kill();
    running.delete(name);
  };
  const component = (name: string, flags: readonly string[]): void =>
    run(name, program(kubernetes, name), flags);

  const obeySystemctl = async (call: string): Promise<void> => {
    const [, verb] = /^(start|restart|stop) kubelet(?:\.service)?$/.exec(call) ?? [];
    if (verb === undefined) return;
    await end('kubelet');
    if (verb === 'stop') return;
    const [, flags = ''] =
      /"(.*)"/.exec(readFileSync(on('/var/lib/kubelet/kubeadm-flags.env'), 'utf8')) ?? [];
    component('kubelet', [...kubeletFlags, ...flags.split(' ').filter(Boolean)]);
  };
  /** A static pod has the name of its component, and ends with its manifest. */
  const runStaticPods = async (): Promise<void> => {
    const manifests = readdirSync(on(manifestsPath)).filter((name) => name.endsWith('.yaml'));
    const pods = manifests.map((name) => name.replace('.yaml', ''));
    const gone = [...running.keys()].filter((name) => name.startsWith('kube-') && !pods.includes(name));
    for (const name of gone) await end(name);
    for (const name of pods) {
      if (running.get(name)?.hasExited() === false) continue;
      const pod = parse(readFileSync(on(`${manifestsPath}/${name}.yaml`), 'utf8'));
      component(name, pod.spec.containers[0].command.slice(1));
    }
  };
  const ending = new AbortController();
  const supervise = async (): Promise<void> => {
    for (let done = 0; !ending.signal.aborted; await sleep(200)) {
      const calls = readFileSync(on('/run/systemctl-calls'), 'utf8').split('\n').slice(0, -1);
      for (; done < calls.length; done += 1) await obeySystemctl(calls[done] ?? '');
      await runStaticPods();
    }
  };

  await instance.shell(`ip address add ${address}/32 dev lo && : >/run/systemctl-calls`);
  for (const path of ['/run/containerd', '/run/kubelet.d', manifestsPath])
    mkdirSync(on(path), { recursive: true });
  writeFileSync(on('/run/kubelet.d/10.conf'), JSON.stringify(withoutCgroups));
  run('etcd', process.execPath, [join(import.meta.dirname, 'forward.ts'), etcdSocket]);
  component('container-runtime', ['/run/containerd/containerd.sock']);
  const supervising = supervise();
  onTestFinished(async () => {
    ending.abort();
    await supervising;
    await Promise.all([...running.keys()].map(end));
  });
  return {
    ...instance,
    /** What kubeadm was called with. */
    kubeadmCalls: async (): Promise<readonly string[]> =>
      ((await instance.read('/run/kubeadm-calls')) ?? '')
        .trim()
        .split('\n')
        .map((line) => line.replace(/ --config=\S+/, '')),
    /** Runs kubectl as an administrator, against the API server of this instance. */
    kubectl: (words: readonly string[]): Promise<string> =>
      instance.shell('"$@"', '', [
        program(kubernetes, 'kubectl'),
        '--kubeconfig=/etc/kubernetes/admin.conf',
        `--server=https://${address}:6443`,
        ...words,
      ]),
  };
}

const manifestsPath = '/etc/kubernetes/manifests';
