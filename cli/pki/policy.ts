import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { jsonText } from '../json-text.ts';
import { partitionOf } from '../partition.ts';
import { s3AddressOf } from './s3-address.ts';

export interface PolicyFlags {
  readonly cluster?: string;
  readonly role: 'control-plane' | 'etcd';
  readonly etcd?: 'beside';
  readonly parameterPrefix?: string;
  readonly s3?: string;
  readonly kmsKey?: readonly string[];
  readonly account?: string;
  readonly region?: string;
}

/** Prints the policy of a role of instances that read certificates. */
export function printPolicy(flags: PolicyFlags, { environment, stdout }: CliContext): void {
  const cluster = flags.cluster ?? environment.DROVER_CLUSTER;
  if (!cluster) throw new CliError('the cluster is missing: give --cluster', exitCodes.usage);
  const problems = policyProblems(flags);
  if (problems.length > 0) throw new CliError(problems.join('\n'), exitCodes.usage);
  const region = flags.region ?? environment.AWS_REGION;
  stdout.write(jsonText(instancePolicy({ ...flags, cluster, ...(region !== undefined && { region }) })));
}

const policyProblems = ({ role, etcd, s3, parameterPrefix, kmsKey = [] }: PolicyFlags): readonly string[] => [
  ...(role === 'etcd' && etcd !== undefined ? ['--etcd beside belongs to --role control-plane'] : []),
  ...(s3 !== undefined && parameterPrefix !== undefined ? ['give --s3 or --parameter-prefix, not both'] : []),
  ...(kmsKey.every((key) => /^arn:[\w-]+:kms:.+:key\//.test(key))
    ? []
    : ['--kms-key: a policy takes the ARN of a key, not an alias or an id']),
];

/**
 * What instances may read: their certificates, and what else their user data reads when they boot; nothing of another prefix. Without a region
 * or an account, names of every region and account match, of which a role of one account can only read its own. Pure.
 */
export function instancePolicy(flags: PolicyFlags & { readonly cluster: string }) {
  const { cluster, kmsKey = [], s3 } = flags;
  const names = [
    ...(s3 === undefined
      ? [`${flags.parameterPrefix ?? `/drover/${cluster}/pki`}/${certificates(flags)}`]
      : []),
    ...otherParameters(flags),
  ];
  const arns = names.map((name) => parameterArn(name, flags));
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Sid: 'ReadParameters',
        Effect: 'Allow',
        Action: 'ssm:GetParameter',
        Resource: arns,
      },
      ...(s3 === undefined ? [] : [objectStatement(s3, flags)]),
      ...(kmsKey.length === 0 ? [] : keyStatements(kmsKey, { arns, flags })),
    ],
  };
}

/** A member on an instance of its own reads nothing of the cluster's authority. */
const certificates = ({ role }: PolicyFlags): string => (role === 'etcd' ? 'etcd/*' : '*');

const otherParameters = ({ cluster = '', role, etcd }: PolicyFlags): readonly string[] =>
  role === 'etcd' || etcd === 'beside'
    ? [`/drover/${cluster}/etcd/members/*`]
    : [`/drover/${cluster}/bootstrap-kubeconfig-control-plane`];

const parameterArn = (name: string, { region = '*', account = '*' }: PolicyFlags): string =>
  `arn:${partitionOf(region)}:ssm:${region}:${account}:parameter${name}`;

function objectStatement(address: string, flags: PolicyFlags) {
  const { bucket = '', prefix = '' } = s3AddressOf(address) ?? {};
  return {
    Sid: 'ReadObjects',
    Effect: 'Allow',
    Action: 's3:GetObject',
    Resource: `arn:${partitionOf(flags.region ?? '')}:s3:::${bucket}/${prefix}/${certificates(flags)}`,
    // A bucket that was deleted can be made again under its name by another account.
    ...(flags.account !== undefined && {
      Condition: { StringEquals: { 'aws:ResourceAccount': flags.account } },
    }),
  };
}

/** Only for these parameters, and through S3, whose encryption context depends on the bucket's settings. */
function keyStatements(
  keys: readonly string[],
  { arns, flags }: { readonly arns: readonly string[]; readonly flags: PolicyFlags },
) {
  const { region = '*', s3 } = flags;
  const through = (service: string) =>
    `${service}.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  const statement = (Sid: string, StringLike: Readonly<Record<string, string | readonly string[]>>) => ({
    Sid,
    Effect: 'Allow',
    Action: 'kms:Decrypt',
    Resource: keys,
    Condition: { StringLike },
  });
  return [
    statement('DecryptParameters', {
      'kms:ViaService': through('ssm'),
      'kms:EncryptionContext:PARAMETER_ARN': arns,
    }),
    ...(s3 === undefined ? [] : [statement('DecryptObjects', { 'kms:ViaService': through('s3') })]),
  ];
}
