import { longestDomain, longestServiceName } from '../etcd/names.ts';
import {
  domainPattern,
  hookName,
  matching,
  oneOf,
  parameterName,
  queueUrl,
  seconds,
  type Variable,
} from './config-values.ts';

/** The variables of functions that manage etcd. */
export const etcdVariables = {
  etcdHookName: { name: 'DROVER_ETCD_HOOK', ...hookName, fallback: 'drover-etcd' },
  etcdLaunchHookName: { name: 'DROVER_ETCD_LAUNCH_HOOK', ...hookName, fallback: 'drover-etcd-launch' },
  etcdQueueUrl: { name: 'DROVER_ETCD_QUEUE_URL', ...queueUrl },
  etcdDeadLetterQueueUrl: { name: 'DROVER_ETCD_DEAD_LETTER_QUEUE_URL', ...queueUrl },
  /** Empty: this deployment manages no etcd. */
  etcdDomain: {
    name: 'DROVER_ETCD_DOMAIN',
    allowed: `the discovery domain of etcd, such as etcd.example.internal: at most ${longestDomain} characters, in lower case`,
    read: (text) => (text.length <= longestDomain && domainPattern.test(text) ? text : undefined),
    fallback: '',
  },
  etcdZoneId: {
    name: 'DROVER_ETCD_ZONE_ID',
    allowed: 'the id of the Route 53 hosted zone that holds the domain, such as Z0123456789ABCDEFGHIJ',
    read: matching(/^Z[A-Z0-9]{1,31}$/),
    fallback: '',
  },
  etcdMode: {
    name: 'DROVER_ETCD_MODE',
    allowed: 'members, or dns-only if functions cannot reach etcd',
    read: oneOf('members', 'dns-only'),
    fallback: 'members',
  },
  etcdServices: {
    name: 'DROVER_ETCD_SERVICES',
    allowed: 'ssl, plain or both',
    read: oneOf('ssl', 'plain', 'both'),
    fallback: 'ssl',
  },
  /** Empty: the services have no suffix. */
  etcdServiceName: {
    name: 'DROVER_ETCD_SERVICE_NAME',
    allowed: 'the --discovery-srv-name of the members: letters, digits and dashes',
    read: (text) =>
      text.length <= longestServiceName && /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/.test(text)
        ? text
        : undefined,
    fallback: '',
  },
  etcdTtlSeconds: {
    name: 'DROVER_ETCD_TTL',
    allowed: 'a duration from 1s to 1h, such as 10s',
    read: seconds(1, 3600),
    fallback: 10,
  },
  /** Empty is an error if Drover manages the members of etcd: the operator must decide. */
  etcdSnapshots: {
    name: 'DROVER_ETCD_SNAPSHOTS',
    allowed: 's3://BUCKET/PREFIX, or elsewhere if something else keeps backups',
    read: matching(/^(?:elsewhere|s3:\/\/[a-z0-9.-]{3,63}\/\S{1,200})$/),
    fallback: '',
  },
  /** Empty: requests name no owner. */
  etcdSnapshotBucketOwner: {
    name: 'DROVER_ETCD_SNAPSHOT_BUCKET_OWNER',
    allowed: 'the id of the AWS account that owns the bucket of snapshots: twelve digits',
    read: matching(/^\d{12}$/),
    fallback: '',
  },
  /** Empty: the bucket's own encryption. */
  etcdSnapshotKeyId: {
    name: 'DROVER_ETCD_SNAPSHOT_KMS_KEY',
    allowed: 'the ARN of a KMS key',
    read: matching(/^arn:[\w-]+:kms:[\w-]+:\d{12}:key\/[\w-]+$/),
    fallback: '',
  },
  etcdSnapshotMaxAgeSeconds: {
    name: 'DROVER_ETCD_SNAPSHOT_MAX_AGE',
    allowed: 'a duration from 10m to 1d, such as 1h',
    read: seconds(600, 86_400),
    fallback: 3600,
  },
  /** The parameter with etcd's client certificate. */
  etcdClientParameter: { name: 'DROVER_ETCD_CLIENT_PARAMETER', ...parameterName },
  /** The prefix of the parameters in which members read what to start as. */
  etcdMemberParameters: { name: 'DROVER_ETCD_MEMBER_PARAMETERS', ...parameterName },
} satisfies Readonly<Record<string, Variable<string> | Variable<number>>>;
