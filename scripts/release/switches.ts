import { askedForEmptiness, type Expression, type StageParameters } from './markers.ts';
import { templateName } from './parameters.ts';

/** A choice that adds or removes parts of the template. */
export interface Switch {
  /** The condition of CloudFormation under which it is on. */
  readonly condition: string;
  readonly meaning: Expression;
  /** Parameters of the stage in which it is off and everything else is on. */
  readonly off: StageParameters;
  /** Whether the environment of functions has the value of the parameter itself, whatever the switch. */
  readonly keepsEnvironment?: true;
  /** Conditions under each of which this one holds too. */
  readonly impliedBy?: readonly string[];
}

const is = (name: string, value: string): Expression => ({ 'Fn::Equals': [{ Ref: name }, value] });
const not = (condition: unknown): Expression => ({ 'Fn::Not': [condition] });
export const all = (...conditions: readonly unknown[]): Expression => ({ 'Fn::And': conditions });
const named = (Condition: string): Expression => ({ Condition });

export const switches: readonly Switch[] = [
  { condition: 'IsPrivate', meaning: is('Network', 'private'), off: { network: 'outside' } },
  {
    condition: 'ApiServerNeedsRule',
    meaning: not(all(is('ApiServerPort', '443'), is('ApiServerCidr', '0.0.0.0/0'))),
    off: { apiServerPort: 443, apiServerCidr: '0.0.0.0/0' },
  },
  { condition: 'HasBootstrap', meaning: is('Bootstrap', 'on'), off: { bootstrap: 'off' } },
  {
    condition: 'HasControlPlaneCredential',
    meaning: is('BootstrapRoles', 'worker,control-plane'),
    off: { bootstrapRoles: 'worker' },
    keepsEnvironment: true,
  },
  { condition: 'HasCertificates', meaning: is('Certificates', 'on'), off: { certificates: 'off' } },
  {
    condition: 'HasCertificatesKubeconfigParameter',
    meaning: not(is('CertificatesKubeconfigParameter', '')),
    off: { certificatesKubeconfigParameter: null },
  },
  { condition: 'HasScaleApi', meaning: is('ScaleApi', 'on'), off: { scaleApi: 'off' } },
  { condition: 'HasTokenWebhook', meaning: is('TokenWebhook', 'on'), off: { tokenWebhook: 'off' } },
  {
    condition: 'ReadsIdentityConfigMap',
    meaning: not(is('IdentityConfigMap', 'off')),
    off: { identityConfigMap: 'off' },
    keepsEnvironment: true,
  },
  {
    condition: 'ReservesTokenWebhook',
    meaning: not(is('TokenWebhookConcurrency', 'unreserved')),
    off: { tokenWebhookConcurrency: 'unreserved' },
  },
  { condition: 'HasDashboard', meaning: is('Dashboard', 'on'), off: { dashboard: 'off' } },
  { condition: 'HasTracing', meaning: is('Tracing', 'on'), off: { tracing: 'rights' } },
  {
    condition: 'HasTracingRights',
    meaning: not(is('Tracing', 'off')),
    off: { tracing: 'off' },
    impliedBy: ['HasTracing'],
  },
  { condition: 'HasHookTopic', meaning: not(is('HookTopic', '')), off: { hookTopic: '' } },
  {
    condition: 'HasNotifications',
    meaning: is('Notifications', 'on'),
    off: { notifications: 'off' },
  },
  {
    condition: 'HasNotificationEmail',
    meaning: not(is('NotificationEmail', '')),
    off: { notificationEmail: '' },
  },
  {
    condition: 'HasNotificationTopic',
    meaning: not(is('NotificationTopic', '')),
    off: { notificationTopic: '' },
  },
  {
    condition: 'HasChatWebhook',
    meaning: not(is('ChatWebhookSecret', '')),
    off: { chatWebhookSecret: '' },
  },
  { condition: 'HasOperatorRole', meaning: not(is('OperatorRole', '')), off: { operatorRole: '' } },
  {
    condition: 'HasPermissionsBoundary',
    meaning: not(is('PermissionsBoundary', '')),
    off: { permissionsBoundary: '' },
  },
  { condition: 'HasRolePath', meaning: not(is('RolePath', '/')), off: { rolePath: '/' } },
  {
    // The list of the senders to UndeliveredQueue must not be empty.
    condition: 'HasBootstrapOrOperatorRole',
    meaning: { 'Fn::Or': [named('HasBootstrap'), named('HasOperatorRole')] },
    off: { bootstrap: 'off', operatorRole: '' },
    impliedBy: ['HasBootstrap', 'HasOperatorRole'],
  },
  {
    condition: 'KeepsSnapshots',
    meaning: all(not(is('EtcdDomain', '')), is('EtcdMode', 'members'), named('HasEtcdSnapshotBucket')),
    off: { etcdMode: 'dns-only' },
    keepsEnvironment: true,
  },
  {
    condition: 'HasEtcdSnapshotKmsKey',
    meaning: not(is('EtcdSnapshotKmsKey', '')),
    off: { etcdSnapshotKmsKey: '' },
    keepsEnvironment: true,
  },
];

/** The conditions of the template that are no combinations of others. */
export const conditions: Readonly<Record<string, Expression>> = {
  ...Object.fromEntries(
    askedForEmptiness.map((name) => [`Has${templateName(name)}`, not(is(templateName(name), ''))]),
  ),
  HasEtcdSnapshotBucket: not({
    'Fn::Or': [is('EtcdSnapshotBucket', ''), is('EtcdSnapshotBucket', 'elsewhere')],
  }),
  ...Object.fromEntries(switches.map(({ condition, meaning }) => [condition, meaning])),
};
