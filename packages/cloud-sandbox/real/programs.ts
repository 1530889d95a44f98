import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Installed, installed } from './installed.ts';
import { chosenVersion, debianEtcdVersion } from './versions.ts';

/** `versions.ts` chooses the version, and a test compares it with the modules of the build. */
export const etcd = installed('etcd', { version: chosenVersion('etcd') });
/** Debian's package, only the server; it is older and behaves differently in places. */
export const oldEtcd = installed('etcd-of-debian', { version: debianEtcdVersion });
/** With our own container runtime, which is built again when its source changes. */
export const kubernetes = installed('kubernetes', {
  version: chosenVersion('kubernetes'),
  files: ['kubernetes/build/container-runtime/main.go'],
});
/** Our own program around the packages of kube-scheduler, which answers for it without a cluster. */
export const schedulerOracle = installed('scheduler-oracle', {
  version: kubernetes.version,
  files: ['main', 'cluster', 'admission', 'judge', 'provision'].map(
    (name) => `kubernetes/build/scheduler-oracle/${name}.go`,
  ),
});
export const kwok = installed('kwok', { version: '0.8.0' });
export const nodeTerminationHandler = installed('node-termination-handler', { version: '1.25.6' });
export const oasdiff = installed('oasdiff', { version: '1.36.0' });
/** With our own program, which calls its packages. */
export const iamAuthenticator = installed('iam-authenticator', {
  version: '0.7.18',
  files: ['iam-authenticator/build/oracle/main.go', 'iam-authenticator/build/oracle/save_map.go'],
});
/** Built from the modules of Kubernetes, and installed by itself: suites of user data need nothing else. */
export const kubeadm = installed('kubeadm', { version: kubernetes.version });
/** Programs that read or validate user data on instances. The versions are those of `user-data/NAME/go.mod`. */
export const butane = installed('butane', { version: '0.24.0' });
export const ignition = installed('ignition', { version: '2.22.0' });
/** The last version that the module proxy has. */
export const nodeadm = installed('nodeadm', { version: '0.0.0-20240229193347-cfab22a10647' });
/** Debian's cloud-init with the Python packages that its schema needs, and shellcheck. */
export const cloudInit = installed('cloud-init', { files: ['python/cloud-init.txt'] });
/** AWS's implementation of the X-Ray daemon's protocol for the OpenTelemetry collector, with our own program that prints what it receives. */
export const xrayReceiver = installed('xray-receiver', {
  version: '0.128.0',
  files: ['xray-receiver/build/receiver/main.go'],
});
/** ElasticMQ and event-ruler with their dependencies, as jars. */
export const java = installed('java', { files: ['java/pom.xml'] });
/** MiniStack and moto. */
export const emulators = installed('emulators', { files: ['python/emulators.txt'] });
/** The AWS CLI and boto3. */
export const clients = installed('clients', { files: ['python/clients.txt'] });
/** ansible-core, and three collections of the package of Ansible. */
export const ansible = installed('ansible', {
  files: ['python/ansible.txt', 'python/ansible-collections.txt'],
});
/** aws-lambda-ric and iam-simulate. */
export const nodeTools = installed('node-tools', {
  files: ['node-tools/package.json', 'node-tools/package-lock.json'],
});

/** The path of a program of an installation. Programs in KUBEBUILDER_ASSETS take precedence, as in envtest. */
export function program({ directory }: Installed, name: string): string {
  const provided = join(process.env.KUBEBUILDER_ASSETS ?? directory, name);
  return existsSync(provided) ? provided : join(directory, 'bin', name);
}
