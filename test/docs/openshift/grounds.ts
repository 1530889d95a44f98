/** Why a cell of the table says what it says: a test of this repository, by its file and words of its title, or a document of the maker. */
export type Ground =
  | { readonly kind: 'test'; readonly file: string; readonly title: string }
  | { readonly kind: 'document'; readonly address: string };

const tested = (file: string, title: string): Ground => ({ kind: 'test', file, title });
const document = (address: string): Ground => ({ kind: 'document', address });

const redHat = 'https://docs.redhat.com/en/documentation/openshift_container_platform';
const machineDeletion = document(`${redHat}/4.19/html/machine_management/deleting-machine`);
const healthChecks = document(
  'https://docs.openshift.com/container-platform/4.0/machine_management/deploying-machine-health-checks.html',
);
const machineApprover = document('https://github.com/openshift/cluster-machine-approver/blob/main/README.md');
const etcdOperator = document('https://github.com/openshift/cluster-etcd-operator/blob/main/README.md');
const authentication = document(`${redHat}/4.19/html/config_apis/authentication-config-openshift-io-v1`);

const notManaged = tested(
  'test/docs/examples/clusters.test.ts',
  'OpenShift 3.11 are managed only if Managed is yes',
);
const drained = tested(
  'test/docs/quick-starts/quick-starts.real.test.ts',
  'of OpenShift 4 drains the instance',
);
const published = tested(
  'test/docs/quick-starts/quick-starts.real.test.ts',
  'of OpenShift 3.11 makes user data',
);
const notDecided = tested(
  'test/shared/certificates/request-checks.test.ts',
  'the node-bootstrapper of OpenShift 4',
);
const flavour = tested('test/cli/user-data/nodes/flavours.programs.test.ts', 'openshift-3.11');

const on311 = 'test/scenarios/openshift-3.11.test.ts';
const drainedOn311 = tested(on311, 'drains a node of OpenShift 3.11 by evictions of v1beta1');
const rightsOn311 = 'test/scenarios/openshift-3.11-rights.test.ts';
const loggedIn = tested(on311, 'lets the role of a bastion in through the webhook in v1beta1');

/** By the first cell of each row, the grounds of its three columns. */
export const grounds: Readonly<Record<string, readonly [Ground, Ground, Ground]>> = {
  'nodes come from': [notManaged, machineDeletion, drained],
  drain: [drainedOn311, machineDeletion, drained],
  'join: in service when the node is Ready': [
    tested(on311, 'keeps an instance of 3.11 out of service until its Node is Ready'),
    machineDeletion,
    tested('test/scenarios/joining.test.ts', 'is not in service before its Node is Ready'),
  ],
  'replace failed nodes, opt-in': [
    tested(rightsOn311, 'a failed node is replaced'),
    healthChecks,
    tested('test/scenarios/repair.test.ts', 'is replaced once it has not been Ready for as long'),
  ],
  'capacity: holds, schedules, giving back empty nodes': [
    tested(rightsOn311, 'holds have their nodes, also over HTTP'),
    machineDeletion,
    tested('test/scenarios/holds.test.ts', 'hold'),
  ],
  'bootstrap credentials': [published, machineApprover, notDecided],
  'node certificates': [
    tested(on311, 'approves the request of node-bootstrapper for a launched worker'),
    machineApprover,
    notDecided,
  ],
  'user data for nodes': [flavour, machineDeletion, flavour],
  etcd: [notManaged, etcdOperator, etcdOperator],
  'IAM identities in the cluster': [loggedIn, authentication, authentication],
};
