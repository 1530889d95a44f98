import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1.d.ts';
import type { ClusterRoleBinding } from 'kubernetes-types/rbac/v1.d.ts';
import type { Item } from '../api/list.ts';
import { ageColumn, type Column, createdColumn, duration, nameColumn } from './column.ts';

const binding = (item: Item): ClusterRoleBinding => item as Item & ClusterRoleBinding;
const request = (item: Item): CertificateSigningRequest => item as Item & CertificateSigningRequest;

const subjects = (name: string, kind: string): Column => ({
  name,
  wide: true,
  value: (item) =>
    (binding(item).subjects ?? [])
      .filter((subject) => subject.kind === kind)
      .map((subject) =>
        kind === 'ServiceAccount' ? `${subject.namespace ?? ''}/${subject.name}` : subject.name,
      )
      .join(', '),
});

const bindingColumns: readonly Column[] = [
  nameColumn,
  { name: 'Role', value: (item) => `${binding(item).roleRef.kind}/${binding(item).roleRef.name}` },
  ageColumn,
  subjects('Users', 'User'),
  subjects('Groups', 'Group'),
  subjects('ServiceAccounts', 'ServiceAccount'),
];

function requestCondition(item: Item): string {
  const { status } = request(item);
  const types = (status?.conditions ?? []).map(({ type }) => type);
  if (status?.certificate !== undefined) types.push('Issued');
  return types.length === 0 ? 'Pending' : types.join(',');
}

function requestedDuration(item: Item): string {
  const seconds = request(item).spec?.expirationSeconds;
  return seconds === undefined ? '<none>' : duration(seconds);
}

/** The columns of roles, bindings and certificate requests. */
export const accessColumns: Readonly<Record<string, readonly Column[]>> = {
  'roles.rbac.authorization.k8s.io': [nameColumn, createdColumn],
  'clusterroles.rbac.authorization.k8s.io': [nameColumn, createdColumn],
  'rolebindings.rbac.authorization.k8s.io': bindingColumns,
  'clusterrolebindings.rbac.authorization.k8s.io': bindingColumns,
  'certificatesigningrequests.certificates.k8s.io': [
    nameColumn,
    ageColumn,
    { name: 'SignerName', value: (item) => request(item).spec?.signerName ?? '<none>' },
    { name: 'Requestor', value: (item) => request(item).spec?.username ?? '' },
    { name: 'RequestedDuration', value: requestedDuration },
    { name: 'Condition', value: requestCondition },
  ],
};
