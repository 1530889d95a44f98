import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@drover/cloud-sandbox/real/free-port.ts';
import { type RunningProcess, startProcess } from '@drover/cloud-sandbox/real/process.ts';
import { kubernetes, program } from '@drover/cloud-sandbox/real/programs.ts';

/** What a kubelet without cgroups and without an engine can do without: it reads this after the configuration of the user data. */
const withoutEngine = async (socket: string) => ({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  address: '127.0.0.1',
  port: await freePort(),
  healthzPort: await freePort(),
  containerRuntimeEndpoint: `unix://${socket}`,
  cgroupDriver: 'cgroupfs',
  cgroupsPerQOS: false,
  enforceNodeAllocatable: [],
  failCgroupV1: false,
  failSwapOn: false,
  localStorageCapacityIsolation: false,
  resolvConf: '',
});

/**
 * A machine on which user data starts a real kubelet: its folders are below a folder of its own, and its systemctl starts the script as
 * systemd would.
 */
export async function bootRealNode(userData: string, environment: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'node-'));
  const at = (name: string): string => join(root, name);
  const executable = (name: string, body: string): void => {
    writeFileSync(at(name), `#!/bin/bash\n${body}\n`);
    chmodSync(at(name), 0o755);
  };
  mkdirSync(at('conf'));
  writeFileSync(at('conf/10.conf'), JSON.stringify(await withoutEngine(at('cri.sock'))));
  const folders = `--config-dir=${at('conf')} --cert-dir=${at('pki')} --root-dir=${at('root')}`;
  executable('kubelet', `exec unshare --mount ${program(kubernetes, 'kubelet')} "$@" ${folders} --v=1`);
  executable('systemctl', `echo "$*" >>${at('systemctl-calls')}`);
  writeFileSync(at('user-data'), moved(userData, root));
  const run = (name: string, command: string, options: readonly string[]): RunningProcess =>
    startProcess({
      name,
      command: 'env',
      options: [
        ...Object.entries({ ...environment, PATH: `${root}:${process.env.PATH}` }).map(
          ([key, value]) => `${key}=${value}`,
        ),
        command,
        ...options,
      ],
      logFile: at(`${name}.log`),
    });
  const runtime = run('container-runtime', program(kubernetes, 'container-runtime'), [at('cri.sock')]);
  const installing = run('user-data', 'bash', [at('user-data')]);
  await installing.exited;
  const calls = existsSync(at('systemctl-calls')) ? readFileSync(at('systemctl-calls'), 'utf8') : '';
  const node = run('drover-node', at('usr/local/sbin/drover-node'), []);
  return {
    systemctlCalls: calls.trim().split('\n'),
    close: async (): Promise<void> => {
      await Promise.all([node.kill(), runtime.kill()]);
      rmSync(root, { recursive: true, force: true });
    },
  };
}

const moved = (userData: string, root: string): string =>
  userData
    .replaceAll('/usr/bin/kubelet', `${root}/kubelet`)
    .replaceAll(
      /(?<![\w/])\/(?:var\/lib|etc\/kubernetes|etc\/systemd|run\/drover-node|usr\/local)\b/g,
      (path) => `${root}${path}`,
    );
