import type { Flavour } from '../flavour.ts';
import { clusterDnsOf, type NodeSettings } from '../settings.ts';
import { nameProblems, neededOnEks, notOnEks } from './eks.ts';

/** Bottlerocket on EKS: settings in TOML, no script. Outside EKS its bootstrap token would be in the user data. */
export const bottlerocket: Flavour = {
  description: 'EKS on Bottlerocket: settings in TOML',
  cannot: {
    ...notOnEks,
    ssm: 'Bottlerocket runs no script at boot, so a bootstrap token would be in the user data: on EKS it joins with IAM',
    kubeletFlags: 'Bottlerocket configures the kubelet with settings, not with flags',
  },
  needs: neededOnEks,
  problems: nameProblems,
  parameters: () => [],
  render: (settings) => toml(settingsOf(settings)),
};

type Table = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** https://bottlerocket.dev/en/os/latest/#/api/settings/ */
function settingsOf(settings: NodeSettings): Readonly<Record<string, Table>> {
  const dns = clusterDnsOf(settings);
  return {
    'settings.kubernetes': {
      'cluster-name': settings.clusterName,
      'api-server': settings.endpoint ?? '',
      'cluster-certificate': settings.certificateAuthority ?? '',
      'authentication-mode': 'aws',
      // A string or a list.
      ...(dns.length > 0 && { 'cluster-dns-ip': dns.length > 1 ? dns : String(dns[0]) }),
      ...(settings.maxPods !== undefined && { 'max-pods': settings.maxPods }),
    },
    // In a warm pool the kubelet does not start.
    'settings.autoscaling': { 'should-wait': true },
    ...(settings.labels.length > 0 && {
      'settings.kubernetes.node-labels': Object.fromEntries(
        settings.labels.map(({ key, value }) => [key, value]),
      ),
    }),
    ...(settings.taints.length > 0 && { 'settings.kubernetes.node-taints': taintsByKey(settings) }),
  };
}

function taintsByKey({ taints }: NodeSettings): Readonly<Record<string, readonly string[]>> {
  const of = (key: string) =>
    taints.filter((taint) => taint.key === key).map(({ value, effect }) => `${value}:${effect}`);
  return Object.fromEntries(taints.map(({ key }) => [key, of(key)]));
}

/** Basic strings of TOML have the escapes of JSON. */
const toml = (tables: Readonly<Record<string, Table>>): string =>
  Object.entries(tables)
    .map(
      ([name, table]) =>
        `[${name}]\n${Object.entries(table)
          .map(([key, value]) => `${JSON.stringify(key)} = ${JSON.stringify(value)}\n`)
          .join('')}`,
    )
    .join('\n');
