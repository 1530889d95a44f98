import { bootScript, warmPoolDropIn } from '../boot-script.ts';
import type { Flavour } from '../flavour.ts';
import { bootScriptPath, cloudConfig, type MachineFile } from '../machine-file.ts';

const byGroup = (what: string) =>
  `the ConfigMap of the node group decides ${what}: change it with openshift_node_groups`;

/** Compute nodes of OpenShift and OKD 3.11, as openshift-ansible 3.11 makes them (`roles/openshift_aws/templates/user_data.j2`). */
export const openshift311: Flavour = {
  description: 'OpenShift or OKD 3.11: a cloud-config for compute nodes',
  cannot: {
    iam: 'this flavour reads a published kubeconfig: publish that of node-bootstrapper',
    controlPlane: 'openshift-ansible makes the masters',
    init: 'openshift-ansible makes the masters',
    kubernetesVersion: 'OpenShift 3.11 has Kubernetes 1.11',
    endpoint: 'the published kubeconfig has it',
    certificateAuthority: 'the published kubeconfig has it',
    serviceCidr: byGroup('the network'),
    podCidr: byGroup('the network'),
    clusterDns: byGroup('the DNS'),
    labels: byGroup('the labels'),
    taints: byGroup('the taints'),
    kubeletFlags: byGroup('the arguments of the kubelet'),
    maxPods: byGroup('the number of pods'),
    instanceIdName: 'the AWS cloud provider of Kubernetes 1.11 knows private DNS names only',
    kubelet: 'the image decides it',
    etcdEndpoints: 'only control planes use them',
    etcdDomain: 'only control planes use it',
  },
  needs: {},
  parameters: ({ credentialParameter, registryParameter }) => [
    credentialParameter,
    ...(registryParameter === undefined ? [] : [registryParameter]),
  ],
  render: (settings, scripts) => {
    const {
      nodeConfig = 'node-config-compute',
      nodeService = 'origin-node',
      registryParameter = '',
    } = settings;
    const fetching = bootScript(settings, {
      scripts,
      part: 'openshift',
      assignments: { registry_parameter: registryParameter },
    });
    const files: readonly MachineFile[] = [
      {
        path: '/root/openshift_bootstrap/openshift_settings.yaml',
        permissions: '0640',
        content: `openshift_node_config_name: ${nodeConfig}\n`,
      },
      { path: bootScriptPath, permissions: '0755', content: fetching },
      warmPoolDropIn(nodeService),
      {
        path: `/etc/systemd/system/${nodeService}.service.d/60-drover-expired.conf`,
        permissions: '0644',
        content: `[Service]\nExecStartPre=${bootScriptPath} at-start\n`,
      },
    ];
    return cloudConfig(files, commands(nodeService));
  },
};

/** The start does not wait for the service, which may wait in a warm pool. */
const commands = (service: string): readonly (readonly string[])[] => [
  ['mkdir', '-p', '/etc/origin/cloudprovider'],
  ['touch', '/etc/origin/cloudprovider/aws.conf'],
  [bootScriptPath],
  ['sh', '-c', `playbook=${playbook}; [ ! -e "$playbook" ] || ansible-playbook "$playbook"`],
  ['systemctl', 'daemon-reload'],
  ['systemctl', 'restart', 'systemd-hostnamed'],
  ['systemctl', 'restart', 'NetworkManager'],
  ['systemctl', 'enable', service],
  ['systemctl', 'start', '--no-block', service],
];

const playbook = '/root/openshift_bootstrap/bootstrap.yml';
