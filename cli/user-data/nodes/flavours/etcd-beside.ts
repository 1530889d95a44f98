import { peerCommonName } from '../../../pki/layout.ts';
import { memberCommands, memberFiles, memberIgnition } from '../../etcd/render.ts';
import type { MemberSettings } from '../../etcd/settings.ts';
import { compressedFile } from '../../ignition.ts';
import type { BootScripts } from '../boot-scripts.ts';
import type { MachineFile } from '../machine-file.ts';
import type { NodeSettings } from '../settings.ts';

/** What kubeadm writes once for a cluster: the boot script runs these phases if the cluster lacks them. */
const foundingPhases = 'upload-config,bootstrap-token,addon';

/** From 1.26 on kubeadm prints the command to join in a phase of its own, and refuses that phase without `bootstrap-token`. */
const skippedPhases = ({ kubernetesVersion = '' }: NodeSettings): string =>
  Number(kubernetesVersion.split('.')[1]) >= 26 ? `${foundingPhases},show-join-command` : foundingPhases;

/** Not `/var/lib/etcd`: it is kubeadm's own directory for etcd, so a `kubeadm reset` by hand may empty it. */
const dataDirectory = '/var/lib/drover-etcd/data';

const usualProgram = '/usr/local/bin/etcd';

const memberSettings = (
  { clusterName, etcdDomain = '', pkiSource }: NodeSettings,
  etcdPath = usualProgram,
): MemberSettings => ({
  clusterName,
  domain: etcdDomain,
  serviceName: '',
  source: 'ssm',
  memberParameters: `/drover/${clusterName}/etcd/members`,
  pkiSource,
  certificateDirectory: '',
  tls: true,
  peerCommonName,
  dataDirectory,
  listenAddress: '0.0.0.0',
  etcdPath,
});

/** What the boot script of kubeadm needs to know about etcd on its instance. Pure. */
export const besideAssignments = (settings: NodeSettings): Readonly<Record<string, string>> =>
  settings.etcdDomain === undefined
    ? { etcd_domain: '', init_flags: '', reset_flags: '' }
    : {
        etcd_domain: settings.etcdDomain,
        init_flags: `--skip-phases=${skippedPhases(settings)}`,
        reset_flags: '--skip-phases=remove-etcd-member',
        endpoint: settings.endpoint ?? '',
      };

/** The member of etcd on the instance of an API server. Pure. */
export const besideFiles = (settings: NodeSettings, { member }: BootScripts): readonly MachineFile[] =>
  settings.etcdDomain === undefined
    ? []
    : memberFiles({ settings: memberSettings(settings), template: member });

/** The same as parts of an Ignition configuration, with the program of the image. Pure. */
export const besideIgnition = (settings: NodeSettings, { member }: BootScripts, etcdPath: string) =>
  settings.etcdDomain === undefined
    ? undefined
    : memberIgnition({ settings: memberSettings(settings, etcdPath), template: member }, compressedFile);

/** Pure. */
export const besideCommands = (settings: NodeSettings): readonly (readonly string[])[] =>
  settings.etcdDomain === undefined ? [] : memberCommands(memberSettings(settings));

/** While kubeadm runs, the name of the endpoint leads to its own machine, so the port must be that of the API server. Pure. */
export function besideProblems({ etcdDomain, endpoint }: NodeSettings): readonly string[] {
  if (etcdDomain === undefined || endpoint === undefined) return [];
  return new URL(endpoint).port === '6443'
    ? []
    : ['--endpoint needs the port 6443 with --etcd beside: the API server of each instance listens there'];
}

/** The certificates that the member reads itself. Pure. */
export const besideParameters = ({ etcdDomain, pkiSource }: NodeSettings): readonly string[] =>
  etcdDomain === undefined
    ? []
    : ['server.crt', 'server.key', 'peer.crt', 'peer.key'].map((file) => `${pkiSource}/etcd/${file}`);
