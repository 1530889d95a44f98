import {
  butane,
  clients,
  emulators,
  etcd,
  iamAuthenticator,
  ignition,
  kubeadm,
  kubernetes,
  kwok,
  nodeadm,
  nodeTerminationHandler,
  oasdiff,
  schedulerOracle,
  xrayReceiver,
} from '../programs.ts';
import { modfileOf } from '../versions.ts';
import { ansibleInstallation } from './ansible.ts';
import { cloudInitInstallation } from './cloud-init.ts';
import { debianEtcd } from './debian-etcd.ts';
import { goPrograms } from './go.ts';
import type { Installation } from './install.ts';
import { javaInstallation } from './java.ts';
import { nodeToolsInstallation } from './node-tools.ts';
import { pythonPackages } from './python.ts';

const [gitMajor = '', gitMinor = ''] = kubernetes.version.split('.');
/** The version of a release as Kubernetes' build sets it (hack/lib/version.sh). The module proxy does not report the commit. */
const asReleased = { gitVersion: `v${kubernetes.version}`, gitMajor, gitMinor, gitTreeState: 'clean' };

const versionVariables = Object.fromEntries(
  ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].flatMap((ofPackage) =>
    Object.entries(asReleased).map(([name, value]) => [`${ofPackage}.${name}`, value]),
  ),
);

/** The most useful ones first, so that an interrupted run has installed them. */
export const installations: readonly Installation[] = [
  pythonPackages(emulators, 'emulators.txt'),
  pythonPackages(clients, 'clients.txt'),
  ansibleInstallation,
  javaInstallation,
  nodeToolsInstallation,
  goPrograms({
    what: etcd,
    takes: 'a minute or more, from the Go module proxy',
    module: 'etcd/build',
    modfile: modfileOf('etcd', etcd.version),
    programs: {
      etcd: 'go.etcd.io/etcd/server/v3',
      etcdctl: 'go.etcd.io/etcd/etcdctl/v3',
      etcdutl: 'go.etcd.io/etcd/etcdutl/v3',
    },
  }),
  debianEtcd,
  goPrograms({
    what: kubernetes,
    takes: 'five minutes or more on two cores, from the Go module proxy',
    module: 'kubernetes/build',
    modfile: modfileOf('kubernetes', kubernetes.version),
    programs: {
      'container-runtime': './container-runtime',
      ...Object.fromEntries(
        ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubectl', 'kubelet'].map((name) => [
          name,
          `k8s.io/kubernetes/cmd/${name}`,
        ]),
      ),
    },
    variables: versionVariables,
  }),
  goPrograms({
    what: schedulerOracle,
    takes: 'seconds after Kubernetes, whose packages it shares',
    module: 'kubernetes/build',
    modfile: modfileOf('kubernetes', kubernetes.version),
    programs: { 'scheduler-oracle': './scheduler-oracle' },
    variables: versionVariables,
  }),
  goPrograms({
    what: oasdiff,
    takes: 'a minute, from the Go module proxy',
    module: 'oasdiff/build',
    programs: { oasdiff: 'github.com/oasdiff/oasdiff' },
  }),
  goPrograms({
    what: kwok,
    takes: 'a minute, from the Go module proxy',
    module: 'kwok/build',
    programs: { kwok: 'sigs.k8s.io/kwok/cmd/kwok' },
  }),
  goPrograms({
    what: nodeTerminationHandler,
    takes: 'two minutes, from the Go module proxy',
    module: 'node-termination-handler/build',
    programs: { 'node-termination-handler': 'github.com/aws/aws-node-termination-handler/cmd' },
  }),
  goPrograms({
    what: iamAuthenticator,
    takes: 'two minutes, from the Go module proxy',
    module: 'iam-authenticator/build',
    programs: {
      oracle: './oracle',
      'aws-iam-authenticator': 'sigs.k8s.io/aws-iam-authenticator/cmd/aws-iam-authenticator',
    },
  }),
  goPrograms({
    what: xrayReceiver,
    takes: 'a minute, from the Go module proxy',
    module: 'xray-receiver/build',
    programs: { 'xray-receiver': './receiver' },
  }),
  cloudInitInstallation,
  goPrograms({
    what: butane,
    takes: 'half a minute, from the Go module proxy',
    module: 'user-data/butane',
    programs: { butane: 'github.com/coreos/butane/internal' },
  }),
  goPrograms({
    what: ignition,
    takes: 'half a minute, from the Go module proxy',
    module: 'user-data/ignition',
    programs: { 'ignition-validate': 'github.com/coreos/ignition/v2/validate' },
  }),
  goPrograms({
    what: kubeadm,
    takes: 'two minutes, from the Go module proxy',
    module: 'kubernetes/build',
    modfile: modfileOf('kubernetes', kubeadm.version),
    programs: { kubeadm: 'k8s.io/kubernetes/cmd/kubeadm' },
    variables: versionVariables,
  }),
  goPrograms({
    what: nodeadm,
    takes: 'five minutes, from the Go module proxy',
    module: 'user-data/nodeadm',
    programs: { nodeadm: 'github.com/awslabs/amazon-eks-ami/nodeadm/cmd/nodeadm' },
  }),
];
