import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Installed, installed } from './installed.ts';

/** The versions are those of `etcd/build/go.mod`, and so on: a test holds them together. */
export const etcd = installed('etcd', { version: '3.6.16' });
/** Debian's, the server alone: what differs in it. */
export const oldEtcd = installed('etcd-of-debian', { version: '3.4.23' });
/** With a container runtime of ours, which is built anew when its source changes. */
export const kubernetes = installed('kubernetes', {
  version: '1.34.4',
  files: ['kubernetes/build/container-runtime/main.go'],
});
export const kwok = installed('kwok', { version: '0.8.0' });
export const nodeTerminationHandler = installed('node-termination-handler', { version: '1.25.6' });
export const oasdiff = installed('oasdiff', { version: '1.36.0' });
/** With a program of ours, which answers as its packages do. */
export const iamAuthenticator = installed('iam-authenticator', {
  version: '0.7.18',
  files: ['iam-authenticator/build/oracle/main.go', 'iam-authenticator/build/oracle/save_map.go'],
});
/** What reads user data on instances, or judges it: the versions are those of `user-data/NAME/go.mod`. */
export const kubeadm = installed('kubeadm', { version: '1.34.4' });
export const butane = installed('butane', { version: '0.24.0' });
export const ignition = installed('ignition', { version: '2.22.0' });
/** The last one that the module proxy has. */
export const nodeadm = installed('nodeadm', { version: '0.0.0-20240229193347-cfab22a10647' });
/** Debian's cloud-init with the Python packages that its schema needs, and shellcheck. */
export const cloudInit = installed('cloud-init', { files: ['python/cloud-init.txt'] });
/** The X-Ray daemon's protocol, as AWS wrote it for the OpenTelemetry collector, with a program of ours that prints what it takes. */
export const xrayReceiver = installed('xray-receiver', {
  version: '0.128.0',
  files: ['xray-receiver/build/receiver/main.go'],
});
/** ElasticMQ and event-ruler, with all that they need, as jars. */
export const java = installed('java', { files: ['java/pom.xml'] });
/** MiniStack and moto. */
export const emulators = installed('emulators', { files: ['python/emulators.txt'] });
/** The AWS CLI and boto3. */
export const clients = installed('clients', { files: ['python/clients.txt'] });
/** aws-lambda-ric and iam-simulate. */
export const nodeTools = installed('node-tools', {
  files: ['node-tools/package.json', 'node-tools/package-lock.json'],
});

/** The path of a program that one of them has; what KUBEBUILDER_ASSETS has goes first, as envtest has it. */
export function program({ directory }: Installed, name: string): string {
  const provided = join(process.env.KUBEBUILDER_ASSETS ?? directory, name);
  return existsSync(provided) ? provided : join(directory, 'bin', name);
}
