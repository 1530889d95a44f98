/** How a field is read: what it is called in JSON, and what it holds. `repeated`: each occurrence is an item of a list. */
export interface Field {
  readonly name: string;
  readonly type: 'string' | 'int' | 'bool' | 'bytes' | 'time' | 'intOrString' | 'map' | 'bytesMap' | Message;
  readonly repeated?: boolean;
}

/** Fields by their numbers. Fields that are not listed are skipped. */
export type Message = Readonly<Record<number, Field>>;

const field = (name: string, type: Field['type'] = 'string'): Field => ({ name, type });
const list = (name: string, type: Field['type'] = 'string'): Field => ({ name, type, repeated: true });

const ownerReference: Message = {
  1: field('kind'),
  3: field('name'),
  4: field('uid'),
  5: field('apiVersion'),
  6: field('controller', 'bool'),
  7: field('blockOwnerDeletion', 'bool'),
};

const metadata: Message = {
  1: field('name'),
  2: field('generateName'),
  3: field('namespace'),
  5: field('uid'),
  6: field('resourceVersion'),
  8: field('creationTimestamp', 'time'),
  11: field('labels', 'map'),
  12: field('annotations', 'map'),
  13: list('ownerReferences', ownerReference),
  14: list('finalizers'),
};

const withMetadata = (fields: Message): Message => ({ 1: field('metadata', metadata), ...fields });

const requirement: Message = { 1: field('key'), 2: field('operator'), 3: list('values') };
const selector: Message = { 1: field('matchLabels', 'map'), 2: list('matchExpressions', requirement) };

const container: Message = {
  1: field('name'),
  2: field('image'),
  3: list('command'),
  4: list('args'),
  6: list('ports', { 1: field('name'), 3: field('containerPort', 'int'), 4: field('protocol') }),
};
const podSpec: Message = {
  2: list('containers', container),
  3: field('restartPolicy'),
  8: field('serviceAccountName'),
};
const deploymentSpec: Message = {
  1: field('replicas', 'int'),
  2: field('selector', selector),
  3: field('template', withMetadata({ 2: field('spec', podSpec) })),
};

const jobSpec: Message = {
  1: field('parallelism', 'int'),
  2: field('completions', 'int'),
  6: field('template', withMetadata({ 2: field('spec', podSpec) })),
  7: field('backoffLimit', 'int'),
};
const servicePort: Message = {
  1: field('name'),
  2: field('protocol'),
  3: field('port', 'int'),
  4: field('targetPort', 'intOrString'),
  5: field('nodePort', 'int'),
};
const serviceSpec: Message = {
  1: list('ports', servicePort),
  2: field('selector', 'map'),
  3: field('clusterIP'),
  4: field('type'),
  7: field('sessionAffinity'),
  10: field('externalName'),
};

const deleteOptions: Message = {
  1: field('gracePeriodSeconds', 'int'),
  2: field('preconditions', { 1: field('uid'), 2: field('resourceVersion') }),
  4: field('propagationPolicy'),
  5: list('dryRun'),
};

const rule: Message = {
  1: list('verbs'),
  2: list('apiGroups'),
  3: list('resources'),
  4: list('resourceNames'),
  5: list('nonResourceURLs'),
};
const subject: Message = { 1: field('kind'), 2: field('apiGroup'), 3: field('name'), 4: field('namespace') };
const roleRef: Message = { 1: field('apiGroup'), 2: field('kind'), 3: field('name') };
const role = withMetadata({ 2: list('rules', rule) });
const binding = withMetadata({ 2: list('subjects', subject), 3: field('roleRef', roleRef) });

const condition: Message = {
  1: field('type'),
  2: field('reason'),
  3: field('message'),
  4: field('lastUpdateTime', 'time'),
  5: field('lastTransitionTime', 'time'),
  6: field('status'),
};
const requestSpec: Message = {
  1: field('request', 'bytes'),
  2: field('username'),
  4: list('groups'),
  5: list('usages'),
  7: field('signerName'),
  8: field('expirationSeconds', 'int'),
};

const resourceAttributes: Message = {
  1: field('namespace'),
  2: field('verb'),
  3: field('group'),
  5: field('resource'),
  6: field('subresource'),
  7: field('name'),
};
const accessSpec: Message = {
  1: field('resourceAttributes', resourceAttributes),
  2: field('nonResourceAttributes', { 1: field('path'), 2: field('verb') }),
};

/** The kinds that kubectl posts as protobuf and that the simulation reads, by kind. Source: the generated.proto of each API group. */
export const messages: Readonly<Record<string, Message>> = {
  Namespace: withMetadata({}),
  ConfigMap: withMetadata({ 2: field('data', 'map'), 3: field('binaryData', 'bytesMap') }),
  Secret: withMetadata({ 2: field('data', 'bytesMap'), 3: field('type'), 4: field('stringData', 'map') }),
  ServiceAccount: withMetadata({}),
  Deployment: withMetadata({ 2: field('spec', deploymentSpec) }),
  Job: withMetadata({ 2: field('spec', jobSpec) }),
  CronJob: withMetadata({
    2: field('spec', {
      1: field('schedule'),
      5: field('jobTemplate', withMetadata({ 2: field('spec', jobSpec) })),
    }),
  }),
  Service: withMetadata({ 2: field('spec', serviceSpec) }),
  PriorityClass: withMetadata({
    2: field('value', 'int'),
    3: field('globalDefault', 'bool'),
    4: field('description'),
    5: field('preemptionPolicy'),
  }),
  PodDisruptionBudget: withMetadata({
    2: field('spec', {
      1: field('minAvailable', 'intOrString'),
      2: field('selector', selector),
      3: field('maxUnavailable', 'intOrString'),
      4: field('unhealthyPodEvictionPolicy'),
    }),
  }),
  Role: role,
  ClusterRole: role,
  RoleBinding: binding,
  ClusterRoleBinding: binding,
  CertificateSigningRequest: withMetadata({
    2: field('spec', requestSpec),
    3: field('status', { 1: list('conditions', condition), 2: field('certificate', 'bytes') }),
  }),
  TokenRequest: withMetadata({
    2: field('spec', { 1: list('audiences'), 4: field('expirationSeconds', 'int') }),
  }),
  TokenReview: withMetadata({ 2: field('spec', { 1: field('token') }) }),
  SelfSubjectReview: withMetadata({}),
  SelfSubjectAccessReview: withMetadata({ 2: field('spec', accessSpec) }),
  SelfSubjectRulesReview: withMetadata({ 2: field('spec', { 1: field('namespace') }) }),
  DeleteOptions: deleteOptions,
  Eviction: withMetadata({ 2: field('deleteOptions', deleteOptions) }),
};
